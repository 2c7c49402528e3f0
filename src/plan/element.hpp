// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

namespace sode::internal {

/// What the elements are that ranks combine: a type of values, and perhaps a location beside each value. One byte; the values are
/// those of detail::code_of() (include/sode/element_code.hpp).
enum class element : std::uint8_t {
    f32,
    f64,
    i8,
    i16,
    i32,
    i64,
    u8,
    u16,
    u32,
    u64,
    f16,      ///< IEEE half precision; combined in single precision
    bf16,     ///< the upper half of an f32; combined in single precision
    boolean,  ///< a byte, 0 or 1
    c64,      ///< complex, of two f32
    c128,     ///< complex, of two f64
    extended, ///< long double
};

/// What stands behind each value, as the member of a C struct does: where it is.
enum class location : std::uint8_t {
    none,
    i32,  ///< an int: MPI_DOUBLE_INT, …
    i64,  ///< an index_t: located<T>
    value ///< another value: MPI_2REAL, … of Fortran
};

inline constexpr unsigned location_shift = 4;
[[nodiscard]] constexpr element with_location(element value, location where) noexcept {
    return static_cast<element>(static_cast<unsigned>(value) | static_cast<unsigned>(where) << location_shift);
}
[[nodiscard]] constexpr element value_of(element e) noexcept {
    return static_cast<element>(static_cast<unsigned>(e) & ((1U << location_shift) - 1U));
}
[[nodiscard]] constexpr location location_of(element e) noexcept {
    return static_cast<location>(static_cast<unsigned>(e) >> location_shift);
}

/// Bytes from one element to the next, the gaps of a struct included; 0, if there is no such element.
[[nodiscard]] std::size_t size_of(element e) noexcept;
/// "f64", "f64 at i32".
[[nodiscard]] std::string to_string(element e);

} // namespace sode::internal
