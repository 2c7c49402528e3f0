// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/api.hpp>
#include <sode/detail/cxx20.hpp>

#include <sode/attach.hpp>
#include <sode/datatype.hpp>
#include <sode/error.hpp>
#include <sode/planned.hpp>
#include <sode/runtime.hpp>

#include <cstddef>
#include <initializer_list>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

namespace sode {

/// Stands for a rank that does not exist: a message to or from `nobody` is not sent, like a message to MPI_PROC_NULL.
inline constexpr int nobody = -1;

/// One end of a message that is sent repeatedly. Made by send_init() and recv_init().
struct message_end {
    bool sends = false;
    std::byte* memory = nullptr; ///< read-only if this end sends
    datatype what{};             ///< bytes relative to `memory`
    int peer = nobody;
    int tag = 0;
};

/// Sends the bytes that `what` selects, relative to `memory`, to rank `peer`.
[[nodiscard]] inline message_end send_init(void const* memory, datatype what, int peer, int tag = 0) {
    return {true, const_cast<std::byte*>(static_cast<std::byte const*>(memory)), std::move(what), peer, tag};
}
/// Receives from rank `peer` into the bytes that `what` selects, relative to `memory`.
[[nodiscard]] inline message_end recv_init(void* memory, datatype what, int peer, int tag = 0) {
    return {false, static_cast<std::byte*>(memory), std::move(what), peer, tag};
}
/// Sends all elements of a sode::view, a std::mdspan, or another type with known strides, in row-major order.
template <strided View> [[nodiscard]] message_end send_init(View const& v, int peer, int tag = 0) {
    return send_init(static_cast<void const*>(detail::first_of(v)), datatype::of(v), peer, tag);
}
template <strided View> [[nodiscard]] message_end recv_init(View const& v, int peer, int tag = 0) {
    static_assert(!std::is_const_v<std::remove_pointer_t<decltype(detail::first_of(v))>>,
                  "a message cannot be received into const memory");
    return recv_init(static_cast<void*>(detail::first_of(v)), datatype::of(v), peer, tag);
}

/// Options of exchange_init(). All ranks must pass equal options.
struct exchange_options {
    std::string channel{}; ///< for all messages: "pull", "stage", "stage-wide", "mpi", "reference"; empty: the model chooses
    std::string name{};    ///< shown in messages; empty: "exchange"
};

/// A set of messages between ranks that are planned together. Made by exchange_init().
///
/// Between start() and wait() the program must not write memory that is being sent, or read memory in which messages arrive. The
/// memory must outlive the exchange.
class exchange : public planned {
public:
    /// `trouble`: the error that prevents this rank from taking part; all ranks throw it. Null: no error.
    SODE_API exchange(runtime& rt, std::span<message_end const> ends, exchange_options const& options,
                      error const* trouble = nullptr);
};

/// Plans all sends and receives of this rank. All messages of the plan start together and complete together, as with MPI_Send_init,
/// MPI_Recv_init and MPI_Startall. Unlike MPI, exchange_init() matches the messages, checks them, and chooses their channels only
/// once, not in every start.
///
///     auto const column = sode::datatype::contiguous(8).repeated(ny, 8 * nx);
///     auto ring = sode::exchange_init(rt, {sode::send_init(&u[nx - 2], column, right), sode::recv_init(&u[0], column, left)});
///     for (int t = 0; t < steps; ++t) ring(), compute();
///
/// The k-th send to a rank with a given tag matches the k-th receive on that rank from this rank with the same tag. A send and its
/// receive must have the same number of bytes, but may have different layouts. A rank may send to itself. Several sends may read
/// the same bytes.
///
/// If a rank can read its peer's memory (any memory of tasks and threads; arrays of processes), data are copied directly from
/// layout to layout. Other data are packed into shared memory. Between machines, MPI sends one message for each pair of ranks.
/// explain() shows the chosen channels.
///
/// Collective over all ranks of the job, including ranks that send and receive nothing. Errors, on all ranks alike: usage, for a
/// rank that does not exist, an unmatched send or receive, a send and a receive of different sizes, null memory, overlapping
/// receives, memory that is both received into and sent from, or an unknown channel; environment. Cost: three small allreduces, of
/// O(log ranks) messages each. For each message, one rank sends its layout to the other rank, and both ranks match the two layouts.
[[nodiscard]] inline exchange exchange_init(runtime& rt, std::span<message_end const> ends, exchange_options const& options = {}) {
    return {rt, ends, options};
}
[[nodiscard]] inline exchange exchange_init(runtime& rt, std::initializer_list<message_end> ends,
                                            exchange_options const& options = {}) {
    return {rt, std::span{ends.begin(), ends.size()}, options};
}

} // namespace sode
