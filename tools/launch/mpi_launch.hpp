// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "launch/launch.hpp"

#include <string>
#include <vector>

namespace sode::internal::tools {

/// The words by which that program is run under the MPI layer (docs/mpi-layer.md): its MPI's own mpirun, the layer for that MPI
/// preloaded, and the ranks as tasks where tasks work.
/// Errors: usage, if there is no such program, or it is linked with no MPI (or statically); environment, if there is no launcher of
/// that MPI, or no layer for it beside this `sode`.
[[nodiscard]] std::vector<std::string> words_of_mpi_launch(launch_options const& options);

/// Becomes that command. Does not return. Errors: as above.
[[noreturn]] void launch_by_mpi(launch_options const& options);

} // namespace sode::internal::tools
