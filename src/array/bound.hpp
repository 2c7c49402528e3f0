// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "engine/binding.hpp"

#include <sode/halo_source.hpp>

namespace sode::internal {

/// Where this rank's part of that array is.
[[nodiscard]] inline bound_array bound(detail::halo_source const& s) {
    return {{s.memory[0].get(), s.memory[1].get()}, s.shape->shared()};
}

} // namespace sode::internal
