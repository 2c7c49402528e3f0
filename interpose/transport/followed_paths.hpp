// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "model/message_path.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace sode::internal::interpose {

/// Which path the next message to a rank follows, because that rank compares paths by its rhythm: what a path leaves behind often
/// shows only if the messages that come back take it as well. Of each rank the latest wish; it holds for one message. Any thread
/// may call.
class followed_paths {
public:
    explicit followed_paths(int ranks) : wishes_(static_cast<std::size_t>(ranks)) {}

    /// A message of `bytes` has come from `sender`, which wishes for the same path back.
    void wish(int sender, message_path how, std::uint64_t bytes) noexcept {
        wishes_[static_cast<std::size_t>(sender)].store(bytes << path_bits | (static_cast<std::uint64_t>(how) + 1),
                                                        std::memory_order_relaxed);
    }
    /// The path of a message of `bytes` to `receiver`; nothing: as it likes.
    [[nodiscard]] std::optional<message_path> next(int receiver, std::uint64_t bytes) noexcept {
        auto& wish = wishes_[static_cast<std::size_t>(receiver)];
        auto const seen = wish.load(std::memory_order_relaxed);
        if (seen == 0 || seen >> path_bits != bytes) return std::nullopt;
        wish.store(0, std::memory_order_relaxed);
        return static_cast<message_path>((seen & path_mask) - 1);
    }

private:
    static constexpr int path_bits = 8;
    static constexpr std::uint64_t path_mask = (std::uint64_t{1} << path_bits) - 1;

    std::vector<std::atomic<std::uint64_t>> wishes_; // 0: none
};

} // namespace sode::internal::interpose
