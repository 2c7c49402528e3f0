// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/located.hpp>

#include <complex>
#include <cstdint>
#include <type_traits>

#if defined(__STDCPP_BFLOAT16_T__)
#include <stdfloat>
#endif

namespace sode::detail {

/// Codes for element types that reductions can combine. The codes are the values of `element` in src/plan/element.hpp.
inline constexpr std::uint8_t no_number = 0xff;

/// The codes of the two-byte floating-point types that the compiler supports: _Float16 (std::float16_t) and std::bfloat16_t.
template <class T> inline constexpr std::uint8_t code_of_half = no_number;
#if defined(__FLT16_MANT_DIG__)
template <> inline constexpr std::uint8_t code_of_half<_Float16> = 10;
#endif
#if defined(__STDCPP_BFLOAT16_T__)
template <> inline constexpr std::uint8_t code_of_half<std::bfloat16_t> = 11;
#endif

template <class T> struct element_type {
    static constexpr std::uint8_t code() noexcept {
        if constexpr (code_of_half<T> != no_number)
            return code_of_half<T>;
        else if constexpr (!std::is_arithmetic_v<T>)
            return no_number; // NOLINT(bugprone-branch-clone)
        else if constexpr (std::is_same_v<T, bool>)
            return 12;
        else if constexpr (std::is_floating_point_v<T>)
            return std::is_same_v<T, long double> ? 15 : sizeof(T) == 4 ? 0 : 1;
        else if constexpr (sizeof(T) > 8)
            return no_number;
        else {
            constexpr std::uint8_t width = sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 1 : sizeof(T) == 4 ? 2 : 3;
            return static_cast<std::uint8_t>((std::is_signed_v<T> ? 2 : 6) + width);
        }
    }
};
template <> struct element_type<std::complex<float>> {
    static constexpr std::uint8_t code() noexcept { return 13; }
};
template <> struct element_type<std::complex<double>> {
    static constexpr std::uint8_t code() noexcept { return 14; }
};
template <class T> struct element_type<located<T>> {
    static constexpr std::uint8_t code() noexcept {
        constexpr std::uint8_t value = element_type<T>::code();
        constexpr std::uint8_t with_index = 2 << 4;
        return value == no_number || value == 13 || value == 14 ? no_number : static_cast<std::uint8_t>(value | with_index);
    }
};

template <class T> [[nodiscard]] constexpr std::uint8_t code_of() noexcept {
    return element_type<T>::code();
}

template <class T> inline constexpr bool is_complex_number = code_of<T>() == 13 || code_of<T>() == 14;
template <class T> inline constexpr bool is_located = (code_of<T>() >> 4U) == 2;
/// True if -x exists for every value x of the type.
template <class T>
inline constexpr bool has_sign = code_of_half<T> != no_number || is_complex_number<T> ||
                                 (std::is_signed_v<T> && code_of<T>() != no_number);

} // namespace sode::detail
