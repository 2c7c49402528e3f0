// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "model/choice_file.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace sode::internal::interpose {

/// What ranks of one machine have learnt of messages, in memory that they share: a rank that meets a kind of message which another
/// one knows begins where that one is. Any rank writes, any rank reads, nobody waits; what two write at once one of them loses.
class choice_board {
public:
    static constexpr std::size_t places = 1024;

    struct alignas(64) entry {
        std::atomic<std::uint64_t> pattern;  ///< 0: free; written once
        std::atomic<std::uint32_t> revision; ///< odd: somebody writes
        std::uint32_t far;
        std::int64_t bytes;
        std::int64_t rows;
        std::array<std::atomic<float>, message_paths> ns;
    };
    static_assert(sizeof(entry) == 64);

    choice_board() = default; ///< of nobody: it forgets all
    /// In memory of zeros, or that other ranks use already.
    explicit choice_board(std::span<entry, places> shared) noexcept : shared_(shared) {}

    /// Replaces what was known of that pattern. Nothing happens where there is no room.
    void put(measured_choice const& c) noexcept;
    [[nodiscard]] std::optional<measured_choice> find(std::uint64_t pattern) const noexcept;
    [[nodiscard]] std::vector<measured_choice> all() const;

private:
    static constexpr std::size_t most_steps = 16; ///< from where a pattern belongs
    [[nodiscard]] static std::optional<measured_choice> read(entry const& e) noexcept;

    std::span<entry> shared_;
};

} // namespace sode::internal::interpose
