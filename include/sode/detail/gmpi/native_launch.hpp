// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/gmpi/emulated.hpp>
#include <sode/detail/gmpi/grid.hpp>
#include <sode/detail/gmpi/handle.hpp>
#include <sode/detail/gmpi/kernel_run.hpp>
#include <sode/detail/gmpi/memory.hpp>

#include <memory>

// The other file, beside native.hpp, that knows for what it is compiled: which device there is, and how a kernel gets there.
#if defined(__CUDACC__)
#include <sode/detail/gmpi/cuda_launch.hpp>
#else

namespace sode::gmpi::detail {

/// Null: this compiler makes no code for the device of that memory.
template <class... Anything>
std::unique_ptr<kernel_run> launch_on(memory const&, launch_shape, device_handle const&, ring const*, Anything const&...) {
    return {};
}
inline std::shared_ptr<memory> native_memory(bool) {
    return std::make_shared<host_memory>();
}

} // namespace sode::gmpi::detail
#endif
