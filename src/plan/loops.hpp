// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>

namespace sode::internal {

/// How an offset moves with the iterations of a loop: by `bytes` each, or, where there are `slots`, in a ring of that many places:
/// iteration i is at ((i + phase) modulo slots) * bytes.
struct stride {
    std::int64_t bytes = 0;
    std::uint32_t slots = 0; ///< 0: no ring
    std::uint32_t phase = 0; ///< of a ring, below slots
    friend bool operator==(stride const&, stride const&) = default;
};

/// What the innermost loop around a descriptor adds to its fields, and through `outer` what the loops around that one add. Entry 0
/// of plan::strides means "nothing": the fields stay as they are, in all loops.
struct loop_strides {
    stride src{};
    stride dst{};
    stride operand{};           ///< of the first operand of a reduction
    std::int32_t threshold = 0; ///< an iteration
    std::int32_t value = 0;
    std::uint32_t outer =
        0; ///< index into plan::strides: of the loop around this one; 0: that one, and those around it, add nothing
    friend bool operator==(loop_strides const&, loop_strides const&) = default;
};

/// Loops nest as deep as this.
inline constexpr std::size_t most_loops = 8;

/// A loop that is being run.
struct loop_turn {
    std::uint32_t loop = 0; ///< index of its descriptor
    std::uint32_t iteration = 0;
};

/// What loops add to the fields of a descriptor.
struct loop_shift {
    std::int64_t src = 0;
    std::int64_t dst = 0;
    std::int64_t operand = 0;
    std::int64_t threshold = 0;
    std::int64_t value = 0;
};

[[nodiscard]] constexpr std::int64_t shift_of(stride const& s, std::uint32_t iteration) noexcept {
    std::uint64_t const place = s.slots == 0 ? iteration : (std::uint64_t{iteration} + s.phase) % s.slots;
    return s.bytes * static_cast<std::int64_t>(place);
}

/// `index` in `table`, at `turns`: the loops around the descriptor, outermost first.
[[nodiscard]] constexpr loop_shift shift_of(loop_strides const* table, std::uint32_t index, loop_turn const* turns,
                                            std::size_t depth) noexcept {
    loop_shift sum;
    for (; index != 0 && depth != 0; index = table[index].outer) {
        loop_strides const& s = table[index];
        auto const i = turns[--depth].iteration;
        sum.src += shift_of(s.src, i);
        sum.dst += shift_of(s.dst, i);
        sum.operand += shift_of(s.operand, i);
        sum.threshold += std::int64_t{s.threshold} * i;
        sum.value += std::int64_t{s.value} * i;
    }
    return sum;
}

} // namespace sode::internal
