// SPDX-License-Identifier: Apache-2.0
#include "channel/edge.hpp"

namespace sode {

buffer stage_of(int source, std::int64_t bytes) {
    return {.host = source, .role = buffer_role::stage, .instances = parity::epoch, .bytes = bytes};
}

} // namespace sode
