// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/gmpi/operations.hpp>

namespace sode::gmpi {

/// The number of a plan that kernels can start. Returned by context::add, psend_init and precv_init.
struct plan_number {
    std::uint32_t number = 0;
};

/// Starts a plan: a halo exchange, a collective or a partitioned message. Only one group may start a plan. A plan may be
/// started again after wait(). Returns code::usage if there is no plan with this number. Cost: one store of 16 bytes.
template <class G>
[[nodiscard]] SODE_GPU request start(G const& g, device_handle const& ctx, plan_number which, call_options const& o = {}) {
    return detail::led(g, ctx, o.released, [&](auto const& post) {
        return post.begin({.op = detail::operation::start, .brief = true, .peer = which.number});
    });
}

/// Releases part `part` of a partitioned message, like MPI_Pready. After each start(), call pready() once for each part.
template <class G>
SODE_GPU code pready(G const& g, device_handle const& ctx, plan_number which, std::uint32_t part, call_options const& o = {}) {
    return detail::led(g, ctx, o.released, [&](auto const& post) {
        return post.tell({.op = detail::operation::ready, .brief = true, .peer = which.number, .tag = part});
    });
}
/// Releases parts `first` to `last` - 1.
template <class G>
SODE_GPU code pready_range(G const& g, device_handle const& ctx, plan_number which, std::uint32_t first, std::uint32_t last,
                           call_options const& o = {}) {
    return detail::led(g, ctx, o.released, [&](auto const& post) {
        code c = code::ok;
        for (auto part = first; part < last && c == code::ok; ++part)
            c = post.tell({.op = detail::operation::ready, .brief = true, .peer = which.number, .tag = part});
        return c;
    });
}

/// The receiving end of a partitioned message.
struct arrivals {
    plan_number plan;
    std::uint32_t first_word = 0; ///< index of the message's first counter in device_handle::parts
    std::uint32_t parts = 0;
};

/// `ok` if part `part` has arrived in round `round` (1 for the first start()), otherwise would_block, or the error that has ended
/// the context. The function is like MPI_Parrived.
template <class G>
[[nodiscard]] SODE_GPU code parrived(G const& g, device_handle const& ctx, arrivals const& from, std::uint32_t part, word round) {
    if (part >= from.parts) return code::usage;
    auto const p = detail::platform_of(g);
    code c = code::ok;
    if (detail::leads(g)) {
        word const seen =
            p.template load_acquire<detail::ordering::hear, detail::scope::system>(ctx.parts.words[from.first_word + part]);
        if (seen < round) {
            c = detail::ended(p, ctx.alarm);
            if (c == code::ok) c = code::would_block;
        }
    }
    return detail::scattered(p, g, c);
}

} // namespace sode::gmpi
