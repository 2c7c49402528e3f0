// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/api.hpp>
#include <sode/hdf5.hpp>

#include <memory>
#include <optional>

namespace sode {

class runtime;

/// Coordinates of the array's points, and how much of an earlier run to keep.
struct series_options {
    std::vector<double> origin{};   ///< coordinates of the first element, one number for each dimension; empty: all 0
    std::vector<double> spacing{};  ///< distance between neighbours in each dimension; empty: all 1
    std::optional<index_t> after{}; ///< continue after this step: keep the files up to this step; empty: a new series
};

/// Fields of a simulation over time: one HDF5 file for each time step that is written, and one XDMF file that ParaView or VisIt
/// open as an animation.
///
///     sode::series out{rt, "results/waves", {.spacing = {dy, dx}}};
///     out.write({{"h", h}, {"speed", s}}, {.time = t, .step = n});      // results/waves-000120.h5, results/waves.xdmf
///
/// read() can restart from each file of the series.
class SODE_API series {
public:
    /// \param stem  path and first part of the file names; a missing folder is made
    /// Collective. Errors, on every rank: usage, if `origin` and `spacing` have different numbers of dimensions; environment, if
    /// the folder cannot be made or an earlier file cannot be read.
    series(runtime const& rt, std::string stem, series_options options = {});
    ~series();
    series(series&&) noexcept;
    series& operator=(series&&) noexcept;

    /// Writes the file file(when.step), as sode::write() does. Then replaces the XDMF file by one that contains this step too. An
    /// existing file of the same step is replaced.
    ///
    /// \param fields  arrays of the same extents, in 2 or 3 dimensions
    void write(std::vector<output_field> const& fields, moment const& when);

    /// The file of a step.
    [[nodiscard]] std::string file(index_t step) const;

private:
    struct impl;
    [[nodiscard]] impl& made() const; // not moved from
    std::unique_ptr<impl> impl_;
};

} // namespace sode
