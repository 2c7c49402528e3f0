// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "gmpi/transfers.hpp"

#include <sode/detail/gmpi/parts.hpp>

#include <vector>

namespace sode::internal::kernels {

/// A message in parts of equal length that leave one by one, and one that comes so. Each part is a message of its own, of a
/// communicator that no kernel can name.
struct partitioned {
    bool leaves = false;
    std::byte* data = nullptr;
    std::uint32_t parts = 0;
    word bytes = 0; ///< of a part
    int peer = 0;
    std::uint32_t tag = 0;
    std::uint32_t first_word = 0; ///< of one that comes: where its parts are counted
    // since the last start
    goal whose{};
    std::uint32_t open = 0; ///< parts
    code worst = code::ok;
    std::vector<bool> ready{}; ///< of one that leaves
};

class partitioned_messages {
public:
    static constexpr std::uint16_t communicator = 0xffff;
    static constexpr std::uint32_t most_parts = 1 << 16, most_tag = (1 << 15) - 1;

    partitioned_messages(transfers& by, gmpi::memory& memory, gmpi::detail::word_table arrived, goal_keeper& tells)
        : by_(by), memory_(memory), arrived_(arrived), tells_(tells), rounds_(arrived.count) {}

    /// \return its number here
    std::uint32_t add(partitioned p);
    [[nodiscard]] std::uint32_t words() const noexcept { return words_; } ///< in use
    void start(std::uint32_t number, goal const& whose);
    void ready(std::uint32_t number, std::uint32_t part);
    /// One part is over.
    void over(std::uint32_t number, std::uint32_t part, code how);
    [[nodiscard]] bool has(std::uint32_t number) const noexcept { return number < all_.size(); }

private:
    [[nodiscard]] static envelope envelope_of(partitioned const& p, std::uint32_t part) {
        return {communicator, p.peer, p.tag << 16 | part};
    }

    transfers& by_;
    gmpi::memory& memory_;
    gmpi::detail::word_table arrived_;
    goal_keeper& tells_;
    std::vector<word> rounds_; // by word
    std::vector<partitioned> all_;
    std::uint32_t words_ = 0;
};

} // namespace sode::internal::kernels
