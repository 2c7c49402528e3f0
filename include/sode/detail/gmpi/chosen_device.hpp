// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/api.hpp>

#include <string>

namespace sode {
class runtime;
} // namespace sode

namespace sode::gmpi::detail {

/// The device on which a rank's kernels run. SODE_DEVICE selects this device, as for arrays of sode::device.
struct chosen_device {
    bool emulated = false;         ///< SODE_DEVICE selects an emulated device
    bool needed = false;           ///< SODE_DEVICE selects a CUDA device, so a missing device is an error
    int number = -1;               ///< number of the CUDA device; -1: devices are assigned in turn
    int place = 0;                 ///< number of this rank among the ranks on its machine
    std::string name = "emulated"; ///< name of the emulated device
};

/// Throws an environment error if SODE_DEVICE is "none".
[[nodiscard]] SODE_API chosen_device choose_device(runtime& rt);

/// Called before the first CUDA call. Throws an environment error if this rank is a task in the address space of other ranks.
SODE_API void refuse_cuda_in_tasks();

} // namespace sode::gmpi::detail
