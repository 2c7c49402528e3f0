// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>

namespace sode::internal {

/// What bytes go through one after the other, such as a bus, a message, and another bus: what it takes to begin with some bytes,
/// and with each of them. Times in nanoseconds.
struct pipe_stage {
    double begin = 0;
    double byte = 0;
};

/// Between two stages bytes lie in a ring of so many slots, each for a segment: two that are moved, and two that are told of.
inline constexpr std::int64_t ring_slots = 4;

/// What `bytes` bytes take through all stages, in so many equal segments: while one of them is in a stage, the one behind it is in
/// the stage before. `word`: until one stage has seen what another one tells it. Closed form.
[[nodiscard]] double pipelined_time(std::span<pipe_stage const> stages, std::int64_t bytes, std::int64_t segments,
                                    double word) noexcept;
/// Bytes of a segment, if they are moved in as many as take the least time; whole cache lines. 0: in one piece.
[[nodiscard]] std::int64_t best_segment(std::span<pipe_stage const> stages, std::int64_t bytes, double word) noexcept;

} // namespace sode::internal
