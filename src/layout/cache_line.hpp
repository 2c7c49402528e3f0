// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/types.hpp>

namespace sode::internal {

inline constexpr index_t line = 64;
/// The line that a byte is in, counted from a base that begins one.
constexpr index_t line_of(index_t byte) noexcept {
    return byte >> 6; // downwards, below zero as well
}

/// Bytes of the lines that so many bytes take, which begin with one.
constexpr index_t whole_lines(index_t bytes) noexcept {
    return (bytes + line - 1) / line * line;
}

} // namespace sode::internal
