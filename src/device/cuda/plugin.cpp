// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/plugin.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <array>
#include <string_view>

namespace sode::internal {

cuda_found load_cuda(std::string const& plugin) {
    if (plugin.empty()) return {nullptr, "there is no libsode-device-cuda.so (it is built where nvcc is found)"};
    // Its destructors would run behind those of CUDA itself: it stays open.
    void* const handle = dlopen(plugin.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!handle) return {nullptr, dlerror()};
    auto* const version = reinterpret_cast<char const* (*)()>(dlsym(handle, "sode_device_plugin_version"));
    auto* const devices = reinterpret_cast<cuda_devices* (*)(char*)>(dlsym(handle, "sode_device_plugin_devices"));
    if (!version || !devices || std::string_view{version()} != SODE_VERSION)
        return {nullptr,
                fmt::format("{} belongs to Sode {}, and this is Sode {}", plugin, version ? version() : "?", SODE_VERSION)};
    std::array<char, 256> why{};
    auto* const found = devices(why.data());
    return {found, why.data()};
}

} // namespace sode::internal
