// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interpose/datatypes/pair_program.hpp"
#include "interpose/transport/slot.hpp"

namespace sode::internal::interpose {

/// A message that both its ends copy, from the sender's buffer to the receiver's: the receiver takes pieces from the first on, the
/// sender from the last on. This is the receiver's side; the sender sees it in the slot.
class shared_copy {
public:
    enum class first_pieces : std::uint8_t {
        own,    ///< some are the receiver's from the beginning, because the sender hears of all this later
        senders ///< all are there for the sender to take
    };
    /// Publishes the copy: `program` and `target` must live until it is over().
    shared_copy(message_slot& s, pair_program const& program, std::byte* target, first_pieces whose);

    /// Runs pieces until none are left to take.
    void run_here();
    /// Whether all have been run, by either.
    [[nodiscard]] bool over() const noexcept;
    /// How many the sender has taken so far.
    [[nodiscard]] std::uint32_t taken_by_sender() const noexcept;

private:
    message_slot& slot_;
    pair_program const& program_;
    std::byte* target_;
    std::uint32_t own_;           ///< pieces that are this side's without having been taken
    std::uint32_t run_ = 0;       ///< pieces, here
    std::uint32_t finished_from_; ///< what the sender had finished of earlier messages
};

/// The sender's side: runs pieces until none are left to take. The slot is `shared`.
void help(message_slot& s) noexcept;

} // namespace sode::internal::interpose
