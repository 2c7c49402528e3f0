// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/api.hpp>
#include <sode/hdf5.hpp>

#include <memory>
#include <optional>

namespace sode {

class runtime;

/// Options of a series: the coordinates of the array's points, and the time step after which a series is continued.
struct series_options {
    std::vector<double> origin{};   ///< coordinates of the first element, one number for each dimension; empty: all are 0
    std::vector<double> spacing{};  ///< distance between consecutive elements in each dimension; empty: all are 1
    std::optional<index_t> after{}; ///< continue after this step, and keep the files up to this step; empty: a new series
};

/// Writes the fields of a simulation over time. A series consists of one HDF5 file for each written time step and of one XDMF file.
/// ParaView and VisIt open the XDMF file as an animation.
///
///     sode::series out{rt, "results/waves", {.spacing = {dy, dx}}};
///     out.write({{"h", h}, {"speed", s}}, {.time = t, .step = n});      // results/waves-000120.h5, results/waves.xdmf
///
/// read() can restart a program from any file of the series.
class SODE_API series {
public:
    /// \param stem  the path and first part of all file names; if the folder does not exist, series creates the folder
    ///
    /// The constructor is collective. All ranks throw a usage error if `origin` and `spacing` have different numbers of dimensions.
    /// All ranks throw an environment error if the folder cannot be created or an earlier file cannot be read.
    series(runtime const& rt, std::string stem, series_options options = {});
    ~series();
    series(series&&) noexcept;
    series& operator=(series&&) noexcept;

    /// Writes the file file(when.step), like sode::write(), and adds the time step to the XDMF file. write() replaces an existing
    /// file of the same time step.
    ///
    /// \param fields  arrays with the same extents, in 2 or 3 dimensions
    void write(std::vector<output_field> const& fields, moment const& when);

    /// Returns the name of the file for a time step.
    [[nodiscard]] std::string file(index_t step) const;

private:
    struct impl;
    [[nodiscard]] impl& made() const; // the implementation; an error if the series was moved from
    std::unique_ptr<impl> impl_;
};

} // namespace sode
