// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>

namespace sode::internal {

inline constexpr std::size_t page_bytes = 4096; // x86-64 has no other base page
inline constexpr std::size_t huge_page_bytes = std::size_t{2} << 20U;

[[nodiscard]] constexpr std::uintptr_t round_down(std::uintptr_t value, std::size_t unit) noexcept {
    return value & ~(unit - 1);
}
[[nodiscard]] constexpr std::uintptr_t round_up(std::uintptr_t value, std::size_t unit) noexcept {
    return round_down(value + unit - 1, unit);
}

/// What lies there. A task's addresses are numbers to the root: they come from the kernel and from other programs.
[[nodiscard]] inline void* memory_at(std::uintptr_t address) noexcept {
    return reinterpret_cast<void*>(address); // NOLINT(performance-no-int-to-ptr)
}

} // namespace sode::internal
