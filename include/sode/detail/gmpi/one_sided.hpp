// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/gmpi/operations.hpp>

namespace sode::gmpi {

/// A location in a window, which is memory that ranks exposed by context::window().
struct window_place {
    int window = 0;
    word offset = 0; ///< bytes from the start of the peer's window
};

namespace detail {

template <class G>
SODE_GPU request put(G const& g, device_handle const& h, void const* from, word bytes, window_place to, int peer,
                     std::uint32_t signal, word value, call_options const& o) {
    if (!is_message(h, peer, 0) || to.window < 0 || to.window > 0xffff || signal > h.signals.count) return refused(code::usage);
    auto e = message(operation::put, from, bytes, peer, 0, o);
    e.offset = to.offset;
    e.window = static_cast<std::uint16_t>(to.window);
    e.signal = signal;
    e.value = value;
    return led(g, h, o.released, [&](auto const& post) { return post.begin(e); });
}

} // namespace detail

/// Starts writing `count` elements to the memory of rank `peer`. After wait(), the source may be reused. The peer learns that the
/// data have arrived by put_signal(), by a later signal(), or by a barrier() after wait(). The begun code of the request is
/// code::usage if the location does not exist or is outside the window.
template <class G, class T>
[[nodiscard]] SODE_GPU request put(G const& g, device_handle const& ctx, T const* from, word count, window_place to, int peer,
                                   call_options const& o = {}) {
    return detail::put(g, ctx, from, count * sizeof(T), to, peer, 0, 0, o);
}
/// put() with a signal: when the peer can read all data, `value` is added to the peer's signal `which` (0 to options::signals - 1).
template <class G, class T>
[[nodiscard]] SODE_GPU request put_signal(G const& g, device_handle const& ctx, T const* from, word count, window_place to,
                                          int which, word value, int peer, call_options const& o = {}) {
    if (which < 0) return detail::refused(code::usage);
    return detail::put(g, ctx, from, count * sizeof(T), to, peer, static_cast<std::uint32_t>(which) + 1, value, o);
}
/// Adds 1 to signal `which` of rank `peer`, after all earlier puts to this rank. Does not wait. Cost: one store of 16 bytes.
template <class G> SODE_GPU code signal(G const& g, device_handle const& ctx, int which, int peer, call_options const& o = {}) {
    if (!detail::is_message(ctx, peer, which) || static_cast<std::uint32_t>(which) >= ctx.signals.count) return code::usage;
    return detail::led(g, ctx, o.released, [&](auto const& post) {
        return post.tell({.op = detail::operation::signal,
                          .brief = true,
                          .peer = static_cast<std::uint32_t>(peer),
                          .tag = static_cast<std::uint32_t>(which)});
    });
}
/// Waits until signal `which` of this rank is at least `least`. Signals never decrease, so wait for 1, 2, 3, …
template <class G> [[nodiscard]] SODE_GPU code signal_wait_until(G const& g, device_handle const& ctx, int which, word least) {
    if (which < 0 || static_cast<std::uint32_t>(which) >= ctx.signals.count) return code::usage;
    auto const p = detail::platform_of(g);
    code c = code::ok;
    if (detail::leads(g)) c = detail::await(p, ctx.alarm, detail::site::signal, ctx.signals.words[which], least);
    return detail::scattered(p, g, c);
}

} // namespace sode::gmpi
