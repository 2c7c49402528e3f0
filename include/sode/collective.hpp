// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/api.hpp>
#include <sode/detail/cxx20.hpp>

#include <sode/accumulate.hpp>
#include <sode/detail/reductions.hpp>
#include <sode/domain.hpp>
#include <sode/types.hpp>

#include <array>
#include <cstddef>
#include <span>
#include <type_traits>

namespace sode {

namespace detail {

/// The box of global indices that a reduction covers. The box must be equal on all ranks.
struct reduced_range {
    int dims = 0; ///< 0: unknown
    index_t const* lower = nullptr;
    index_t const* upper = nullptr;
};

/// Combines `data` from all ranks in place, part by part. The result is bitwise identical on all ranks. All ranks must pass the
/// same parts. With SODE_CHECK=collective, all ranks throw a usage error if `over` differs between ranks. Throws a peer error if
/// another rank dies or leaves the job, and a timeout error after SODE_TIMEOUT seconds.
SODE_API void allreduce(job& j, void* data, std::span<combined_part const> parts, reduced_range over = {});

template <int N, class T, class Combining> [[nodiscard]] T allreduced(job& j, T value, Combining, box<N> const& over) {
    std::array<std::byte, Combining::bytes> packed;
    Combining::pack(value, packed.data());
    allreduce(j, packed.data(), Combining::parts(), {N, over.lower.data(), over.upper.data()});
    Combining::unpack(value, packed.data());
    return value;
}

/// Checks at compile time that a reduction is valid. If the reduction is invalid, a static_assert explains the mistake.
template <int N, class T, class Op, class Body> constexpr bool reduces() {
    if constexpr (names_operations<Op>() && takes_indices<N, Body>()) {
        using result = typename called<Body, std::make_index_sequence<static_cast<std::size_t>(N)>>::result::type;
        static_assert(!std::is_void_v<result>,
                      "the body of a reduction must return the value to combine, but this body returns nothing");
        static_assert(std::is_void_v<result> || std::is_convertible_v<result, T>,
                      "the return type of the body of a reduction must be convertible to the type of the initial value");
        return std::is_convertible_v<result, T>;
    } else {
        return false;
    }
}

} // namespace detail

/// Reduction operations, passed as arguments to reduce(), reflection::overlap_reduce() and reverse(). The reduction operations are
/// declared as functions, so that a program may use both namespaces, sode and std. In a program with `using namespace sode` and
/// `using namespace std`, the call `max(a, b)` still means std::max.
constexpr detail::sum_op sum(detail::names_an_operation) noexcept {
    return {};
}
constexpr detail::product_op product(detail::names_an_operation) noexcept {
    return {};
}
constexpr detail::max_op max(detail::names_an_operation) noexcept {
    return {};
}
constexpr detail::min_op min(detail::names_an_operation) noexcept {
    return {};
}
/// Bitwise reduction operations for integers and bool.
constexpr detail::band_op band(detail::names_an_operation) noexcept {
    return {};
}
constexpr detail::bor_op bor(detail::names_an_operation) noexcept {
    return {};
}
constexpr detail::bxor_op bxor(detail::names_an_operation) noexcept {
    return {};
}
/// Logical reduction operations. The value 0 is false, and every other value is true. The result is 0 or 1.
constexpr detail::land_op land(detail::names_an_operation) noexcept {
    return {};
}
constexpr detail::lor_op lor(detail::names_an_operation) noexcept {
    return {};
}
constexpr detail::lxor_op lxor(detail::names_an_operation) noexcept {
    return {};
}

/// Combines `init` with `body(i, j, …)` for every index in `where` on all ranks, by the operation `op`. The value `init` enters the
/// result exactly once. The type of `init` is also the type of the accumulated values and of the result. The result is bitwise
/// identical on all ranks. The rounding of floating-point sums depends on the number of ranks and threads (SODE_THREADS). Maxima
/// and minima are exact.
///
///     auto const r = sode::reduce(g.inner(), 0.0, sode::max, [=](auto i, auto j) { return std::abs(a(i, j) - b(i, j)); });
///
/// One loop and one exchange can compute several results. A std::array uses one operation for all its values. A std::tuple uses one
/// operation for all its values, or `operations` with one operation for each value. The body returns the type of `init`:
///
///     auto const [mass, fastest] = sode::reduce(g.all(), std::tuple{0.0, 0.0f}, sode::operations{sode::sum, sode::max},
///                                               [=](auto i, auto j) { return std::tuple{h(i, j), std::abs(u(i, j))}; });
///
/// \param init  a number (integer, floating-point, _Float16, std::complex), a bool, a `located` value, or a std::array or
///              std::tuple of these types
/// \param op    sum, product, max, min, band, bor, bxor, land, lor or lxor, if defined for the type (complex numbers have no
///              order); for a tuple also operations{…}, with one operation for each value
///
/// reduce() is collective. The cost is the loop, and one exchange of a cache line with every rank on the machine. Long values need
/// more than one cache line. With SODE_CHECK=collective, reduce() throws a usage error if ranks reduce over different index spaces,
/// or if ranks are deadlocked. Throws a peer error if another rank dies or leaves the job, and a timeout error after SODE_TIMEOUT
/// seconds.
template <int N, class T, class Op, class Body>
[[nodiscard]] T reduce(domain<N> const& where, T init, [[maybe_unused]] Op op, Body body) {
    if constexpr (detail::reduces<N, T, Op, Body>()) {
        using combining = detail::combining<T, detail::operation_of<Op>>;
        T const mine = detail::accumulate(where, where.part(), combining::template identity<T>(), combining{}, body);
        return combining{}(init, detail::allreduced(*where.job, mine, combining{}, where.global));
    } else {
        return init;
    }
}

} // namespace sode
