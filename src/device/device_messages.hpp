// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>

namespace sode::internal {

/// What the MPI of this process says of memory of devices (MPIX_Query_cuda_support, of Open MPI and MPICH). Nothing, if there is no
/// MPI that has been begun and not ended, or if it has no such function. Cost: a look-up of symbols.
[[nodiscard]] std::optional<bool> mpi_says_of_device_memory() noexcept;

/// Whether it says that it takes it.
[[nodiscard]] bool mpi_takes_device_memory() noexcept;

} // namespace sode::internal
