// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <type_traits>

namespace sode::detail {

/// The element types that ranks can combine, as numbers: the values of `element` in src/engine/combine.hpp.
inline constexpr std::uint8_t no_number = 0xff;

template <class T> [[nodiscard]] constexpr std::uint8_t code_of() noexcept {
    if constexpr (!std::is_arithmetic_v<T> || sizeof(T) > 8 || std::is_same_v<T, bool>)
        return no_number;
    else if constexpr (std::is_floating_point_v<T>)
        return sizeof(T) == 4 ? 0 : 1;
    else {
        constexpr std::uint8_t width = sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 1 : sizeof(T) == 4 ? 2 : 3;
        return static_cast<std::uint8_t>((std::is_signed_v<T> ? 2 : 6) + width);
    }
}

} // namespace sode::detail
