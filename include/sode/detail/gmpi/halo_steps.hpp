// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/gmpi/planned.hpp>

#include <cstddef>

namespace sode::gmpi {

namespace detail {

/// Where a row of a copy begins, in bytes from the two bases.
struct halo_row {
    std::int64_t source = 0, target = 0;
};

/// A step of a planned exchange, as threads of a device take it: when a word is there, copy rows, then set another word.
struct halo_step {
    word const* trigger = nullptr;                ///< null: at once
    std::int64_t threshold = 0, trigger_step = 0; ///< and what an exchange adds to it
    std::byte* target = nullptr;
    std::byte const* source = nullptr;
    halo_row const* rows = nullptr; ///< all of equal length
    word row_count = 0;
    word units = 0;         ///< of a row
    std::uint32_t unit = 1; ///< bytes, 1 to 8, to which all rows are aligned
    bool is_last = false;   ///< of its stream
    word* signal = nullptr; ///< null: none
    std::int64_t value = 0, signal_step = 0;

    [[nodiscard]] SODE_GPU word due(word exchange) const {
        auto const least = threshold + static_cast<std::int64_t>(exchange) * trigger_step;
        return least > 0 ? static_cast<word>(least) : 0;
    }
    [[nodiscard]] SODE_GPU word told(word exchange) const {
        return static_cast<word>(value + static_cast<std::int64_t>(exchange) * signal_step);
    }
};

/// All threads of a group share the units of the rows.
template <class Unit, class G> SODE_GPU void copy_rows(G const& g, halo_step const& s) {
    word const all = s.row_count * s.units;
    for (word n = g.thread_rank(); n < all; n += g.size()) {
        auto const& row = s.rows[n / s.units];
        auto const at = static_cast<std::int64_t>(n % s.units * sizeof(Unit));
        *reinterpret_cast<Unit*>(s.target + row.target + at) = *reinterpret_cast<Unit const*>(s.source + row.source + at);
    }
}
template <class G> SODE_GPU void copy_rows(G const& g, halo_step const& s) {
    switch (s.unit) {
    case 8: return copy_rows<std::uint64_t>(g, s);
    case 4: return copy_rows<std::uint32_t>(g, s);
    case 2: return copy_rows<std::uint16_t>(g, s);
    default: return copy_rows<std::uint8_t>(g, s);
    }
}

} // namespace detail

/// An exchange of halos for use inside of a kernel: context::device_handle(halo).
struct halo_handle {
    static constexpr std::uint32_t most_streams = 128, phases = 4;

    detail::halo_step const* steps[phases] = {}; ///< of all streams, by exchange modulo `phases`
    std::uint32_t const* first = nullptr;        ///< step of each stream
    std::uint32_t streams = 0;
    word before = 0;         ///< exchanges so far
    word* made = nullptr;    ///< and by the kernel, for the host
    bool by_manager = false; ///< some of it are messages: the kernel starts it, and the host runs it
    plan_number plan;        ///< then
};

namespace detail {

/// Takes the steps of one exchange: thread 0 finds a stream that can go on, and the group takes its next step.
template <class P, class G> SODE_GPU code take_steps(P const& p, G const& g, alarm const& a, halo_handle const& h, word exchange) {
    constexpr std::uint32_t over = 0xffffffff, failed = 0xfffffffe;
    auto const* const steps = h.steps[exchange % halo_handle::phases];
    std::uint32_t at[halo_handle::most_streams]; // of thread 0
    std::uint32_t left = h.streams, now = 0;
    code how = code::ok;
    for (std::uint32_t s = 0; s < h.streams; ++s) at[s] = h.first[s];
    while (true) {
        std::uint32_t next = over;
        if (leads(g) && left != 0) {
            patience<P> wait{p, a, site::exchange, exchange};
            for (next = failed; next == failed && how == code::ok;) {
                for (std::uint32_t n = 0; n < h.streams && next == failed; ++n, now = (now + 1) % h.streams) {
                    if (at[now] == over) continue;
                    auto const& step = steps[at[now]];
                    if (step.trigger && p.template load_acquire<ordering::hear, scope::system>(*step.trigger) < step.due(exchange))
                        continue;
                    next = at[now];
                    at[now] = step.is_last ? over : next + 1;
                    left -= step.is_last ? 1 : 0;
                    if (!step.is_last) break; // the stream goes on
                }
                if (next == failed) how = wait.step(0, exchange);
            }
        }
        next = shared_by(g, next); // and so do the others
        if (next == over) return code::ok;
        if (next == failed) return scattered(p, g, how);
        copy_rows(g, steps[next]);
        // What all of them have copied is there before thread 0 says so.
        if (gathers_to_lead(p, g) && steps[next].signal)
            p.template store_release<ordering::raise, scope::system>(*steps[next].signal, steps[next].told(exchange));
    }
}

} // namespace detail

/// The exchange, by the threads of `g` themselves: those faces go directly into the memory of neighbours, or out of it, that can be
/// reached from here, others by way of memory that both reach; one word for each tells that it has come. `n` counts the exchanges
/// of this handle: 1, 2, 3, …; of a `buffered` array the first one is of what was now() when the handle was made, and each takes
/// the other half than the one before. One group of each rank at a time; blocks of a grid meet before and after it (grid().sync()).
/// \return ok: all threads of `g` see the halo. timeout, peer, aborted: as every wait of a kernel.
template <class G> [[nodiscard]] SODE_GPU code exchange(G const& g, device_handle const& ctx, halo_handle const& h, word n) {
    auto const p = detail::platform_of(g);
    code c = code::ok;
    if (h.by_manager)
        c = wait(g, ctx, start(g, ctx, h.plan));
    else {
        static_cast<void>(detail::gathers_to_lead(p, g));
        c = detail::take_steps(p, g, ctx.alarm, h, h.before + n);
    }
    if (c == code::ok && detail::leads(g) && h.made) p.store(*h.made, n);
    return c;
}

} // namespace sode::gmpi
