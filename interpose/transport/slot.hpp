// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace sode::internal {
class message_layout;
struct pair_program;
} // namespace sode::internal

namespace sode::internal::interpose {

enum class slot_state : std::uint32_t {
    free,
    ready,   ///< the sender has filled it in; nobody has met the record yet
    moving,  ///< the sender, tired of waiting, packs the message into a stage; `ready` again when that is done
    taken,   ///< the receiver copies
    shared,  ///< the receiver copies, and has published a program of which the sender may run pieces
    wanted,  ///< the receiver asks the sender, who attends, to pack into a stage
    staged,  ///< the sender does
    refused, ///< the sender cannot: the receiver copies from the buffer after all
    done,    ///< the receiver needs nothing of the sender any more
    by_mpi   ///< no record: the sender wants to know what a message takes that it has left to MPI
};

inline constexpr std::uint8_t receivers_choice = 0xff;

/// Pings of one look, the first of which is not timed.
inline constexpr std::uint32_t pings = 9;

/// One message that we move, seen by both ends: memory of the sender's machine that both can reach. What one end writes while the
/// other reads something else lies in lines of its own, and each line that changes hands costs a message some 100 ns: so there are
/// four, and nobody clears what the other one has written.
struct alignas(128) message_slot {
    // The sender's, written before the record goes out, and while `moving`.
    std::uint64_t sequence;
    std::uint64_t bytes;
    std::uint64_t stage;        ///< offset in the sender's arena
    std::byte const* buffer;    ///< for who can reach the sender's memory:
    message_layout const* form; ///< alive until `done`
    std::int32_t sender;        ///< rank in MPI_COMM_WORLD
    std::int32_t receiver;      ///< likewise
    std::int32_t tag;
    std::int32_t row;       ///< of the sender's report; negative: there is none
    std::uint8_t mutual;    ///< the receiver sends as much to the sender at the same time
    std::uint8_t has_stage; ///< the bytes are, or will be, in a stage; else in the sender's buffer
    std::uint8_t wanted;    ///< the message_path that the sender has chosen for its buffer, or `receivers_choice`
    std::uint8_t timed;     ///< the sender wants to know what the message takes: `sent_ns` is there
    std::uint8_t together;  ///< the sender wishes that a message of as many bytes comes back by the path `wanted`

    alignas(64) std::atomic<slot_state> state;
    std::atomic<std::uint32_t> attended; ///< the sender waits, and has time to do more than its own
    // The receiver counts up, the sender counts after: so the receiver learns how far they are apart.
    std::atomic<std::uint32_t> ping;
    std::atomic<std::uint32_t> pong;
    // A copy by both (shared_copy.hpp): the receiver's, before `shared`.
    pair_program const* program;
    std::byte* target;
    std::uint32_t pieces; ///< of the program, which is the receiver's: who holds no piece must not look at it
    // For the sender's report, written by the receiver before `done`.
    std::uint32_t how;     ///< a message_path
    std::int64_t spent_ns; ///< in copying
    double round_trip_ns;  ///< of a ping, the mean; 0: there were none
    std::int64_t took_ns;  ///< from `sent_ns` to the end; 0: the receiver was not waiting for it

    alignas(64) std::atomic<std::uint64_t> front_and_back; ///< pieces taken by the receiver (low half) and by the sender

    // How far the sender is.
    alignas(64) std::atomic<std::uint64_t> filled; ///< bytes of the stage
    std::atomic<std::uint32_t> finished;           ///< pieces of copies by both, of all messages that this slot ever had
    std::int64_t sent_ns;                          ///< when the send began; of timed messages only, written before the record
};
static_assert(sizeof(message_slot) == 256);

} // namespace sode::internal::interpose
