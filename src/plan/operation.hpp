// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string_view>

namespace sode::internal {

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

} // namespace sode::internal
