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

/// The number of a rank that does not exist. A message to or from `nobody` is not sent, like a message to MPI_PROC_NULL.
inline constexpr int nobody = -1;

/// One end of a persistent message. send_init() and recv_init() create message ends.
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

/// A set of messages that are planned together. exchange_init() creates an exchange.
///
/// Between start() and wait(), the program must not write to send buffers or read receive buffers. All buffers must outlive the
/// exchange.
class exchange : public planned {
public:
    /// \param trouble  the error that prevents this rank from taking part, or null; all ranks throw the error of any rank
    SODE_API exchange(runtime& rt, std::span<message_end const> ends, exchange_options const& options,
                      error const* trouble = nullptr);
};

/// Plans all sends and receives of this rank. All messages of the plan start together and complete together, as with MPI_Send_init,
/// MPI_Recv_init and MPI_Startall. Unlike MPI, exchange_init() matches and checks the messages only once, not in every call of
/// start().
///
///     auto const column = sode::datatype::contiguous(8).repeated(ny, 8 * nx);
///     auto ring = sode::exchange_init(rt, {sode::send_init(&u[nx - 2], column, right), sode::recv_init(&u[0], column, left)});
///     for (int t = 0; t < steps; ++t) ring(), compute();
///
/// Sends and receives between two ranks with the same tag are matched in list order. A send and its receive must have the same
/// number of bytes, but may have different layouts. A rank may send to itself. Several sends may read the same bytes.
///
/// If a rank can read the send buffer of its peer, the rank copies the data directly from one layout to the other. (Tasks and
/// threads can read all memory of their peers; processes can read only arrays that Sode allocated.) If a rank cannot read the send
/// buffer, the data are packed into shared memory. Between machines, MPI sends one message for each pair of ranks. explain() shows
/// the chosen channels.
///
/// The call is collective over all ranks of the job, including ranks that send and receive nothing. All ranks throw a usage error
/// for any of these mistakes:
/// - A rank or a channel does not exist.
/// - A send or a receive is unmatched, or a send and its receive have different sizes.
/// - The memory is null, receives overlap, or the same memory is sent and received.
///
/// Throws an environment error if a resource such as memory is missing. Planning costs three small allreduces of O(log ranks)
/// messages each. For each planned message, one additional message carries the layout from one rank to the other rank.
[[nodiscard]] inline exchange exchange_init(runtime& rt, std::span<message_end const> ends, exchange_options const& options = {}) {
    return {rt, ends, options};
}
[[nodiscard]] inline exchange exchange_init(runtime& rt, std::initializer_list<message_end> ends,
                                            exchange_options const& options = {}) {
    return {rt, std::span{ends.begin(), ends.size()}, options};
}

} // namespace sode
