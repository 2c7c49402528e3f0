// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "slot.hpp"

#include <optional>

namespace sode::interpose {

/// Pings of one look, the first of which is not timed.
inline constexpr std::uint32_t pings = 9;

enum class copier : std::uint8_t { receiver, sender };

/// The next piece of a copy by both that `who` shall run: the receiver goes up from the first, the sender down from the last, so
/// that each stays in a part of its own. Nothing when all are taken.
[[nodiscard]] inline std::optional<std::uint32_t> next_piece(message_slot& s, copier who) noexcept {
    constexpr unsigned half = 32;
    auto const one = who == copier::receiver ? std::uint64_t{1} : std::uint64_t{1} << half;
    auto taken = s.front_and_back.load(std::memory_order_relaxed);
    while (true) {
        auto const front = static_cast<std::uint32_t>(taken);
        auto const back = static_cast<std::uint32_t>(taken >> half);
        if (front + back >= s.pieces) return std::nullopt;
        if (s.front_and_back.compare_exchange_weak(taken, taken + one, std::memory_order_relaxed))
            return who == copier::receiver ? front : s.pieces - 1 - back;
    }
}

} // namespace sode::interpose
