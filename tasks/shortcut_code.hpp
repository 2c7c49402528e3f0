// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

namespace sode::internal {

/// Position-independent machine code that takes the place of a system call in a task, to be copied there.
struct shortcut_code {
    std::span<std::byte const> code;
    std::size_t state; ///< where in it the address of what it works on has to be written
    std::size_t back;  ///< likewise the address to go on at
};

/// mmap: an address_window.
[[nodiscard]] shortcut_code mmap_shortcut() noexcept;
/// brk: a break_window.
[[nodiscard]] shortcut_code brk_shortcut() noexcept;

} // namespace sode::internal
