// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "gmpi/halos_in_kernels.hpp"
#include "gmpi/manager.hpp"

#include <sode/gmpi.hpp>

namespace sode::internal {

// Kernels on threads may use arrays of the rank's emulated device, and managers copy from there and to it, also where the kernel of
// the peer alone has begun. Where none is asked for, there are no such arrays.
inline std::shared_ptr<void> open_emulated(detail::job& j, gmpi::memory const& memory) {
    bool const emulates = dynamic_cast<gmpi::host_memory const*>(&memory) != nullptr;
    return emulates && wished_device(j.settings.device, 0).kind == "emulated" ? j.need_device().enter() : nullptr;
}

/// What a context is made of.
class kernel_context {
public:
    std::shared_ptr<detail::job> of;
    std::shared_ptr<void> open; ///< as long as this lives, memory of the emulated device is
    kernels::manager manages;
    halos_in_kernels halos;

    kernel_context(std::shared_ptr<detail::job> j, std::shared_ptr<gmpi::memory> memory, gmpi::options const& o)
        : of(std::move(j)), open(open_emulated(*of, *memory)), manages(*of, std::move(memory), o),
          halos(manages, manages.words().memory()) {}
};

} // namespace sode::internal
