// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace sode::internal {

/// A process, told apart from a later one that was given the same number.
struct process_identity {
    std::int64_t pid = 0;
    std::uint64_t started = 0;   ///< clock ticks since the machine booted, 0 if /proc does not say
    std::uint64_t numbering = 0; ///< the pid namespace in which `pid` counts

    [[nodiscard]] static process_identity mine();
};

enum class process_state { running, gone, unknown };

/// Looks `who` up. A process that has ended and waits to be collected is gone.
[[nodiscard]] process_state look_up(process_identity const& who) noexcept;

} // namespace sode::internal
