// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "layout/copy_program.hpp"
#include "plan/buffer.hpp"
#include "plan/counter.hpp"
#include "plan/descriptor.hpp"
#include "plan/executor.hpp"
#include "plan/loops.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sode::internal {

/// Something that can be done in one of several ways: an edge by a stage or by pulling, say. In each epoch one way is active, the
/// same one at all ranks that take part; who decides which is not the plan's affair. Whatever way an epoch goes, it does what is
/// owed, and leaves every counter where the next epoch needs it, which may go another way: so the ways of a choice publish the same
/// flags. (Flags are set to what their epoch says: one that no way of an epoch has set catches up in the next.)
struct plan_choice {
    std::uint64_t key = 0; ///< equal at all ranks that take part, and at no other choice of theirs
    std::uint8_t ways = 2; ///< 2 or more
    friend bool operator==(plan_choice const&, plan_choice const&) = default;
};

/// Operations of one stream issue in order; streams of a rank are not ordered with each other, except that every stream of epoch
/// e is over before epoch e + 1 starts.
struct stream {
    std::uint32_t first = 0;  ///< index of its first descriptor; it runs to `end`
    std::int32_t peer = -1;   ///< whom it waits for, -1 = nobody
    executor runs_on{};       ///< who issues it
    std::uint32_t choice = 0; ///< number of a choice, from 1: it runs in the epochs in which `way` is active; 0: in all
    std::uint8_t way = 0;
    std::uint8_t nic = 0; ///< a wish: of an engine with several network interfaces, that one (modulo how many it has)
};

/// What of the lines, stage and scratch that a rank hosts is memory of another kind than the host's usual. Of lines the device's
/// come first, then those that are pinned, then the others; of stage and scratch the others first, then what is pinned, then the
/// device's.
struct own_part {
    std::int64_t lines = 0;
    std::int64_t stage = 0; ///< bytes
    std::int64_t scratch = 0;
};

/// What runs: flat tables, which refer to each other by index and to memory by name. All that an engine looks at.
struct schedule {
    std::string name; ///< for messages: `halo of "u"`
    std::int32_t rank = 0;
    std::int32_t ranks = 1;
    std::vector<buffer> buffers;
    std::vector<counter> counters;     ///< [0] is "none"
    std::vector<loop_strides> strides; ///< [0] is "nothing"
    std::vector<copy_program> programs;
    std::vector<descriptor> descriptors;
    std::vector<stream> streams;      ///< [0] runs first and is where local work and publications belong
    std::vector<plan_choice> choices; ///< the first is number 1
    std::vector<operand> operands;    ///< [0] is "the target"
    std::vector<user_operator> operators;
    std::vector<std::byte> constants;
    std::int64_t own_lines = 0; ///< counters that this rank must host, each on a line of its own …
    std::int64_t own_pairs = 0; ///< … but for the last pair_counters * own_pairs
    std::int64_t own_stage = 0; ///< bytes of stage that this rank must host
    std::int64_t own_scratch = 0;
    own_part own_pinned{}; ///< of these three
    own_part own_device{};
    std::int32_t groups = 0; ///< number of array parities that start() takes
    bool alternates = false; ///< correct only if every array parity changes from epoch to epoch (credits left out)
};

/// The stream that a descriptor is in: the last one that begins no later. Cost: O(streams).
[[nodiscard]] std::uint32_t stream_of(schedule const& p, std::size_t descriptor) noexcept;
/// The same for all descriptors at once, by their index.
[[nodiscard]] std::vector<std::uint32_t> streams_of(schedule const& p);

/// What one epoch moves at this rank, in all its ways. Bytes. Cost: O(descriptors).
[[nodiscard]] std::int64_t bytes_moved(schedule const& p) noexcept;

/// What line `index` of the rank that has this plan is made of.
[[nodiscard]] memory_kind kind_of_line(schedule const& host, std::int64_t index) noexcept;
/// The same of bytes of its stage, and of its scratch. Nothing, if they are of two kinds.
[[nodiscard]] std::optional<memory_kind> kind_of_stage(schedule const& host, std::int64_t offset, std::int64_t bytes) noexcept;
[[nodiscard]] std::optional<memory_kind> kind_of_scratch(schedule const& host, std::int64_t offset, std::int64_t bytes) noexcept;

} // namespace sode::internal
