// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interpose/collective/repeated_call.hpp"
#include "plan/reduction.hpp"

namespace sode::internal::interpose {

/// Whether the bits of a result can differ with who carries the call, as floating-point numbers are rounded in the order in which
/// they are combined. No time that was measured may decide about such a call. The sum of two numbers has one order.
[[nodiscard]] constexpr bool shows_who_carries(repeated_call const& call, int ranks) noexcept {
    using enum planned_function;
    if (call.what < reduce || call.what > exscan) return false;
    auto const type = element_of(call.combiner);
    bool const exact = (type >= element::i8 && type <= element::u64) || type == element::boolean;
    if (exact) return false;
    auto const how = operation_of(call.combiner);
    bool const real = type == element::f32 || type == element::f64;
    bool const complex = type == element::c64 || type == element::c128;
    bool const one_order = (how == reduction::sum && (real || complex)) || (how == reduction::product && real);
    return ranks > 2 || !one_order;
}

/// Longer ones of these are MPI's.
inline constexpr std::int64_t longest_untried = 64 << 10;

} // namespace sode::internal::interpose
