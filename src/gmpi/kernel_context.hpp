// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "gmpi/halos_in_kernels.hpp"
#include "gmpi/manager.hpp"
#include "model/tracing.hpp"

#include <sode/gmpi.hpp>

namespace sode::internal {

// Kernels on threads may use arrays of the rank's emulated device, and managers copy from there and to it, also where the kernel of
// the peer alone has begun. Where none is asked for, there are no such arrays.
// On a real device nothing is opened, but managers look up what is in its memory, if libsode knows the device.
inline std::shared_ptr<void> open_device_of(detail::job& j, gmpi::memory const& memory) {
    bool const emulates = dynamic_cast<gmpi::host_memory const*>(&memory) != nullptr;
    bool const wished = wished_device(j.settings.device, 0).kind == "emulated";
    if (emulates && wished) return j.need_device().enter();
    if (emulates) return nullptr;
    try {
        static_cast<void>(j.need_device());
    } catch (error const&) { // NOLINT(bugprone-empty-catch): without the plug-in messages of other processes go in frames
    }
    return nullptr;
}

/// What a context is made of.
class kernel_context {
public:
    std::shared_ptr<detail::job> of;
    std::shared_ptr<void> open; ///< as long as this lives, memory of the emulated device is
    kernels::manager manages;
    halos_in_kernels halos;

    kernel_context(std::shared_ptr<detail::job> j, std::shared_ptr<gmpi::memory> memory, gmpi::options const& o)
        : of(std::move(j)), open(open_device_of(*of, *memory)), manages(*of, std::move(memory), o),
          halos(manages, manages.words().memory(), of->trace ? &of->trace->log() : nullptr) {}
};

} // namespace sode::internal
