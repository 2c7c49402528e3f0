// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "device/accelerator.hpp"

#include <memory>
#include <string>

namespace sode::internal {

/// The devices of CUDA, behind libsode-device-cuda.so: the one thing that is compiled by nvcc and linked with CUDA.
class cuda_devices {
public:
    cuda_devices() = default;
    virtual ~cuda_devices() = default;
    cuda_devices(cuda_devices const&) = delete;
    cuda_devices& operator=(cuda_devices const&) = delete;

    [[nodiscard]] virtual int count() const noexcept = 0; ///< at least one
    [[nodiscard]] virtual device_facts facts(int number) const = 0;
    [[nodiscard]] virtual std::unique_ptr<accelerator> open(int number, device_terms const& terms) = 0;
};

struct cuda_found {
    cuda_devices* devices = nullptr; ///< null: there are none,
    std::string why_not;             ///< for this reason
};
/// Opens the plug-in of that path, which stays open. Cost: what CUDA takes to start, the first time.
[[nodiscard]] cuda_found load_cuda(std::string const& plugin);

} // namespace sode::internal

// The functions of the plug-in.
extern "C" {
char const* sode_device_plugin_version();
/// Null: there are none; `why` is the reason then, and has room for 256 characters.
sode::internal::cuda_devices* sode_device_plugin_devices(char* why);
}
