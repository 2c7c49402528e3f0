// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sode::internal {

/// Whether the MPI of this process says that it takes memory of devices (MPIX_Query_cuda_support, of Open MPI and MPICH). False
/// without an MPI. Cost: a look-up of a symbol.
[[nodiscard]] bool mpi_takes_device_memory() noexcept;

} // namespace sode::internal
