// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "plan/operation.hpp"

#include <cstdint>
#include <string>

namespace sode::internal {

/// One step of a plan. 64 bytes, plain data, no pointers.
///
/// Meaning, in order: do nothing until `counter[trigger] >= threshold + epoch * step` (trigger 0: at once); do `op`; then, where
/// `signal` is not 0, publish: a flag is set to `value + epoch * step`, a sum is increased by `value`. `step` belongs to the
/// counter. Epochs are numbered from 1.
///
/// In a loop, `strides` says what is added to offsets, threshold and value in each iteration (plan/loops.hpp); each descriptor of a
/// body says so for itself, and the loop says nothing but how often. Loops nest.
struct alignas(64) descriptor {
    operation op = operation::end;
    std::uint8_t reserved0 = 0;
    std::uint16_t reserved1 = 0;
    std::uint32_t trigger = 0; ///< index into plan::counters, 0 = none
    std::uint32_t signal = 0;  ///< index into plan::counters, 0 = none
    std::int32_t threshold = 0;
    std::int32_t value = 0;
    std::uint32_t program = 0;   ///< index into plan::programs
    std::int64_t src_offset = 0; ///< bytes, added to the program's own
    std::int64_t dst_offset = 0;
    std::uint32_t src = 0; ///< index into plan::buffers
    std::uint32_t dst = 0;
    std::uint32_t argument = 0; ///< of a message or put: its number among those from one rank to another
    std::int32_t peer = -1;     ///< the other rank, for messages and puts; -1 = local
    std::uint32_t strides = 0;  ///< index into plan::strides, 0 = the fields are the same in all iterations
    std::uint32_t operand = 0;  ///< of a reduction: index into plan::operands, 0 = `first` is the target
};
static_assert(sizeof(descriptor) == 64);

/// The first operand of a reduction whose target is elsewhere. Its elements lie as those of the target do: where the program goes
/// to `x` bytes behind target and offset, it is `x` bytes behind these. It may be the target or the source; else it overlaps
/// neither.
struct operand {
    std::uint32_t buffer = 0; ///< index into plan::buffers
    std::int64_t offset = 0;
    friend bool operator==(operand const&, operand const&) = default;
};

/// An operator of the user's. It associates. The function itself is given to the engine, one for each of these.
struct user_operator {
    std::string name; ///< equal on all ranks
    std::uint32_t element_bytes = 0;
    bool commutes = true; ///< otherwise the order of the deliveries is that in which their elements are combined
};

} // namespace sode::internal
