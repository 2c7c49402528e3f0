// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "engine/trace.hpp"

#include <sode/detail/gmpi/entry.hpp>

#include <array>
#include <cstdint>
#include <vector>

namespace sode::internal::kernels {

/// The manager's row in a trace. Whoever takes steps notes what it did, and the rank's own thread, which alone writes into the log,
/// comes for that now and then. All calls with the turn, but the constructor.
class manager_trace {
public:
    /// `log`: null: nobody looks.
    explicit manager_trace(trace_log* log);

    /// Beside the operations of requests, by their numbers.
    enum extra : std::uint8_t { copies = 8, frames, kinds };

    /// The time, for did(); 0 if nobody looks.
    [[nodiscard]] std::int64_t now() const noexcept;
    /// Some work of that kind has been done since then.
    void did(std::uint8_t kind, std::int64_t since, std::uint64_t number = 0, int peer = -1) noexcept;
    /// On the rank's own thread.
    void hand_over() noexcept;

private:
    static constexpr std::size_t room = 4096; // until the rank comes by; older ones go first

    trace_log* log_;
    std::uint16_t row_ = 0;
    std::array<std::uint32_t, kinds> subjects_{};
    std::vector<trace_event> events_;
    std::size_t noted_ = 0;
};

} // namespace sode::internal::kernels
