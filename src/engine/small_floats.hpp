// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <bit>
#include <cstdint>
#include <cstring>

namespace sode::internal {

/// Numbers of two bytes, in which nothing is computed: they become floats and back, rounded to the nearest, ties to even. Written
/// out, so that every compiler gives the same bits.
struct bf16 {
    std::uint16_t bits = 0;

    static bf16 from(float value) noexcept {
        auto const b = std::bit_cast<std::uint32_t>(value);
        if ((b & 0x7fffffffU) > 0x7f800000U) return {static_cast<std::uint16_t>(b >> 16U | 0x40U)}; // not a number remains none
        return {static_cast<std::uint16_t>((b + 0x7fffU + (b >> 16U & 1U)) >> 16U)};
    }
    [[nodiscard]] float value() const noexcept { return std::bit_cast<float>(std::uint32_t{bits} << 16U); }
};

struct f16 {
    std::uint16_t bits = 0;

    static f16 from(float value) noexcept {
        auto const b = std::bit_cast<std::uint32_t>(value);
        auto const sign = b >> 16U & 0x8000U, magnitude = b & 0x7fffffffU;
        if (magnitude > 0x7f800000U) return {static_cast<std::uint16_t>(sign | 0x7e00U | (magnitude >> 13U & 0x3ffU))};
        if (magnitude >= 0x477ff000U) return {static_cast<std::uint16_t>(sign | 0x7c00U)}; // from 65520 on it is infinite
        if (magnitude < 0x38800000U) { // below 2^-14: a fixed point at 2^-24, which adding 0.5 brings to the lowest bits
            auto const rounded = std::bit_cast<float>(magnitude) + 0.5F;
            return {static_cast<std::uint16_t>(sign | (std::bit_cast<std::uint32_t>(rounded) - 0x3f000000U))};
        }
        auto const rounded = magnitude + 0xfffU + (magnitude >> 13U & 1U);
        return {static_cast<std::uint16_t>(sign | ((rounded - 0x38000000U) >> 13U))};
    }
    [[nodiscard]] float value() const noexcept {
        std::uint32_t const sign = (bits & 0x8000U) << 16U, magnitude = bits & 0x7fffU;
        if (magnitude >= 0x7c00U) return std::bit_cast<float>(sign | 0x7f800000U | (magnitude & 0x3ffU) << 13U);
        if (magnitude < 0x400U) {
            auto const small = static_cast<float>(magnitude) * 0x1p-24F;
            return std::bit_cast<float>(std::bit_cast<std::uint32_t>(small) | sign);
        }
        return std::bit_cast<float>(sign | ((magnitude << 13U) + 0x38000000U));
    }
};

} // namespace sode::internal
