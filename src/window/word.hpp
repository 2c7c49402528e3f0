// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/window.hpp>

#include <cstddef>
#include <cstdint>

namespace sode::internal::windows {

/// What the word was before. Of 4 bytes the number is read with its sign. Both orders, acquire and release.
[[nodiscard]] std::int64_t operate(std::byte* word, std::size_t bytes, word_operation what, std::int64_t operand,
                                   std::int64_t expected) noexcept;

} // namespace sode::internal::windows
