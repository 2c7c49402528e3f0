// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "model/job.hpp"

#include <sode/messages.hpp>

#include <deque>
#include <map>
#include <memory>
#include <vector>

namespace sode::internal::windows {

/// Letters between ranks of one machine, through memory that they share. Each rank has a ring of places, of which senders take the
/// next one; whoever finds it full keeps the letter and tries again when it next looks at its own.
/// Source of the ring: Vyukov, bounded queue of many producers and consumers.
class memory_letters final : public letter_box {
public:
    /// Collective. Errors: environment, if there is no memory.
    memory_letters(detail::job& j, std::size_t most_bytes);

    void send(int peer, std::span<std::byte const> text) override;
    [[nodiscard]] letter receive() override;
    void close() override {}

private:
    static constexpr std::size_t places = 16;

    struct place_head {
        std::uint64_t turn; ///< twice how often its letter was read, and one more while there is one
        std::uint32_t from;
        std::uint32_t bytes;
    };
    struct place {
        place_head* head;
        std::byte* text;
    };
    [[nodiscard]] place place_of(std::byte* ring, std::uint64_t number) const;
    [[nodiscard]] bool try_send(int peer, std::span<std::byte const> text);

    std::size_t most_;
    std::uint32_t rank_;
    std::shared_ptr<std::byte> own_;
    std::vector<std::byte*> rings_;
    std::uint64_t read_ = 0; // letters
    bool lent_ = false;      // the caller still reads the last one
    std::map<int, std::deque<std::vector<std::byte>>> waiting_;
};

} // namespace sode::internal::windows
