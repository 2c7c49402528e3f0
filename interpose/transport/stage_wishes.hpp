// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace sode::internal::interpose {

/// Messages for which their receivers, who see both layouts, have asked a stage lately: the next ones of the same layout to the
/// same receiver are packed without being asked. `form` names a layout of this process. Forgets where two fall together. Any thread
/// may ask.
class stage_wishes {
public:
    void note(int receiver, std::uint64_t form) noexcept {
        place(receiver, form).store(named(receiver, form) | granted_unasked, std::memory_order_relaxed);
    }
    /// Whether the next message is packed: counts it. After some, one is not, so that receivers can change their minds.
    [[nodiscard]] bool expects(int receiver, std::uint64_t form) noexcept {
        auto& known = place(receiver, form);
        auto const now = known.load(std::memory_order_relaxed);
        if ((now & ~counting) != named(receiver, form) || (now & counting) == 0) return false;
        known.store(now - 1, std::memory_order_relaxed); // another thread's count may be lost
        return true;
    }

private:
    static constexpr std::uint64_t counting = 0xff;
    static constexpr std::uint64_t granted_unasked = 63;
    static constexpr std::size_t places = 64;

    static std::uint64_t mixed(int receiver, std::uint64_t form) noexcept {
        return (form * 0x9E3779B97F4A7C15U) ^ (static_cast<std::uint64_t>(receiver) * 0xC2B2AE3D27D4EB4FU);
    }
    static std::uint64_t named(int receiver, std::uint64_t form) noexcept { return mixed(receiver, form) & ~counting; }
    std::atomic<std::uint64_t>& place(int receiver, std::uint64_t form) noexcept { return known_[mixed(receiver, form) >> 58]; }

    std::array<std::atomic<std::uint64_t>, places> known_{};
};

} // namespace sode::internal::interpose
