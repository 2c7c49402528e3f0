// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "plan/plan.hpp"

#include <sode/geometry.hpp>

namespace sode::internal {

/// The block of an array at rank `host`, as a plan names it. `Part` is what the array brings: its shape, whether it is buffered,
/// and its parity group.
template <class Part> [[nodiscard]] buffer block_buffer(Part const& part, int host, std::uint32_t ordinal) {
    return {.host = host,
            .role = buffer_role::array,
            .instances = part.buffered ? parity::array : parity::none,
            .group = static_cast<std::uint32_t>(part.group),
            .ordinal = ordinal,
            .bytes = part.shape->bytes(host)};
}

} // namespace sode::internal
