// SPDX-License-Identifier: Apache-2.0
#include "channel/edge.hpp"

namespace sode::internal {

buffer stage_of(int source, std::int64_t bytes) {
    return {.host = source, .role = buffer_role::stage, .instances = parity::epoch, .bytes = bytes};
}

buffer private_place(plan_builder& b, std::int64_t bytes) {
    auto& p = b.target();
    buffer const place{.host = p.rank, .role = buffer_role::scratch, .offset = p.own_scratch, .bytes = bytes};
    p.own_scratch += stage_room(bytes);
    return place;
}

} // namespace sode::internal
