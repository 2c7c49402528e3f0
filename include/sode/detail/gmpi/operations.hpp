// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/gmpi/native.hpp>
#include <sode/detail/gmpi/posting.hpp>

namespace sode::gmpi {

/// What an element of a message is made of, where its pointer does not say.
struct datatype {
    word bytes = 1;
};
template <class T> inline constexpr datatype type_of{sizeof(T)};

/// What a call may say beyond its arguments.
struct call_options {
    /// Messages of one number are matched with each other alone, as those of a communicator of MPI; 0 to 65535, made by use.
    std::uint16_t communicator = 0;
    /// The group has called release() since it last wrote what this call speaks of: the call need not order it again, which over a
    /// bus costs as much as the call.
    bool released = false;
};
/// call_options::released.
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

/// Meets, orders, and has thread 0 do `f(poster)`, which returns a request or a code.
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
[[nodiscard]] SODE_GPU constexpr bool is_message(device_handle const& h, int peer, int tag) {
    return peer >= 0 && peer < h.size && tag >= 0;
}
[[nodiscard]] SODE_GPU constexpr request refused(code why) {
    return {0, why};
}

} // namespace detail

/// Orders what the threads of `g` have written before whatever thread 0 begins after it: once for several calls with released().
template <class G> SODE_GPU void release(G const& g, device_handle const& ctx) {
    static_cast<void>(detail::led(g, ctx, false, [](auto const&) { return code::ok; }));
}

/// Begins to send `count` elements to rank `peer`; they must stay as they are until wait(). Messages of equal peer, tag and
/// communicator arrive in the order in which one thread, or threads that have met in between, have begun them. Errors (in
/// request::begun, and from wait()): usage, for a rank that does not exist, or a negative tag; timeout, aborted. Cost: 64 bytes
/// written to host memory; a wait, while all requests or all of the ring are in use.
template <class G>
[[nodiscard]] SODE_GPU request isend(G const& g, device_handle const& ctx, void const* buffer, word count, datatype type, int peer,
                                     int tag, call_options const& o = {}) {
    if (!detail::is_message(ctx, peer, tag)) return detail::refused(code::usage);
    return detail::led(g, ctx, o.released, [&](auto const& post) {
        return post.begin(detail::message(detail::operation::send, buffer, count * type.bytes, peer, tag, o));
    });
}
template <class G, class T>
[[nodiscard]] SODE_GPU request isend(G const& g, device_handle const& ctx, T const* buffer, word count, int peer, int tag,
                                     call_options const& o = {}) {
    return isend(g, ctx, buffer, count, type_of<T>, peer, tag, o);
}

/// Begins to receive up to `count` elements from rank `peer`, a rank by name: a kernel does not receive from anybody. wait() tells
/// how many bytes came, and `truncated` if there were more.
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

/// isend(), if that needs no wait: request::begun is would_block if all of the ring or all requests are in use.
template <class G, class T>
[[nodiscard]] SODE_GPU request try_isend(G const& g, device_handle const& ctx, T const* buffer, word count, int peer, int tag,
                                         call_options const& o = {}) {
    if (!detail::is_message(ctx, peer, tag)) return detail::refused(code::usage);
    return detail::led(g, ctx, o.released, [&](auto const& post) {
        return post.try_begin(detail::message(detail::operation::send, buffer, count * sizeof(T), peer, tag, o));
    });
}

/// One look: would_block, or how the request ended. All threads of `g` get the same.
template <class G> [[nodiscard]] SODE_GPU code test(G const& g, device_handle const& ctx, request const& r, status* how = nullptr) {
    auto const p = detail::platform_of(g);
    code c = code::ok;
    if (detail::leads(g)) {
        status found;
        c = detail::slot_table{p, ctx.requests}.test(r, found);
        if (how && c != code::would_block) *how = {c, found.bytes};
    }
    return detail::scattered(p, g, c);
}

/// Waits for a request: after `ok` a sent buffer may be written, and what was received may be read, by all threads of `g`. Anything
/// else says what went wrong. `how` is thread 0's.
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
/// Sends to one rank and receives from one, at the same time.
template <class G, class T>
[[nodiscard]] SODE_GPU code sendrecv(G const& g, device_handle const& ctx, T const* given, word given_count, int to, int given_tag,
                                     T* got, word got_count, int from, int got_tag, call_options const& o = {}) {
    request const both[] = {irecv(g, ctx, got, got_count, from, got_tag, o), isend(g, ctx, given, given_count, to, given_tag, o)};
    return waitall(g, ctx, both, 2);
}

/// All ranks meet. Every rank calls it as often as the others, one group of each at a time.
template <class G> [[nodiscard]] SODE_GPU code barrier(G const& g, device_handle const& ctx) {
    return wait(g, ctx, detail::led(g, ctx, false, [](auto const& post) {
                    return post.begin({.op = detail::operation::barrier, .brief = true});
                }));
}

} // namespace sode::gmpi
