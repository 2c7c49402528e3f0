// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "plan/memory_kind.hpp"
#include "plan/parity.hpp"

#include <cstdint>

namespace sode::internal {

enum class counter_kind : std::uint8_t {
    flag, ///< one writer, release store / acquire load
    sum   ///< many writers, fetch_add
};

/// A monotone 64-bit number on a cache line of its own. Never reset. Entry 0 of plan::counters means "none".
struct counter {
    std::int32_t host = 0;   ///< the rank in whose memory the line lies
    std::int32_t writer = 0; ///< flags: the rank that sets it (whom a waiter looks after); sums: -1
    std::uint32_t index = 0; ///< at the host; instance i is index + i
    counter_kind kind = counter_kind::flag;
    parity instances = parity::none; ///< none or epoch
    std::uint16_t slots = 2;         ///< of parity epoch: how many instances, 1 or more
    std::int64_t step = 1;           ///< what one epoch adds (a flag with several instances still counts epochs)
    memory_kind memory = memory_kind::host;
};

/// Bytes of a counter line, and of the payload behind the number.
inline constexpr std::int64_t line_bytes = 128;
inline constexpr std::int64_t payload_offset = 8;
inline constexpr std::int64_t payload_bytes = 56; ///< what shares a 64-byte line with the number

/// The counters of two ranks that only talk to each other about them lie together, the last ones of their host: `pair_counters` for
/// a pair. A cache line that two cores both write to goes back and forth as it is, while a line that one writes and the other reads
/// must be invalidated first: 109 against 296 ns for a round trip between two cores of a Sapphire Rapids (docs/decisions/0006).
///
/// Of each pair's counters, number 2 k + side with k < 3 share one cache line and have no payload; number 6 + 2 * side + parity has
/// `pair_payload_bytes` behind it.
inline constexpr std::int64_t pair_counters = 10;
inline constexpr std::int64_t pair_payload_bytes = 24;

} // namespace sode::internal
