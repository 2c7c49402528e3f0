// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>

namespace sode::internal {

/// A dimension or a rank, which are ints everywhere, as the index of a standard container.
[[nodiscard]] constexpr std::size_t pos(int i) noexcept {
    return static_cast<std::size_t>(i);
}

} // namespace sode::internal
