// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/api.hpp>
#include <sode/hdf5.hpp>

#include <memory>
#include <optional>

namespace sode {

class runtime;

/// The coordinates of the arrays' points, and how much of an earlier run to keep.
struct series_options {
    std::vector<double> origin{};   ///< of the first element, one number a dimension; empty: all 0
    std::vector<double> spacing{};  ///< between neighbours in each dimension; empty: all 1
    std::optional<index_t> after{}; ///< continue after this step: files of steps up to it stay in the series; else a new series
};

/// Fields of a simulation over time: an HDF5 file a step, and one XDMF file that ParaView or VisIt open as an animation.
///
///     sode::series out{rt, "results/waves", {.spacing = {dy, dx}}};
///     out.write({{"h", h}, {"speed", s}}, {.time = t, .step = n});      // results/waves-000120.h5, results/waves.xdmf
///
/// A file of the series is one that read() can restart from.
class SODE_API series {
public:
    /// \param stem  the files' names without what follows; its folder is made if it is not there
    /// Collective. Errors, on every rank: usage, if `origin` and `spacing` are for different numbers of dimensions; environment, if
    /// the folder cannot be made or an earlier file not be read.
    series(runtime const& rt, std::string stem, series_options options = {});
    ~series();
    series(series&&) noexcept;
    series& operator=(series&&) noexcept;

    /// As sode::write(), to file(when.step); then the XDMF file is replaced by one that has this step too. A step that is there
    /// already is replaced.
    ///
    /// \param fields  arrays of the same extents, in 2 or 3 dimensions
    void write(std::vector<output_field> const& fields, moment const& when);

    /// The file of a step.
    [[nodiscard]] std::string file(index_t step) const;

private:
    struct impl;
    std::unique_ptr<impl> impl_;
};

} // namespace sode
