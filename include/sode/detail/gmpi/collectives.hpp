// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/gmpi/operations.hpp>

namespace sode::gmpi {

/// Operations for allreduce().
struct sum_of {
    template <class T> SODE_GPU constexpr T operator()(T a, T b) const { return a + b; }
};
struct least_of {
    template <class T> SODE_GPU constexpr T operator()(T a, T b) const { return b < a ? b : a; }
};
struct greatest_of {
    template <class T> SODE_GPU constexpr T operator()(T a, T b) const { return a < b ? b : a; }
};

namespace detail {
/// Tag of messages of collectives. Messages of kernels have smaller tags.
inline constexpr int collective_tag = 0x7fffffff;
} // namespace detail

/// Copies `data` from rank `root` to all ranks. All ranks must call the collectives of a communicator (call_options) equally often
/// and in the same order, each from one group at a time. Use broadcast() for small data: messages follow a binomial tree in
/// ceil(log2 size) rounds. Do not use tag 2^31 - 1 for other messages. Returns code::usage if rank `root` does not exist. The
/// errors of wait() are also possible.
template <class G, class T>
[[nodiscard]] SODE_GPU code broadcast(G const& g, device_handle const& ctx, T* data, word count, int root,
                                      call_options const& o = {}) {
    if (root < 0 || root >= ctx.size) return code::usage;
    int const mine = (ctx.rank - root + ctx.size) % ctx.size; // ranks numbered from the root
    int bit = 1;
    for (; bit < ctx.size && (mine & bit) == 0; bit <<= 1) {
    }
    if (mine != 0) {
        code const c = recv(g, ctx, data, count, (mine - bit + root) % ctx.size, detail::collective_tag, o);
        if (c != code::ok) return c;
    }
    for (bit >>= 1; bit > 0; bit >>= 1) {
        if (mine + bit >= ctx.size) continue;
        code const c = send(g, ctx, data, count, (mine + bit + root) % ctx.size, detail::collective_tag, o);
        if (c != code::ok) return c;
    }
    return code::ok;
}

/// Combines `count` elements from all ranks by `op`, element by element, into `data` on all ranks. The elements are combined in the
/// order of a binomial tree, which is the same on every rank and in every run. Therefore the result is bitwise identical on all
/// ranks. The rules for calling broadcast() also apply to allreduce(). Cost: 2 ceil(log2 size) rounds of messages.
/// \param room  device memory for `count` elements, which received messages overwrite
/// \param op    op(element from lower ranks, element from higher ranks); all threads of `g` share the elements
template <class G, class T, class Op>
[[nodiscard]] SODE_GPU code allreduce(G const& g, device_handle const& ctx, T* data, T* room, word count, Op const& op,
                                      call_options const& o = {}) {
    for (int bit = 1; bit < ctx.size; bit <<= 1) {
        if ((ctx.rank & bit) != 0) {
            code const c = send(g, ctx, data, count, ctx.rank - bit, detail::collective_tag, o);
            if (c != code::ok) return c;
            break;
        }
        if (ctx.rank + bit >= ctx.size) continue;
        code const c = recv(g, ctx, room, count, ctx.rank + bit, detail::collective_tag, o);
        if (c != code::ok) return c;
        for (word i = g.thread_rank(); i < count; i += g.size()) data[i] = op(data[i], room[i]);
    }
    return broadcast(g, ctx, data, count, 0, o);
}

} // namespace sode::gmpi
