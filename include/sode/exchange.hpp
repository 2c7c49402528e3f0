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

/// No peer: a message to or from `nobody` is not sent, as with MPI_PROC_NULL.
inline constexpr int nobody = -1;

/// One end of a message that is sent repeatedly. Made by send_init() and recv_init().
struct message_end {
    bool sends = false;
    std::byte* memory = nullptr; ///< not written if this end sends
    datatype what{};             ///< bytes relative to `memory`
    int peer = nobody;
    int tag = 0;
};

/// Sends the bytes `what`, relative to `memory`, to rank `peer`.
[[nodiscard]] inline message_end send_init(void const* memory, datatype what, int peer, int tag = 0) {
    return {true, const_cast<std::byte*>(static_cast<std::byte const*>(memory)), std::move(what), peer, tag};
}
/// Receives from rank `peer` into the bytes `what`, relative to `memory`.
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

/// Options of exchange_init(). Must be equal on all ranks.
struct exchange_options {
    std::string channel{}; ///< for all messages: "pull", "stage", "stage-wide", "mpi", "reference"; empty: the model chooses
    std::string name{};    ///< for messages; empty: "exchange"
};

/// Messages between ranks that are planned together. Made by exchange_init().
///
/// Between start() and wait() the program must not write memory that is being sent, and must not read memory where messages arrive.
/// The memory must outlive the exchange.
class exchange : public planned {
public:
    /// `trouble`: the error that prevents this rank from taking part; all ranks throw this error. Null: no error.
    SODE_API exchange(runtime& rt, std::span<message_end const> ends, exchange_options const& options,
                      error const* trouble = nullptr);
};

/// Plans all sends and receives of this rank, which start together and complete together, like MPI_Send_init, MPI_Recv_init and
/// MPI_Startall. The difference: exchange_init() matches the messages, checks them and chooses their channels once, not in every
/// start.
///
///     auto const column = sode::datatype::contiguous(8).repeated(ny, 8 * nx);
///     auto ring = sode::exchange_init(rt, {sode::send_init(&u[nx - 2], column, right), sode::recv_init(&u[0], column, left)});
///     for (int t = 0; t < steps; ++t) ring(), compute();
///
/// The k-th send to a rank with some tag matches the k-th receive on that rank from this rank with the same tag. A send and its
/// receive have the same number of bytes, in any layouts. A rank may send to itself. Several sends may read the same bytes.
///
/// A rank that can read its peer's memory (any memory of tasks and threads; arrays of processes) copies directly from layout to
/// layout. Other memory is packed into shared memory. Between machines MPI sends one message for each pair of ranks. See explain().
///
/// Collective over all ranks of the job, also ranks with nothing to send. Errors, on all ranks alike: usage, for a rank that does
/// not exist, a send without its receive or a receive without its send, a send and its receive with different sizes, null memory,
/// memory that is received into twice, memory that is both received into and sent from, or an unknown channel; environment.
/// Cost: three small allreduces, of O(log ranks) messages each. For each message, one rank sends its layout to the other rank, and
/// both ranks match the two layouts.
[[nodiscard]] inline exchange exchange_init(runtime& rt, std::span<message_end const> ends, exchange_options const& options = {}) {
    return {rt, ends, options};
}
[[nodiscard]] inline exchange exchange_init(runtime& rt, std::initializer_list<message_end> ends,
                                            exchange_options const& options = {}) {
    return {rt, std::span{ends.begin(), ends.size()}, options};
}

} // namespace sode
