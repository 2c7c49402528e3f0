// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/loop.hpp>

#include <array>
#include <concepts>
#include <type_traits>
#include <utility>

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpass-failed"
#pragma clang diagnostic ignored "-Wunknown-attributes"
#endif

namespace sode::detail {

/// The number of partial results of a sum. Element k of a row is added to partial result k mod 8; the last 4, 2 and 1 elements, if
/// the row does not end with a whole 8, begin at partial result 0 again. With only one partial result, each addition would wait for
/// the previous addition, because the compiler must not reorder floating-point sums.
inline constexpr std::size_t lanes = 8;

/// True if the operation has a known neutral element. Each partial result can start with the neutral element.
template <class Op, class R>
concept has_identity = requires {
    { Op::template identity<R>() } -> std::convertible_to<R>;
};

#if defined(__clang__)

/// True if clang first computes the values of a loop's chunk, and then their sums. In one loop, clang does not vectorise a body
/// that also stores: it unrolls the loop over the partial results, and must then assume that a store changes what the next element
/// reads. A loop over the values alone stays a loop until it is vectorised. For values as wide as the sum, keeping them costs more
/// than a body without stores gains.
template <class R, class Value>
concept values_first = std::is_arithmetic_v<R> && std::is_arithmetic_v<Value> && sizeof(Value) < sizeof(R);

/// The number of elements in a chunk of a row, a multiple of `lanes`.
template <class R, class Value> inline constexpr std::size_t elements_at_once = values_first<R, Value> ? 2 * lanes : lanes;

// flatten: at -O2 clang would call a long body, and vectorise nothing
template <std::size_t L, class R, class Op, class Body, class... Outer>
[[gnu::always_inline, gnu::flatten]] inline void accumulate_lanes(R* partial, index_t at, Op& op, Body& body, Outer... outer) {
    using value = std::remove_cvref_t<decltype(body(outer..., at))>;
    if constexpr (values_first<R, value>) {
        alignas(64) value values[L];
#pragma clang loop vectorize(assume_safety) vectorize_width(L) unroll(disable)
        for (std::size_t l = 0; l < L; ++l) values[l] = body(outer..., at + static_cast<index_t>(l));
#pragma clang loop unroll(full)
        for (std::size_t l = 0; l < L; ++l) partial[l % lanes] = op(partial[l % lanes], static_cast<R>(values[l]));
    } else {
#pragma clang loop vectorize(assume_safety)
        for (std::size_t l = 0; l < L; ++l)
            partial[l] = op(partial[l], static_cast<R>(body(outer..., at + static_cast<index_t>(l))));
    }
}

#else

template <class R, class Value> inline constexpr std::size_t elements_at_once = lanes;

template <std::size_t L, class R, class Op, class Body, class... Outer>
[[gnu::always_inline]] inline void accumulate_lanes(R* partial, index_t at, Op& op, Body& body, Outer... outer) {
#pragma GCC ivdep
    for (std::size_t l = 0; l < L; ++l) partial[l] = op(partial[l], static_cast<R>(body(outer..., at + static_cast<index_t>(l))));
}

#endif

/// Accumulates fewer than 2 L elements. The code contains no loop, because the compiler would vectorise a loop.
template <std::size_t L, class R, class Op, class Body, class... Outer>
[[gnu::always_inline]] inline void accumulate_rest(R* partial, index_t at, index_t upper, Op& op, Body& body, Outer... outer) {
    if (at + static_cast<index_t>(L) <= upper) {
        accumulate_lanes<L>(partial, at, op, body, outer...);
        at += static_cast<index_t>(L);
    }
    if constexpr (L > 1) accumulate_rest<L / 2>(partial, at, upper, op, body, outer...);
}

template <int N, class R, class Op, class Body, class... Outer>
[[gnu::always_inline]] inline void accumulate_nest(box<N> const& b, R* partial, Op& op, Body& body, Outer... outer) {
    constexpr std::size_t d = sizeof...(Outer);
    if constexpr (d + 1 == N) {
        index_t i = b.lower[d];
        index_t const upper = b.upper[d];
        constexpr std::size_t chunk = elements_at_once<R, std::remove_cvref_t<decltype(body(outer..., i))>>;
        // compared with i itself: g++ would add to i for the comparison, and needs the register
        index_t const last = upper - static_cast<index_t>(chunk);
        for (; i <= last; i += static_cast<index_t>(chunk)) accumulate_lanes<chunk>(partial, i, op, body, outer...);
        accumulate_rest<chunk / 2>(partial, i, upper, op, body, outer...);
    } else {
        for (index_t i = b.lower[d]; i < b.upper[d]; ++i) accumulate_nest<N>(b, partial, op, body, outer..., i);
    }
}

template <int N, class R, class Op, class Body>
[[gnu::noinline, gnu::flatten, gnu::noclone]] R accumulate_in_lanes(box<N> const b, R const init, Op op, Body body) {
    std::array<R, lanes> partial;
    partial.fill(Op::template identity<R>());
    accumulate_nest<N>(b, partial.data(), op, body);
    for (std::size_t half = lanes / 2; half > 0; half /= 2)
        for (std::size_t l = 0; l < half; ++l) partial[l] = op(partial[l], partial[l + half]);
    return op(init, partial[0]);
}

/// Distributes accumulate() over the rank's threads. The results of the threads are always combined in thread order.
template <int N, class R, class Op, class Body>
[[nodiscard]] R accumulate_shared(worker_threads* workers, box<N> const& b, R init, Op op, Body const& body) {
    if (workers == nullptr) [[likely]]
        return accumulate_in_lanes<N, R, Op, Body>(b, init, op, body);
    struct alignas(64) result {
        R value;
    };
    std::array<result, most_threads> of;
    of.fill({Op::template identity<R>()});
    share_out(workers, b, [&](box<N> const& mine, int k) {
        auto& value = of[static_cast<std::size_t>(k)].value;
        value = accumulate_in_lanes<N, R, Op, Body>(mine, value, op, body);
    });
    for (int k = 0; k < count(*workers); ++k) init = op(init, of[static_cast<std::size_t>(k)].value);
    return init;
}

/// Accumulates one piece of a loop. Call begin_loop() for the whole loop first.
template <int N, class R, class Op, class Body>
[[nodiscard]] R accumulate_piece(domain<N> const& where, box<N> const& part, R init, Op op, Body body) {
    if (part.empty()) return init;
    auto const in_order = [&](auto... at) { init = op(init, static_cast<R>(body(at...))); };
#ifndef SODE_NO_CHECKED_LOOPS
    if constexpr (checkable<Body>)
        if (where.checks) [[unlikely]] {
            where.for_each_box(part, [&](box<N> const& b) { for_each_checked(*where.checks, b, in_order); });
            return init;
        }
#endif
    where.for_each_box(part, [&](box<N> const& b) {
        if constexpr (has_identity<Op, R>)
            init = accumulate_shared(where.workers, b, init, op, body);
        else
            for_each_in_order<index_t>(b, in_order);
    });
    return init;
}

/// Computes op(… op(op(init, body(first)), body(second)) …) over this rank's indices in `part`, without communication. reduce()
/// first calls accumulate(). The value `init` enters the result exactly once. If Op has a static `identity<R>()`, the order in
/// which values are combined depends only on the number of threads. Without `identity<R>()`, the values are combined in loop order.
///
/// The iterations must be independent. SODE_CHECK=halo checks the iterations as in loop().
template <int N, class R, class Op, class Body>
[[nodiscard]] R accumulate(domain<N> const& where, box<N> const& part, R init, Op op, Body body) {
    begin_loop<Body>(where);
    return accumulate_piece(where, part, init, op, std::move(body));
}

} // namespace sode::detail

#if defined(__clang__)
#pragma clang diagnostic pop
#endif
