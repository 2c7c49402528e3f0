// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "device/accelerator.hpp"
#include "engine/binding.hpp"
#include "model/job.hpp"

#include <sode/halo_source.hpp>

namespace sode::internal {

/// Where this rank's part of that array is.
[[nodiscard]] inline bound_array bound(detail::halo_source const& s) {
    bool const shared = s.on_device ? s.owner->need_device().reaches_peers() : s.shape->shared();
    return {{s.memory[0].get(), s.memory[1].get()}, shared, s.on_device ? memory_kind::device : memory_kind::host};
}

} // namespace sode::internal
