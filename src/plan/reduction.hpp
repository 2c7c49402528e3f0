// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "plan/element.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace sode::internal {

/// How two elements become one. The values are those of detail::sum_op::code, … (include/sode/detail/reductions.hpp).
enum class reduction : std::uint8_t {
    sum,
    product,
    max, ///< with a location: the first of the largest, and where it is
    min,
    bit_and,
    bit_or,
    bit_xor,
    logical_and, ///< of numbers: 0 is false, all others are true; the result is 0 or 1
    logical_or,
    logical_xor,
};
inline constexpr std::size_t reduction_count = static_cast<std::size_t>(reduction::logical_xor) + 1;
[[nodiscard]] std::string_view to_string(reduction op) noexcept;

/// Whether elements can be combined so: complex numbers have no order, floating-point numbers no bits, only orders know locations.
[[nodiscard]] bool combines(reduction op, element type) noexcept;

/// What a `reduce` descriptor's `argument` says.
[[nodiscard]] constexpr std::uint32_t combiner(reduction op, element type) noexcept {
    return static_cast<std::uint32_t>(op) << 8U | static_cast<std::uint32_t>(type);
}
[[nodiscard]] constexpr reduction operation_of(std::uint32_t combiner) noexcept {
    return static_cast<reduction>(combiner >> 8U);
}
[[nodiscard]] constexpr element element_of(std::uint32_t combiner) noexcept {
    return static_cast<element>(combiner & 0xffU);
}
/// From here on combiners are operators of the user's: those of plan::operators, in order.
inline constexpr std::uint32_t user_combiners = 1U << 31U;
inline constexpr std::uint32_t no_combiner = ~0U;
[[nodiscard]] constexpr bool is_users(std::uint32_t combiner) noexcept {
    return combiner >= user_combiners;
}
/// Whether elements have a negative: booleans have none, and no location has.
[[nodiscard]] bool has_sign(element type) noexcept;
/// "sum of f64". Whatever a plan says that nobody has proved: "?" for what does not exist.
[[nodiscard]] std::string describe_combiner(std::uint32_t combiner);
/// Whether a combiner that is no user's means anything: an operation that exists, and that knows its elements.
[[nodiscard]] bool is_combiner(std::uint32_t combiner) noexcept;

} // namespace sode::internal
