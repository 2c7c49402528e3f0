// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/accumulate.hpp>
#include <sode/domain.hpp>
#include <sode/element_code.hpp>
#include <sode/types.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace sode {

/// Reduction operators, to be passed to reduce() and reflection::overlap_reduce(). Each is a function object for two values of one
/// arithmetic type, and has the value that changes nothing.
namespace detail {

struct sum_op {
    static constexpr std::uint8_t code = 0;
    template <class T> [[nodiscard]] static constexpr T identity() noexcept { return T{0}; }
    template <class T> constexpr T operator()(T a, T b) const noexcept { return static_cast<T>(a + b); }
};
struct product_op {
    static constexpr std::uint8_t code = 1;
    template <class T> [[nodiscard]] static constexpr T identity() noexcept { return T{1}; }
    template <class T> constexpr T operator()(T a, T b) const noexcept { return static_cast<T>(a * b); }
};
struct max_op {
    static constexpr std::uint8_t code = 2;
    template <class T> [[nodiscard]] static constexpr T identity() noexcept {
        return std::numeric_limits<T>::has_infinity ? static_cast<T>(-std::numeric_limits<T>::infinity())
                                                    : std::numeric_limits<T>::lowest();
    }
    template <class T> constexpr T operator()(T a, T b) const noexcept { return a < b ? b : a; }
};
struct min_op {
    static constexpr std::uint8_t code = 3;
    template <class T> [[nodiscard]] static constexpr T identity() noexcept {
        return std::numeric_limits<T>::has_infinity ? std::numeric_limits<T>::infinity() : std::numeric_limits<T>::max();
    }
    template <class T> constexpr T operator()(T a, T b) const noexcept { return b < a ? b : a; }
};

/// One of the four above.
template <class Op>
inline constexpr bool is_reduction =
    std::is_same_v<Op, sum_op> || std::is_same_v<Op, product_op> || std::is_same_v<Op, max_op> || std::is_same_v<Op, min_op>;

/// Combines `bytes` of elements of all ranks in place; the same bits on every rank. `op` and `type` as in src/engine/combine.hpp.
void allreduce(job& j, void* data, std::size_t bytes, std::uint8_t op, std::uint8_t type);

template <class T> [[nodiscard]] constexpr std::uint8_t element_code() noexcept {
    static_assert(code_of<T>() != no_number, "ranks reduce numbers of up to 8 bytes");
    return code_of<T>();
}

template <class T, class Op> [[nodiscard]] T allreduce(job& j, T value, Op) {
    allreduce(j, &value, sizeof value, Op::code, element_code<T>());
    return value;
}

} // namespace detail

inline constexpr detail::sum_op sum{};
inline constexpr detail::product_op product{};
inline constexpr detail::max_op max{};
inline constexpr detail::min_op min{};

/// `init` combined by `op` with `body(i, j, …)` for every index of `where`, over all ranks. `init` enters once; its type is the
/// type of the result and of the accumulation. Every rank gets the same bits. Sums of floating-point numbers depend, in their last
/// digits, on the number of ranks; maxima and minima do not.
///
///     auto const r = sode::reduce(g.inner(), 0.0, sode::max, [=](auto i, auto j) { return std::abs(a(i, j) - b(i, j)); });
///
/// Collective. Cost: the loop, and one exchange of a cache line with every rank of the node.
/// Errors: peer, timeout.
template <int N, class T, class Op, class Body> [[nodiscard]] T reduce(domain<N> const& where, T init, Op op, Body body) {
    T const mine = detail::accumulate(where, where.local(), Op::template identity<T>(), op, body);
    return op(init, detail::allreduce(*where.job, mine, op));
}

} // namespace sode
