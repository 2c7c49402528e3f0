// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/gmpi/chosen_device.hpp>
#include <sode/detail/gmpi/emulated.hpp>
#include <sode/detail/gmpi/grid.hpp>
#include <sode/detail/gmpi/handle.hpp>
#include <sode/detail/gmpi/kernel_run.hpp>
#include <sode/detail/gmpi/memory.hpp>

#include <memory>

// Besides native.hpp, this is the only file that depends on the compiler: it determines which device exists, and how to launch a
// kernel on it.
#if defined(__CUDACC__)
#include <sode/detail/gmpi/cuda_launch.hpp>
#else
#include <sode/error.hpp>

namespace sode::gmpi::detail {

/// Returns null: this compiler does not generate code for the device that has this memory.
template <class... Anything>
std::unique_ptr<kernel_run> launch_on(memory const&, launch_shape, device_handle const&, ring const*, Anything const&...) {
    return {};
}
inline std::shared_ptr<memory> native_memory(chosen_device const& device) {
    if (device.needed)
        throw error{error_kind::environment, "kernels of this program cannot run on a CUDA device",
                    "nvcc has not compiled the program, and SODE_DEVICE selects a CUDA device",
                    "compile it with nvcc -x cu, or set SODE_DEVICE=emulated"};
    return std::make_shared<host_memory>(device.name);
}

} // namespace sode::gmpi::detail
#endif
