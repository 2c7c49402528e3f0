// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/cxx20.hpp>

#include <sode/check.hpp>
#include <sode/detail/mixed_integers.hpp>
#include <sode/detail/worker_threads.hpp>
#include <sode/domain.hpp>

#include <type_traits>
#include <utility>

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpass-failed"        // a body that cannot be vectorised is no mistake
#pragma clang diagnostic ignored "-Wunknown-attributes" // noclone
#endif

namespace sode {
namespace detail {

/// The innermost loop of independent iterations, unrolled by hand, because g++ does not unroll the loop. A stencil reads many rows,
/// and unrolled iterations share the computation of addresses.
template <class Body, class... Outer>
[[gnu::always_inline]] inline void independent_row(index_t lower, index_t upper, Body& body, Outer... outer) {
#if defined(__clang__)
#pragma clang loop vectorize(assume_safety)
#elif !defined(__CUDACC__)
#pragma GCC ivdep
#pragma GCC unroll 4
#endif
    for (index_t i = lower; i < upper; ++i) body(outer..., i);
}

template <int N, class Body, class... Outer>
[[gnu::always_inline]] inline void independent_nest(box<N> const& b, Body& body, Outer... outer) {
    constexpr std::size_t d = sizeof...(Outer);
    if constexpr (d + 1 == N)
        independent_row(b.lower[d], b.upper[d], body, outer...);
    else
        for (index_t i = b.lower[d]; i < b.upper[d]; ++i) independent_nest(b, body, outer..., i);
}

/// Calls body(i, j, …) for each index of `b`.
///
/// for_each() is a separate function into which all calls are inlined. The speed of a loop does not depend on the code that
/// surrounds the call of for_each(). The attribute `noclone` is necessary, because g++ drops `flatten` from clones. The body is
/// passed by value, so captured variables are local. Stores through a view cannot change captured variables.
template <int N, class Body> [[gnu::noinline, gnu::flatten, gnu::noclone]] void for_each(box<N> const b, Body body) {
    independent_nest(b, body);
}

/// Like for_each(), but executes the iterations in row-major order, with indices of type `Index`.
template <class Index, int N, class Body, class... Outer> void for_each_in_order(box<N> const& b, Body& body, Outer... outer) {
    constexpr std::size_t d = sizeof...(Outer);
    for (auto i = static_cast<Index>(b.lower[d]); i < static_cast<Index>(b.upper[d]); ++i) {
        if constexpr (d + 1 == N)
            body(outer..., i);
        else
            for_each_in_order<Index>(b, body, outer..., i);
    }
}

/// Determines whether `body(i, j, …)` can be called with N indices, and determines the result type of the call.
template <class Body, class Dims> struct called;
template <class Body, std::size_t... D> struct called<Body, std::index_sequence<D...>> {
    template <std::size_t> struct each { // not an alias, because nvcc would lose the pack
        using type = index_t&;
    };
    static constexpr bool valid = std::is_invocable_v<Body&, typename each<D>::type...>;
    using result = std::invoke_result<Body&, typename each<D>::type...>;
};
template <int N, class Body> constexpr bool takes_indices() {
    constexpr bool valid = called<Body, std::make_index_sequence<static_cast<std::size_t>(N)>>::valid;
    static_assert(valid, "a loop body must take one index for each dimension of the loop's range: [=](auto i, auto j) for two");
    return valid;
}

/// A loop with checks, which notifies the watch list at the end of each iteration.
template <int N, class Body> void for_each_checked(watch_list& checks, box<N> const& b, Body& body) {
    auto const iteration = [&](auto... at) {
        body(at...);
        checks.end_iteration();
    };
    for_each_in_order<checked_index_t>(b, iteration);
}

/// True if the loop body can be checked. Only a generic loop body, with a template as its operator(), can be checked.
template <class Body> inline constexpr bool checkable = std::is_class_v<Body> && !requires {
    &Body::operator();
};

/// Begins a checked loop. Call begin_loop() only once for all pieces of a loop; otherwise a write in one piece would make the halo
/// stale for later pieces.
template <class Body, int N> void begin_loop(domain<N> const& where) {
#ifndef SODE_NO_CHECKED_LOOPS
    if (where.checks) [[unlikely]] {
        if constexpr (checkable<Body>)
            where.checks->begin_loop();
        else
            where.checks->warn_unchecked();
    }
#endif
}

/// Runs `body` over this rank's indices in `part`, which is one piece of a loop.
template <int N, class Body> void run(domain<N> const& where, box<N> const& part, Body& body) {
#ifndef SODE_NO_CHECKED_LOOPS
    if constexpr (checkable<Body>)
        if (where.checks) [[unlikely]]
            return where.for_each_box(part, [&](box<N> const& b) { for_each_checked(*where.checks, b, body); });
#endif
    if (part.empty()) return;
    where.for_each_box(part, [&](box<N> const& b) {
        share_out(where.workers, b, [&](box<N> const& mine, int) { for_each<N, Body>(mine, body); });
    });
}

} // namespace detail

/// Calls `body(i, j, …)` once for each global index of `d` that this rank owns, in row-major order. Along a cyclic dimension, the
/// loop proceeds chunk by chunk.
///
/// The iterations must be independent: an iteration must not read an element that another iteration writes. An iteration must not
/// write to variables outside the body, for example through `[&]`. For sums, use reduce(). Because iterations are independent, the
/// compiler can vectorise the innermost loop. With SODE_THREADS, the threads of the rank share the iterations, each thread with its
/// own copy of the body.
///
/// A body with generic parameters (`[=](auto i, auto j)`) is also compiled for `long long` indices. With SODE_CHECK=halo, the
/// version for `long long` runs and checks every access. Both versions of the body may call `std::max(i, n)`, `std::min` and
/// `std::clamp` with an index_t n. If the body passes indices to other functions that require two arguments of the same type,
/// define SODE_NO_CHECKED_LOOPS before you include this header. With SODE_CHECK=halo, a body that is not generic runs unchecked,
/// and the library prints a warning once.
///
/// With SODE_CHECK=halo, loop() throws a usage error if an iteration reads an element of another rank, a stale halo element, or an
/// element outside the array that was never filled.
template <int N, class Body> void loop(domain<N> const& d, Body body) {
    if constexpr (detail::takes_indices<N, Body>()) {
        detail::begin_loop<Body>(d);
        detail::run(d, d.part(), body);
    }
}

} // namespace sode

#if defined(__clang__)
#pragma clang diagnostic pop
#endif
