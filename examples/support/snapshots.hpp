// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/hdf5.hpp>
#include <sode/runtime.hpp>

#include <memory>

namespace examples {

/// The files of a simulation, as the command line asks: `--out DIR` writes DIR/water-STEP.h5 and DIR/water.xdmf every `--every`
/// steps (50), `--from FILE` begins with the fields of such a file. Errors: sode::error{environment}, if one of them is asked for
/// and the program was built without HDF5.
class snapshots {
public:
    /// \param spacing  of the points, in both dimensions; the first one lies half of it inside
    snapshots(sode::runtime& rt, double spacing);
    ~snapshots();
    snapshots(snapshots const&) = delete;
    snapshots& operator=(snapshots const&) = delete;

    /// Reads `--from FILE`, if that is there. \return when its fields are; else nothing changes, and it is 0
    [[nodiscard]] sode::moment resume(std::vector<sode::input_field> const& fields);
    void write_if_due(sode::moment const& now, std::vector<sode::output_field> const& fields);

private:
    struct impl;
    std::unique_ptr<impl> impl_;
};

} // namespace examples
