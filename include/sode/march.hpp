// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/cxx20.hpp>
#include <sode/detail/marching.hpp>
#include <sode/detail/step_check.hpp>

#include <sode/attach.hpp>
#include <sode/device_loop.hpp>
#include <sode/halo.hpp>

#include <concepts>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>

// reflection::march(): several time steps per exchange.

namespace sode {
namespace detail {

/// True for a field that the time steps change: a buffered array or a buffered bundle. False for a field that the time steps only
/// read.
template <class F>
concept changing = requires(F& f) {
    f.now();
    f.next();
    f.flip();
};

template <class F> auto now_of(F& f) {
    if constexpr (changing<F>)
        return std::tuple{f.now()};
    else
        return std::tuple<>{};
}
template <class F> auto next_of(F& f) {
    if constexpr (changing<F>)
        return std::tuple{f.next()};
    else
        return std::tuple<>{};
}
template <class Array> auto constant_view(Array const& a) {
    if constexpr (requires { a.view(); })
        return a.view();
    else
        return a.checked();
}
template <class F> auto constant_of(F& f) {
    if constexpr (changing<F>)
        return std::tuple<>{};
    else if constexpr (requires { f.array.halo(); })
        return std::tuple{constant_view(f.array)};
    else
        return std::tuple{constant_view(f)};
}
template <class F> void flip_if_changing(F& f) {
    if constexpr (changing<F>) f.flip();
}

template <class Step> inline constexpr char step_type = 0; // its address identifies the type of the step

/// Calls step(views …, number of the time step), or step(views …) if `step` has no parameter for the number.
template <class Step, class Views> auto body_of(Step const& step, Views const& views, index_t number) {
    return std::apply(
        [&](auto const&... v) {
            if constexpr (std::is_invocable_v<Step const&, decltype(v)...>)
                return step(v...);
            else
                return step(v..., number);
        },
        views);
}
template <class Step, class Views> struct takes_views : std::false_type {};
template <class Step, class... V>
struct takes_views<Step, std::tuple<V...>>
    : std::bool_constant<std::is_invocable_v<Step const&, V const&...> || std::is_invocable_v<Step const&, V const&..., index_t>> {
};

template <class... Fields>
using views_of = decltype(std::tuple_cat(now_of(std::declval<Fields&>())..., next_of(std::declval<Fields&>())...,
                                         constant_of(std::declval<Fields&>())...));

/// Checks at compile time that a march is valid. If the march is invalid, a static_assert explains the mistake.
template <class Step, class... Fields> constexpr bool marches() {
    constexpr bool some = (changing<std::remove_reference_t<Fields>> || ...);
    static_assert(some, "a march needs a field that changes: sode::buffered, sode::buffered_bundle or sode::attach_buffered");
    if constexpr (some) {
        constexpr bool fits = takes_views<Step, views_of<std::remove_reference_t<Fields>...>>::value;
        static_assert(fits,
                      "the step of a march must take now() of each field that changes, then next() of each of these fields, then a "
                      "view of each other array, and optionally the number of the step: [](auto a, auto b) for one field");
        return fits;
    } else {
        return false;
    }
}

/// Fills the ghost elements of one field between the time steps of a tile.
template <class T, int N> struct walled_halves {
    std::array<T*, 2> half; // addresses of the components in each half
    step_walls<T, N> walls;
};
template <int N, class F>
auto walls_around(marching const& m, std::size_t& field, tile_shape const& shape, box<N> const& owned, F& f) {
    if constexpr (changing<F>) {
        using element = typename F::value_type;
        return std::tuple{
            walled_halves<element, N>{{f.now().data_handle(), f.next().data_handle()}, {m.block(field++), shape, owned}}};
    } else {
        return std::tuple<>{};
    }
}

/// Runs one pass over the block: executes the time steps of `shape` in place.
template <int N, class Step, class... Fields>
void run_pass(marching& m, tile_shape const& shape, domain<N> const& where, Step const& step, index_t number, Fields&... fields) {
    std::array const views{std::tuple_cat(now_of(fields)..., next_of(fields)..., constant_of(fields)...),
                           std::tuple_cat(next_of(fields)..., now_of(fields)..., constant_of(fields)...)};
    std::size_t field = 0;
    // Braces guarantee that the fields are evaluated in order.
    std::tuple<decltype(walls_around<N>(m, field, shape, where.owned, fields))...> const walls_of_fields{
        walls_around<N>(m, field, shape, where.owned, fields)...};
    auto const walls = std::apply([](auto const&... each) { return std::tuple_cat(each...); }, walls_of_fields);
    tile_order<N> const order{shape, where.owned, where.global};
    auto const fill = [&](tile_part part, index_t s, box<N> const& window) {
        auto const there = order.held(part, s);
        if (there.empty()) return;
        auto const one = [&](auto const& w) {
            if (!w.walls.none()) w.walls.fill(w.half[static_cast<std::size_t>(s % 2)], there, window);
        };
        std::apply([&](auto const&... each) { (one(each), ...); }, walls);
    };
    index_t given = 0, awaited = 0; // steps
    auto const go_over = [&](tile_part part) {
        fill(part, 0, order.everything());
        order.for_each([&](index_t s, box<N> const& window) {
            if (awaited < s - 1 && order.awaits(s, window)) m.await(awaited = s - 1);
            auto body = body_of(step, views[static_cast<std::size_t>((s - 1) % 2)], number + s - 1);
            order.pieces(part, s, window, [&](box<N> const& piece) { detail::run(where, piece, body); });
            if (s < shape.steps) fill(part, s, window);
            if (given < s && order.gives(s, window)) m.give(given = s);
            if (part == tile_part::inner) m.get_on();
        });
    };
    if (shape.under_way == 0 && !shape.handed) return go_over(tile_part::all);
    try {
        go_over(shape.handed ? tile_part::all : tile_part::inner);
    } catch (...) {
        m.settle();
        throw;
    }
    if (shape.handed) return;
    m.arrive();
    go_over(tile_part::rest);
}

/// Executes one time step and checks the elements that its body reads and writes.
template <int N, class Step, class... Fields>
void run_watched(marching const& m, domain<N> const& where, Step const& step, index_t number, Fields&... fields) {
    std::array<checked_index_t, static_cast<std::size_t>(N)> at{};
    auto const within = [&]<class View>(View const& v, halo_source const& of, std::array<index_t, max_dims> const& lower,
                                        std::array<index_t, max_dims> const& upper, bool next) {
        return step_view<View, N>{v, {.at = &at, .lower = lower, .upper = upper, .shape = of.shape.get(), .next = next}};
    };
    std::size_t field = 0;
    auto const now = [&]<class F>(F& f) {
        if constexpr (changing<F>) {
            auto const& b = m.block(field++);
            return std::tuple{within(f.now(), f.halo(), b.lower, b.upper, false)};
        } else {
            return std::tuple<>{};
        }
    };
    auto const next = [&]<class F>(F& f) {
        if constexpr (changing<F>)
            return std::tuple{within(f.next(), f.halo(), {}, {}, true)};
        else
            return std::tuple<>{};
    };
    auto const constant = [&]<class F>(F& f) {
        if constexpr (changing<F>) {
            return std::tuple<>{};
        } else {
            auto const source = f.halo();
            return std::tuple{within(std::get<0>(constant_of(f)), source, source.lower, source.upper, false)};
        }
    };
    std::tuple<decltype(now(fields))...> const all_now{now(fields)...};
    auto const views = std::tuple_cat(std::apply([](auto const&... each) { return std::tuple_cat(each...); }, all_now),
                                      next(fields)..., constant(fields)...);
    if constexpr (takes_views<Step, std::remove_const_t<decltype(views)>>::value) {
        auto body = body_of(step, views, number);
        auto watched = [&](auto... i) {
            at = {static_cast<checked_index_t>(i)...};
            body(i...);
        };
        begin_loop<decltype(watched)>(where);
        where.for_each_box(where.part(), [&](box<N> const& b) { for_each_checked(*where.checks, b, watched); });
    } else {
        auto body = body_of(step, std::tuple_cat(now_of(fields)..., next_of(fields)..., constant_of(fields)...), number);
        begin_loop<decltype(body)>(where);
        run(where, where.part(), body);
    }
}

} // namespace detail

template <int N, class Step, class... Fields>
void reflection::take_steps(index_t steps, index_t number, domain<N> const& where, Step const& step, Fields&... fields) {
    std::size_t changes = 0, others = 0;
    constexpr std::size_t changing = (std::size_t{detail::changing<Fields>} + ... + 0);
    std::array<detail::halo_source, changing> change;
    std::array<detail::halo_source, sizeof...(Fields) - changing> constant;
    auto const sort = [&]<class F>(F& f) {
        if constexpr (detail::changing<F>)
            change[changes++] = f.halo();
        else
            constant[others++] = f.halo();
    };
    (sort(fields), ...);
    detail::march_terms terms{.step = &detail::step_type<Step>,
                              .dims = N,
                              .one_by_one = where.checks != nullptr || where.cyclic,
                              .threads = where.workers ? detail::count(*where.workers) : 1,
                              .changing = change,
                              .constant = constant};
    std::copy_n(where.global.lower.begin(), N, terms.lower.begin());
    std::copy_n(where.global.upper.begin(), N, terms.upper.begin());
    std::copy_n(where.owned.lower.begin(), N, terms.owned_lower.begin());
    std::copy_n(where.owned.upper.begin(), N, terms.owned_upper.begin());
    auto& how = marching_of(terms);
    how.begin(steps);
    for (index_t const end = number + steps; number < end;) {
        auto const& shape = how.next(end - number);
#ifndef SODE_NO_CHECKED_LOOPS
        if (where.checks) {
            (*this)();
            detail::run_watched(how, where, step, number, fields...);
        } else
#endif
        {
            if (shape.steps == 1)
                overlap(where, detail::body_of(step,
                                               std::tuple_cat(detail::now_of(fields)..., detail::next_of(fields)...,
                                                              detail::constant_of(fields)...),
                                               number));
            else
                detail::run_pass(how, shape, where, step, number, fields...);
        }
        for (index_t s = 0; s < shape.steps; ++s) (detail::flip_if_changing(fields), ...);
        number += shape.steps;
        how.done();
    }
}

template <int N, class Step, class... Fields>
void reflection::march(index_t steps, domain<N> const& where, Step step, Fields&&... fields) {
    if constexpr (detail::marches<Step, Fields...>()) take_steps(steps, 0, where, step, fields...);
}

template <int N, class Call, class Step, class... Fields>
void reflection::march(index_t steps, domain<N> const& where, every<Call> pause, Step step, Fields&&... fields) {
    if constexpr (detail::marches<Step, Fields...>())
        for (index_t t = 0; t < steps;) {
            auto const most = std::min(pause.steps > 0 ? pause.steps : steps, steps - t);
            take_steps(most, t, where, step, fields...);
            t += most;
            pause.call(t);
        }
}

template <int N, class Step, class... Fields>
void reflection::march(stream& in, index_t steps, domain<N> const& where, Step step, Fields&&... fields) {
    if constexpr (detail::marches<Step, Fields...>()) {
        require_on_device(std::array{fields.halo()...});
        for (index_t t = 0; t < steps; ++t) {
            enqueue(in);
            loop(in, where,
                 detail::body_of(
                     step, std::tuple_cat(detail::now_of(fields)..., detail::next_of(fields)..., detail::constant_of(fields)...),
                     t));
            (detail::flip_if_changing(fields), ...);
        }
    }
}

template <int N, class T, class Op, class Step, class... Fields>
T reflection::march_reduce(index_t steps, domain<N> const& where, T init, Op op, Step step, Fields&&... fields) {
    if constexpr (detail::marches<Step, Fields...>()) {
        if (steps <= 0) return init;
        take_steps(steps - 1, 0, where, step, fields...);
        auto const result = overlap_reduce(
            where, init, op,
            detail::body_of(step,
                            std::tuple_cat(detail::now_of(fields)..., detail::next_of(fields)..., detail::constant_of(fields)...),
                            steps - 1));
        (detail::flip_if_changing(fields), ...);
        return result;
    } else {
        return init;
    }
}

} // namespace sode
