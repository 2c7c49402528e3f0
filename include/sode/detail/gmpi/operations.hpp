// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/gmpi/native.hpp>
#include <sode/detail/gmpi/posting.hpp>

namespace sode::gmpi {

/// The size of a message element, if the pointer type does not determine it.
struct datatype {
    word bytes = 1;
};
template <class T> inline constexpr datatype type_of{sizeof(T)};

/// Optional arguments of a call.
struct call_options {
    /// Messages match only if this number is equal, as within an MPI communicator. Any number from 0 to 65535 may be used without
    /// creating it first.
    std::uint16_t communicator = 0;
    /// True if the group has called release() after its last write to the data of this call. A call with released writes does not
    /// order the writes again. Over a bus, the ordering costs as much as the call itself.
    bool released = false;
};
/// Options in which call_options::released is set.
[[nodiscard]] SODE_GPU constexpr call_options released(std::uint16_t communicator = 0) {
    return {communicator, true};
}

namespace detail {

template <class G> SODE_GPU auto platform_of(G const& g) {
    if constexpr (requires { g.platform(); })
        return g.platform();
    else
        return native_platform{};
}

/// Synchronises the group and orders its writes. Then thread 0 calls `f(poster)`, which returns a request or a code.
template <class G, class F> SODE_GPU auto led(G const& g, device_handle const& h, bool is_released, F const& f) {
    auto const p = platform_of(g);
    poster<std::remove_const_t<decltype(p)>> const post{p, h};
    if (is_released ? !leads(g) : !gathers_to_lead(p, g)) return decltype(f(post)){};
    if (!is_released) post.release();
    return f(post);
}

[[nodiscard]] SODE_GPU inline entry message(operation op, void const* buffer, word bytes, int peer, int tag,
                                            call_options const& o) {
    return {.op = op,
            .communicator = o.communicator,
            .peer = static_cast<std::uint32_t>(peer),
            .tag = static_cast<std::uint32_t>(tag) & 0x7fffffffU,
            .address = reinterpret_cast<word>(buffer),
            .bytes = bytes};
}
/// The entry for a message that this thread sends. The data of a short message are read here.
[[nodiscard]] SODE_GPU inline entry outgoing(void const* buffer, word bytes, int peer, int tag, call_options const& o) {
    auto e = message(operation::send, buffer, bytes, peer, tag, o);
    e.holds_data = bytes != 0 && bytes <= short_bytes;
    if (e.holds_data) gather_words(e.data, buffer, bytes);
    return e;
}
[[nodiscard]] SODE_GPU constexpr bool is_message(device_handle const& h, int peer, int tag) {
    return peer >= 0 && peer < h.size && tag >= 0;
}
[[nodiscard]] SODE_GPU constexpr request refused(code why) {
    return {0, why};
}

} // namespace detail

/// Orders the writes of all threads of `g` before all later operations of thread 0. Call release() once for several calls with
/// released().
template <class G> SODE_GPU void release(G const& g, device_handle const& ctx) {
    static_cast<void>(detail::led(g, ctx, false, [](auto const&) { return code::ok; }));
}

/// Starts sending `count` elements to rank `peer`. The elements must not change until wait() returns. Messages with the same peer,
/// tag and communicator arrive in the order of their calls, if one thread makes all the calls, or if the threads synchronise in
/// between. request::begun and wait() report code::usage for a rank that does not exist, or for a negative tag. Cost: 64 bytes
/// written to host memory, which contain up to 32 bytes of data. If all requests are in use, or if the ring is full, isend() waits.
template <class G>
[[nodiscard]] SODE_GPU request isend(G const& g, device_handle const& ctx, void const* buffer, word count, datatype type, int peer,
                                     int tag, call_options const& o = {}) {
    if (!detail::is_message(ctx, peer, tag)) return detail::refused(code::usage);
    return detail::led(g, ctx, o.released,
                       [&](auto const& post) { return post.begin(detail::outgoing(buffer, count * type.bytes, peer, tag, o)); });
}
template <class G, class T>
[[nodiscard]] SODE_GPU request isend(G const& g, device_handle const& ctx, T const* buffer, word count, int peer, int tag,
                                     call_options const& o = {}) {
    return isend(g, ctx, buffer, count, type_of<T>, peer, tag, o);
}

/// Starts receiving up to `count` elements from rank `peer`. There is no wildcard for the source rank. wait() returns the number of
/// bytes, and `truncated` if the message was longer.
template <class G>
[[nodiscard]] SODE_GPU request irecv(G const& g, device_handle const& ctx, void* buffer, word count, datatype type, int peer,
                                     int tag, call_options const& o = {}) {
    if (!detail::is_message(ctx, peer, tag)) return detail::refused(code::usage);
    return detail::led(g, ctx, o.released, [&](auto const& post) {
        return post.begin(detail::message(detail::operation::receive, buffer, count * type.bytes, peer, tag, o));
    });
}
template <class G, class T>
[[nodiscard]] SODE_GPU request irecv(G const& g, device_handle const& ctx, T* buffer, word count, int peer, int tag,
                                     call_options const& o = {}) {
    return irecv(g, ctx, buffer, count, type_of<T>, peer, tag, o);
}

/// Like isend(), but does not wait: request::begun is would_block if all requests are in use, or if the ring is full.
template <class G, class T>
[[nodiscard]] SODE_GPU request try_isend(G const& g, device_handle const& ctx, T const* buffer, word count, int peer, int tag,
                                         call_options const& o = {}) {
    if (!detail::is_message(ctx, peer, tag)) return detail::refused(code::usage);
    return detail::led(g, ctx, o.released,
                       [&](auto const& post) { return post.try_begin(detail::outgoing(buffer, count * sizeof(T), peer, tag, o)); });
}

/// Tests a request once. Returns would_block, the result of the request, or the error that has ended the context: a loop of tests
/// also ends. All threads of `g` get the same result.
template <class G> [[nodiscard]] SODE_GPU code test(G const& g, device_handle const& ctx, request const& r, status* how = nullptr) {
    auto const p = detail::platform_of(g);
    code c = code::ok;
    if (detail::leads(g)) {
        status found;
        c = detail::slot_table{p, ctx.requests}.test(r, found);
        if (c == code::would_block)
            if (code const why = detail::ended(p, ctx.alarm); why != code::ok) c = why;
        if (how && c != code::would_block) *how = {c, found.bytes};
    }
    return detail::scattered(p, g, c);
}

/// Waits for a request. After `ok`, all threads of `g` may write to a send buffer or read from a receive buffer. Any other code is
/// an error. Only thread 0 gets `how`.
template <class G> [[nodiscard]] SODE_GPU code wait(G const& g, device_handle const& ctx, request const& r, status* how = nullptr) {
    auto const p = detail::platform_of(g);
    code c = code::ok;
    if (detail::leads(g)) {
        status found;
        c = detail::slot_table{p, ctx.requests}.wait(r, ctx.alarm, found);
        if (how) *how = {c, found.bytes};
    }
    return detail::scattered(p, g, c);
}

/// Waits for `count` requests. \return the first code that is not ok
template <class G>
[[nodiscard]] SODE_GPU code waitall(G const& g, device_handle const& ctx, request const* requests, std::uint32_t count) {
    auto const p = detail::platform_of(g);
    code all = code::ok;
    for (std::uint32_t i = 0; detail::leads(g) && i < count; ++i) {
        status found;
        code const c = detail::slot_table{p, ctx.requests}.wait(requests[i], ctx.alarm, found);
        if (all == code::ok) all = c;
    }
    return detail::scattered(p, g, all);
}

template <class G, class T>
[[nodiscard]] SODE_GPU code send(G const& g, device_handle const& ctx, T const* buffer, word count, int peer, int tag,
                                 call_options const& o = {}) {
    return wait(g, ctx, isend(g, ctx, buffer, count, peer, tag, o));
}
template <class G, class T>
[[nodiscard]] SODE_GPU code recv(G const& g, device_handle const& ctx, T* buffer, word count, int peer, int tag,
                                 call_options const& o = {}) {
    return wait(g, ctx, irecv(g, ctx, buffer, count, peer, tag, o));
}
/// Sends to one rank and receives from another rank concurrently.
template <class G, class T>
[[nodiscard]] SODE_GPU code sendrecv(G const& g, device_handle const& ctx, T const* given, word given_count, int to, int given_tag,
                                     T* got, word got_count, int from, int got_tag, call_options const& o = {}) {
    request const both[] = {irecv(g, ctx, got, got_count, from, got_tag, o), isend(g, ctx, given, given_count, to, given_tag, o)};
    return waitall(g, ctx, both, 2);
}

/// Synchronises all ranks. Every rank must call barrier() equally often, from one group at a time.
template <class G> [[nodiscard]] SODE_GPU code barrier(G const& g, device_handle const& ctx) {
    return wait(g, ctx, detail::led(g, ctx, false, [](auto const& post) {
                    return post.begin({.op = detail::operation::barrier, .brief = true});
                }));
}

} // namespace sode::gmpi
