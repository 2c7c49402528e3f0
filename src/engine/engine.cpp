// SPDX-License-Identifier: Apache-2.0
#include "engine/engine.hpp"

#include <sode/error.hpp>

namespace sode::internal {

progress engine::enqueue(std::uint64_t /*number*/, std::span<std::uint64_t const> /*halves*/,
                         std::span<std::uint8_t const> /*ways*/, device_queue& /*in*/) {
    throw error{error_kind::internal, "a plan was enqueued that no device runs", "its steps are the host's", "start() it"};
}

} // namespace sode::internal
