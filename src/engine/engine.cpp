// SPDX-License-Identifier: Apache-2.0
#include "engine/engine.hpp"

#include <sode/error.hpp>

namespace sode::internal {

progress engine::enqueue(std::uint64_t /*number*/, std::span<std::uint64_t const> /*halves*/,
                         std::span<std::uint8_t const> /*ways*/, device_queue& /*in*/) {
    throw error{error_kind::internal, "a plan cannot be enqueued on a stream", "its steps run on the host", "call start()"};
}

} // namespace sode::internal
