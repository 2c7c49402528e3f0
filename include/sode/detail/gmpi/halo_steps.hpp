// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/gmpi/halo_crew.hpp>
#include <sode/detail/gmpi/planned.hpp>

#include <cstddef>

namespace sode::gmpi {

namespace detail {

/// The byte offsets of a row from the base addresses of the source and of the target.
struct halo_row {
    std::int64_t source = 0, target = 0;
};

/// One step of a planned exchange, executed by threads of a device. A step waits for the word `trigger`, copies rows, and then sets
/// the word `signal`.
struct halo_step {
    word const* trigger = nullptr;                ///< null: does not wait
    std::int64_t threshold = 0, trigger_step = 0; ///< minimum value of `trigger`, and its increase from one exchange to the next
    std::byte* target = nullptr;
    std::byte const* source = nullptr;
    halo_row const* rows = nullptr; ///< all rows have the same length
    word row_count = 0;
    word units = 0;         ///< units in a row
    std::uint32_t unit = 1; ///< bytes in a unit, 1 to 16; all rows are aligned to it
    bool is_last = false;   ///< this is the last step of its stream
    word* signal = nullptr; ///< null: sets no word
    std::int64_t value = 0, signal_step = 0;

    [[nodiscard]] SODE_GPU word due(word exchange) const {
        auto const least = threshold + static_cast<std::int64_t>(exchange) * trigger_step;
        return least > 0 ? static_cast<word>(least) : 0;
    }
    [[nodiscard]] SODE_GPU word told(word exchange) const {
        return static_cast<word>(value + static_cast<std::int64_t>(exchange) * signal_step);
    }
};

/// The widest unit: one load and one store of a thread.
struct alignas(16) wide_unit {
    word half[2];
};

/// Copies the rows of a step. The threads of the crew divide the units among themselves. Each thread loads several units before the
/// first store. Otherwise, each store would wait for one load.
template <class Unit, class Crew> SODE_GPU void copy_rows(Crew const& c, halo_step const& s) {
    constexpr int together = 4;
    word const all = s.row_count * s.units, size = c.size();
    word n = c.rank();
    auto const place = [&s](word unit, std::int64_t halo_row::*side) {
        return s.rows[unit / s.units].*side + static_cast<std::int64_t>(unit % s.units * sizeof(Unit));
    };
    for (; n + (together - 1) * size < all; n += together * size) {
        Unit loaded[together];
        for (int i = 0; i < together; ++i)
            loaded[i] = *reinterpret_cast<Unit const*>(s.source + place(n + static_cast<word>(i) * size, &halo_row::source));
        for (int i = 0; i < together; ++i)
            *reinterpret_cast<Unit*>(s.target + place(n + static_cast<word>(i) * size, &halo_row::target)) = loaded[i];
    }
    for (; n < all; n += size)
        *reinterpret_cast<Unit*>(s.target + place(n, &halo_row::target)) =
            *reinterpret_cast<Unit const*>(s.source + place(n, &halo_row::source));
}
template <class Crew> SODE_GPU void copy_rows(Crew const& c, halo_step const& s) {
    switch (s.unit) {
    case 16: return copy_rows<wide_unit>(c, s);
    case 8: return copy_rows<std::uint64_t>(c, s);
    case 4: return copy_rows<std::uint32_t>(c, s);
    case 2: return copy_rows<std::uint16_t>(c, s);
    default: return copy_rows<std::uint8_t>(c, s);
    }
}

} // namespace detail

/// A halo exchange for use within a kernel: context::device_handle(halo).
struct halo_handle {
    static constexpr std::uint32_t most_streams = 128, phases = 4;

    detail::halo_step const* steps[phases] = {}; ///< steps of all streams; exchange n uses entry n modulo `phases`
    std::uint32_t const* first = nullptr;        ///< index of the first step of each stream
    std::uint32_t streams = 0;
    std::uint32_t step_count = 0; ///< steps of all streams together
    word* counts = nullptr; ///< counters of blocks, if a whole grid exchanges: one for each step, then grid_count; device memory
    word before = 0;        ///< number of exchanges before this kernel
    word* made = nullptr;   ///< the kernel stores the number of its exchanges here; the host reads it
    static constexpr std::uint32_t timed_exchanges = 64;
    word* times = nullptr;   ///< mapped memory: the times at which the steps of the last exchanges began and ended; null: not
                             ///< recorded
    bool by_manager = false; ///< the exchange needs messages: the kernel starts it, and the host executes it
    plan_number plan;        ///< number of the plan, if by_manager

    /// The times at which a step of an exchange began and ended.
    [[nodiscard]] SODE_GPU word* times_of(word exchange, std::uint32_t step) const {
        return times + 2 * (exchange % timed_exchanges * step_count + step);
    }
};

namespace detail {

/// The counters of the blocks of a grid, in addition to the counters of steps.
enum grid_count : std::uint32_t { entered, has_run, how_it_went, grid_counts };

/// Executes the steps of one exchange: thread 0 of each group finds a stream whose next step need not wait, and the group executes
/// its share of this step. The next step of a stream waits until the whole crew has completed the step before it.
template <class P, class G, class Crew>
SODE_GPU code take_steps(P const& p, G const& g, Crew const& crew, alarm const& a, halo_handle const& h, word exchange) {
    constexpr std::uint32_t over = 0xffffffff, failed = 0xfffffffe;
    auto const* const steps = h.steps[exchange % halo_handle::phases];
    std::uint32_t at[halo_handle::most_streams]; // next step of each stream; used by thread 0 only
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
                    if (!crew.is_done(at[now] == h.first[now] ? h.step_count + entered : at[now] - 1)) continue;
                    if (step.trigger && p.template load_acquire<ordering::hear, scope::system>(*step.trigger) < step.due(exchange))
                        continue;
                    next = at[now];
                    at[now] = step.is_last ? over : next + 1;
                    left -= step.is_last ? 1 : 0;
                    if (!step.is_last) break; // the stream has more steps
                }
                if (next == failed) how = wait.step(0, exchange);
            }
        }
        next = shared_by(g, next); // the other threads get the same step
        if (next == over) break;
        if (next == failed) return scattered(p, g, how);
        if (h.times && crew.rank() == 0) p.store(h.times_of(exchange, next)[0], p.now());
        copy_rows(crew, steps[next]);
        // The copies of all threads are visible before one thread sets the signal.
        bool const speaks = crew.speaks_for_all(next);
        if (h.times && speaks) p.store(h.times_of(exchange, next)[1], p.now());
        if (speaks && steps[next].signal)
            p.template store_release<ordering::raise, scope::system>(*steps[next].signal, steps[next].told(exchange));
    }
    patience<P> wait{p, a, site::exchange, exchange};
    for (std::uint32_t i = 0; leads(g) && how == code::ok && i < h.step_count;)
        if (crew.is_done(i))
            ++i;
        else
            how = wait.step(i, exchange);
    return scattered(p, g, how);
}

/// Waits until the whole grid has completed `step`.
template <class P, class G, class Crew>
[[nodiscard]] SODE_GPU code await_crew(P const& p, G const& g, Crew const& crew, alarm const& a, std::uint32_t step) {
    patience<P> wait{p, a, site::exchange, step};
    code how = code::ok;
    while (leads(g) && how == code::ok && !crew.is_done(step)) how = wait.step(0, step);
    return scattered(p, g, how);
}

/// When all blocks have arrived, block 0 lets the host execute the exchange. Then all blocks get the result.
template <class P, class G, class Crew>
SODE_GPU code run_by_manager(P const& p, G const& g, Crew const& crew, device_handle const& ctx, halo_handle const& h) {
    std::uint32_t const came = h.step_count + entered, ran = h.step_count + has_run;
    word& result = h.counts[h.step_count + how_it_went];
    code c = await_crew(p, g, crew, ctx.alarm, came);
    if (c != code::ok) return c;
    if (crew.rank() < g.size()) { // block 0
        c = wait(g, ctx, start(g, ctx, h.plan));
        if (leads(g)) p.store_device(result, static_cast<word>(c));
    }
    static_cast<void>(crew.speaks_for_all(ran));
    if (c = await_crew(p, g, crew, ctx.alarm, ran); c != code::ok) return c;
    return scattered(p, g, leads(g) ? static_cast<code>(p.load_device(result)) : code::ok);
}

} // namespace detail

/// Performs a halo exchange with the threads of `g`. If devices can access each other's memory, faces are stored or loaded there
/// directly. Other faces are copied through memory that both ranks can access. A word for each face signals that the face has
/// arrived. `n` is the number of the exchange with this handle: 1, 2, 3, … For a `buffered` array, exchange 1 uses the buffer that
/// was now() when the handle was created; after that, exchanges use the two buffers alternately. Only one group of each rank at a
/// time may make this call. If a kernel has several blocks, synchronise them before and after the call (grid().sync()).
/// \return ok: all threads of `g` see the updated halo. timeout, peer, aborted: as for every wait in a kernel.
template <class G> [[nodiscard]] SODE_GPU code exchange(G const& g, device_handle const& ctx, halo_handle const& h, word n) {
    auto const p = detail::platform_of(g);
    code c = code::ok;
    if (h.by_manager)
        c = wait(g, ctx, start(g, ctx, h.plan));
    else {
        static_cast<void>(detail::gathers_to_lead(p, g));
        c = detail::take_steps(p, g, detail::lone_group{p, g}, ctx.alarm, h, h.before + n);
    }
    if (c == code::ok && detail::leads(g) && h.made) p.store(*h.made, n);
    return c;
}

/// The exchange with all blocks of the grid: every thread makes the call, and passes the kernel's first argument. The blocks divide
/// the elements of each face among themselves. The last block that has copied its share signals the neighbour. The call
/// synchronises the grid: it begins when all blocks have arrived, and returns when all threads see the updated halo. No
/// grid().sync() is needed before or after the call. All exchanges with a handle must use the whole grid, or none of them.
template <class Thread>
requires requires(Thread const& t) {
    t.block(), t.block_rank(), t.blocks();
}
[[nodiscard]] SODE_GPU code exchange(Thread const& t, device_handle const& ctx, halo_handle const& h, word n) {
    auto const g = t.block();
    auto const p = detail::platform_of(g);
    if (!h.counts) return code::ok; // this rank does not take part
    detail::whole_grid const crew{p, g, t.block_rank(), t.blocks(), h.counts, n};
    static_cast<void>(crew.speaks_for_all(h.step_count + detail::entered));
    code const c =
        h.by_manager ? detail::run_by_manager(p, g, crew, ctx, h) : detail::take_steps(p, g, crew, ctx.alarm, h, h.before + n);
    if (c == code::ok && t.block_rank() == 0 && detail::leads(g) && h.made) p.store(*h.made, n);
    return c;
}

} // namespace sode::gmpi
