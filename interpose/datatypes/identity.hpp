// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <cstdint>

namespace sode::internal {

/// Tells objects apart in what threads remember of them: an address is used again. Any thread may ask.
[[nodiscard]] inline std::uint64_t next_identity() noexcept {
    static std::atomic<std::uint64_t> last{0};
    return ++last;
}

} // namespace sode::internal
