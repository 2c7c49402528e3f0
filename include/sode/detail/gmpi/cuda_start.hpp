// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cuda_runtime.h>

#include <cstdlib>
#include <string>

// Only nvcc includes this file.

namespace sode::gmpi::detail {

/// "12.4", from the number in which CUDA encodes a version.
inline std::string cuda_version(int number) {
    return std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10);
}

/// The CUDA devices of this machine.
struct cuda_devices_found {
    int count = 0;        ///< 0: there is no device
    std::string why_not;  ///< why there is no device
    bool too_old = false; ///< there is a driver, but it is too old for this program
};

/// Finds the CUDA devices. Before the first CUDA call, this function sets two variables that kernels need when they wait for other
/// kernels, unless the user has set them. All kernels are loaded at once, because no kernel can be loaded while another waits.
/// Streams get the maximum number of connections to the device, because two streams that share a connection do not run
/// concurrently.
inline cuda_devices_found find_cuda_devices() {
    static bool const is_set = [] {
        setenv("CUDA_MODULE_LOADING", "EAGER", 0);
        setenv("CUDA_DEVICE_MAX_CONNECTIONS", "32", 0);
        return true;
    }();
    static_cast<void>(is_set);
    cuda_devices_found all;
    auto const status = cudaGetDeviceCount(&all.count);
    if (status == cudaSuccess && all.count > 0) return all;
    static_cast<void>(cudaGetLastError());
    all.count = 0;
    int of_driver = 0, of_program = 0;
    if (cudaDriverGetVersion(&of_driver) == cudaSuccess && cudaRuntimeGetVersion(&of_program) == cudaSuccess && of_driver > 0)
        all.too_old = status == cudaErrorInsufficientDriver;
    all.why_not = status == cudaSuccess ? "no device" : cudaGetErrorString(status);
    if (all.too_old)
        all.why_not = "the driver is for CUDA " + cuda_version(of_driver) + " at most, and this was compiled with CUDA " +
                      cuda_version(of_program);
    return all;
}

} // namespace sode::gmpi::detail
