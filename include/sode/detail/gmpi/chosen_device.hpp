// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/api.hpp>

#include <string>

namespace sode {
class runtime;
} // namespace sode

namespace sode::gmpi::detail {

/// Where kernels of a rank run, as SODE_DEVICE says: where its arrays of sode::device are.
struct chosen_device {
    bool emulated = false;         ///< one of threads is asked for
    bool needed = false;           ///< one of CUDA is asked for: without it there is an error, and no emulation
    int number = -1;               ///< of CUDA; -1: by turns
    int place = 0;                 ///< of the rank among those of its machine
    std::string name = "emulated"; ///< of the emulated one
};

/// Errors: environment, if SODE_DEVICE is none.
[[nodiscard]] SODE_API chosen_device choose_device(runtime& rt);

} // namespace sode::gmpi::detail
