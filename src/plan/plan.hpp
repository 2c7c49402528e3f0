// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cost/expense.hpp"
#include "layout/copy_program.hpp"
#include "plan/executor.hpp"
#include "plan/loops.hpp"
#include "plan/memory_kind.hpp"
#include "plan/reduction.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sode {

/// What a descriptor does. The list grows by need, the format does not.
enum class operation : std::uint8_t {
    end,        ///< the stream is over for this epoch
    copy,       ///< run `program` from source to target
    pack,       ///< a copy whose target is a stage
    unpack,     ///< a copy whose source is a stage
    inline_put, ///< a copy into the payload of the flag's own cache line; the flag follows by `signal`
    inline_get, ///< a copy out of the payload of a flag's line
    put,        ///< a copy of `program.bytes` bytes into memory of rank `peer`, which hosts `signal`, too; see below
    negate,     ///< target[i] = -source[i] for all that `program` would copy; `argument` is what the elements are
    reduce,     ///< target[i] = first[i] op source[i] for all that `program` would copy; `argument` is the combiner, `operand` says
                ///< where `first` is
    call,       ///< run plan::calls[argument]: a function of the user's, which takes that place in `dst` for its array's beginning
    signal,     ///< nothing but the completion
    wait,       ///< nothing but the trigger: data has arrived
    send,       ///< begin the message `argument` to `peer`: `program.bytes` bytes of `src`; it completes when MPI is done with them
    receive,    ///< begin the message `argument` from `peer`, into `src`; it completes when they are there
    landing,    ///< the place, `src`, and the signal of the put `argument` of `peer`
    credit,     ///< nothing but the trigger: a reader has let go of a buffer
    loop,       ///< run the descriptors up to its end_loop `argument` times, see below
    end_loop
};
[[nodiscard]] std::string_view to_string(operation op);
/// True for the operations that run a copy program.
[[nodiscard]] constexpr bool is_copy(operation op) noexcept {
    return op >= operation::copy && op <= operation::inline_get;
}
/// True if `src`, `dst` and `program` of such a descriptor mean something.
[[nodiscard]] constexpr bool moves_data(operation op) noexcept {
    return op >= operation::copy && op <= operation::reduce;
}
/// True for what engines do apart from their usual way: rare, so that one question keeps it off everything else.
[[nodiscard]] constexpr bool computes(operation op) noexcept {
    return op >= operation::negate && op <= operation::call;
}

/// True for messages: the stream goes on when one has begun, and `signal` is given when it is over. `dst` is as `src`. In a loop
/// each iteration is a message of its own: several may be under way, and they meet those of the other rank in the order in which
/// they begin. The signals of one descriptor are given in that order, too, whichever is over first.
[[nodiscard]] constexpr bool is_message(operation op) noexcept {
    return op == operation::send || op == operation::receive;
}

/// A put may be carried in several ways: stored by who issues it, written by a network interface, or sent as a message to the
/// landing that has its number. Whoever builds a plan does not know which, so a plan must be right either way:
/// - The stream goes on at once. The source must stay as it is until the epoch ends, which waits for its puts to have left, or
/// until
///   an answer of the peer.
/// - The peer learns of it by `signal`, a counter of its own, and in no other way. A put of no bytes is a notification.
/// - The landing may be begun after the put has arrived: what has to happen before, the plan says by other counters.
/// Both ends name the same bytes and the same signal; each put has one landing, and runs as often.
[[nodiscard]] constexpr bool is_put(operation op) noexcept {
    return op == operation::put || op == operation::landing;
}
/// True if `dst` is as `src`: the one place of a descriptor that is an end of something carried.
[[nodiscard]] constexpr bool is_end(operation op) noexcept {
    return is_message(op) || op == operation::landing;
}

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

/// What picks the instance of a buffer or counter that has several.
enum class parity : std::uint8_t {
    none,  ///< there is one
    epoch, ///< epoch modulo its `slots`: so many epochs may be under way
    array  ///< the half of a `buffered` array that was passed to start
};

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

/// How many instances a buffer or counter has.
template <class Entry> [[nodiscard]] constexpr std::uint32_t instances_of(Entry const& e) noexcept {
    return e.instances == parity::none ? 1 : e.instances == parity::array ? 2 : e.slots;
}
/// The instance of one that has `slots` of them: the same for all ranks, as epochs are numbered alike.
template <class Entry> [[nodiscard]] constexpr std::uint32_t slot_of(Entry const& e, std::uint64_t epoch) noexcept {
    return static_cast<std::uint32_t>(epoch % e.slots);
}

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
};

/// What an epoch must have done at this rank: independent of how. `verify` holds the descriptors against it.
/// Array parity of source and target is that of the epoch.
struct delivery {
    std::int32_t source_rank = 0;
    std::uint32_t source_array = 0; ///< ordinal
    layout source;
    std::uint32_t target_array = 0; ///< ordinal, at this rank
    layout target;
    bool negated = false;  ///< with the other sign
    bool constant = false; ///< `source` lies in plan::constants of this rank
    /// How it is combined with the deliveries to the same bytes that come before it in the list; the first one's says nothing.
    std::uint32_t combiner = no_combiner;
};

/// A function of the user's that an epoch calls: it sets elements of this rank's own array, and reads others of it. The function
/// itself is given to the engine, one for each of these.
struct call_site {
    std::uint32_t array = 0; ///< ordinal
    layout reads;
    layout writes;
};

/// Bytes of this rank's own array that an epoch may overwrite, but must put back before it ends: between the rows of a message that
/// arrives where it belongs.
struct borrowed {
    std::uint32_t array = 0; ///< ordinal
    layout bytes;
};

/// A line of explain(): what was chosen for an edge, what it should cost, and what the runner-up would have cost.
struct edge_note {
    std::int32_t peer = -1;
    std::array<std::int8_t, max_dims> direction{};
    std::uint8_t dims = 0;
    std::uint8_t field = 0;
    pattern kind = pattern::contiguous;
    std::int64_t rows = 0;
    std::int64_t row_bytes = 0;
    std::string_view chosen; ///< a name with static storage: "pull", "stage", …
    expense expected{};
    std::string_view runner_up;
    expense instead{}; ///< what the runner-up would have cost
    bool forced = false;
    bool shared = true;   ///< the target could load the source's array
    bool outside = false; ///< no edge: a side on which the domain ends
};

/// What of the lines, stage and scratch that a rank hosts is memory of another kind than the host's usual. Of lines the device's
/// come first, then those that are pinned, then the others; of stage and scratch the others first, then what is pinned, then the
/// device's.
struct own_part {
    std::int64_t lines = 0;
    std::int64_t stage = 0; ///< bytes
    std::int64_t scratch = 0;
};

/// What one rank does in one epoch of a communication, decided once. Plain data.
struct plan {
    std::string name; ///< for messages: `halo of "u"`
    std::int32_t rank = 0;
    std::int32_t ranks = 1;
    std::vector<buffer> buffers;
    std::vector<counter> counters;     ///< [0] is "none"
    std::vector<loop_strides> strides; ///< [0] is "nothing"
    std::vector<copy_program> programs;
    std::vector<descriptor> descriptors;
    std::vector<stream> streams; ///< [0] runs first and is where local work and publications belong
    std::vector<delivery> deliveries;
    std::vector<borrowed> loans;
    std::vector<plan_choice> choices; ///< the first is number 1
    std::vector<call_site> calls;
    std::vector<operand> operands; ///< [0] is "the target"
    std::vector<user_operator> operators;
    std::vector<std::byte> constants;
    std::vector<edge_note> notes;
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
[[nodiscard]] std::uint32_t stream_of(plan const& p, std::size_t descriptor) noexcept;
/// The same for all descriptors at once, by their index.
[[nodiscard]] std::vector<std::uint32_t> streams_of(plan const& p);

/// What line `index` of the rank that has this plan is made of.
[[nodiscard]] memory_kind kind_of_line(plan const& host, std::int64_t index) noexcept;
/// The same of bytes of its stage, and of its scratch. Nothing, if they are of two kinds.
[[nodiscard]] std::optional<memory_kind> kind_of_stage(plan const& host, std::int64_t offset, std::int64_t bytes) noexcept;
[[nodiscard]] std::optional<memory_kind> kind_of_scratch(plan const& host, std::int64_t offset, std::int64_t bytes) noexcept;

} // namespace sode
