// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/check.hpp>

#include <type_traits>

// Checked loops call bodies with indices of another integer type than index_t. With two integer types, a function that deduces one
// type from two arguments, such as std::max(i, n), does not compile, although the loop is correct. This header contains overloads
// for exactly this combination of types, for functions that are common in loop bodies. The overloads are never chosen for other
// calls.

#ifndef SODE_NO_CHECKED_LOOPS
namespace sode::detail {

/// True if all types are index_t or checked_index_t, and not all are the same.
template <class A, class... Others>
concept mixed_indices = (std::is_same_v<A, index_t> ||
                         std::is_same_v<A, checked_index_t>)&&((std::is_same_v<Others, index_t> ||
                                                                std::is_same_v<Others, checked_index_t>)&&...) &&
                        !(std::is_same_v<A, Others> && ...);

} // namespace sode::detail

namespace std { // NOLINT(cert-dcl58-cpp): the only place where qualified calls look
template <class A, class B>
requires sode::detail::mixed_indices<A, B>
[[nodiscard]] constexpr sode::detail::checked_index_t max(A a, B b) noexcept {
    return a < b ? b : a;
}
template <class A, class B>
requires sode::detail::mixed_indices<A, B>
[[nodiscard]] constexpr sode::detail::checked_index_t min(A a, B b) noexcept {
    return b < a ? b : a;
}
template <class I, class Low, class High>
requires sode::detail::mixed_indices<I, Low, High>
[[nodiscard]] constexpr sode::detail::checked_index_t clamp(I i, Low low, High high) noexcept {
    return i < low ? low : high < i ? high : i;
}
} // namespace std
#endif
