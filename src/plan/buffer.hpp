// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "plan/memory_kind.hpp"
#include "plan/parity.hpp"

#include <cstdint>

namespace sode::internal {

enum class buffer_role : std::uint8_t {
    array,   ///< user data: array number `ordinal`
    stage,   ///< shared memory that the plan owns
    payload, ///< the bytes behind a counter in its line: `ordinal` is the counter's index at its host
    scratch, ///< private to the executing rank
    constant ///< plan::constants of the executing rank: read, and never written
};

/// Memory that a plan touches. Buffers are named, never pointed to: who hosts it, what it is.
struct buffer {
    std::int32_t host = 0; ///< the rank whose memory it is
    buffer_role role = buffer_role::array;
    parity instances = parity::none;
    std::uint16_t slots = 2; ///< of parity epoch: how many instances, 1 or more
    std::uint32_t group = 0; ///< which array parity (several buffered arrays may flip apart)
    std::uint32_t ordinal = 0;
    std::int64_t offset = 0; ///< stage and scratch: bytes from the host's block; instance i lies i * `bytes` behind instance 0
    std::int64_t bytes = 0;  ///< size of one instance
    memory_kind memory = memory_kind::host;
};

} // namespace sode::internal
