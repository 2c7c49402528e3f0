// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "layout/copy_program.hpp"

#include <cstddef>
#include <cstdint>

namespace sode {

/// Reduction operators and element types that a `reduce` descriptor can name; `combiner(op, type)` is its `argument`.
enum class reduction : std::uint8_t { sum, product, max, min, bit_and, bit_or, bit_xor };
enum class element : std::uint8_t { f32, f64, i8, i16, i32, i64, u8, u16, u32, u64 };

[[nodiscard]] constexpr std::uint32_t combiner(reduction op, element type) noexcept {
    return static_cast<std::uint32_t>(op) << 8U | static_cast<std::uint32_t>(type);
}
/// Bytes of one element.
[[nodiscard]] std::size_t size_of(element type) noexcept;

/// target[i] = op(target[i], source[i]) for all elements that `p` would copy; its rows hold whole elements. Alignment is not
/// needed.
void combine(std::uint32_t combiner, copy_program const& p, std::byte* target, std::byte const* source) noexcept;

} // namespace sode
