// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interpose/datatypes/datatype_cache.hpp"
#include "interpose/transport/learnt_paths.hpp"
#include "interpose/transport/machine.hpp"
#include "interpose/transport/report.hpp"
#include "interpose/transport/stage.hpp"
#include "interpose/transport/stage_wishes.hpp"

#include <atomic>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace sode::internal::interpose {

/// What a send is asked to move.
struct parcel {
    std::byte const* buffer = nullptr;
    std::shared_ptr<message_layout const> form;
    int receiver = 0; ///< a neighbour; rank in MPI_COMM_WORLD
    int tag = 0;
    int row = -1;          ///< of the report
    bool stage = false;    ///< by a stage from the beginning; else by the buffer, which the receiver must be able to reach
    bool reserve = false;  ///< have room for a stage at hand, so that it never depends on the receiver when the buffer is free
    bool mutual = false;   ///< the receiver sends as much to us at the same time
    bool together = false; ///< as many bytes should come back by the path `wanted`
    bool look = false;     ///< stay until the receiver has had the opportunity to see how far we are
    std::uint8_t wanted = receivers_choice; ///< how it goes by the buffer
    learnt_path* learns = nullptr;          ///< from what it takes; null: nobody does
    std::int64_t sent_ns = 0;               ///< then, when the send began
    std::int64_t patience_ns = 0;           ///< how long a blocked sender waits for the receiver before it packs
};

/// The messages that this rank sends and moves itself: their slots and stages.
///
/// A message never waits for its sender: by a stage, it is packed as part of the call that sends it; from the buffer, the receiver
/// copies alone if need be. And a sender never waits long for its receiver: after some patience it packs the message into a stage
/// and has its buffer back, because the receiver may be in some other call of MPI, which does not know of us, or may still compute.
/// So all programs that end with MPI alone end with us, and pipelines flow. Receivers that were late get the next messages by
/// stages from the beginning.
///
/// Any thread may call; each slot is one thread's at a time.
class outbox {
public:
    /// `told`: what hears of every message; may be null.
    outbox(machine& here, report* told);

    /// The slot of a message whose record may now be sent, or nothing where there is no slot or no stage.
    [[nodiscard]] std::optional<std::uint32_t> open(parcel const& what);
    /// The record of a slot: shortest_record bytes and more. Lives until the slot is closed.
    [[nodiscard]] record_message const& record_of(std::uint32_t slot) const noexcept { return mine_[slot].message; }
    /// The record could not be sent: forgets the message.
    void withdraw(std::uint32_t slot);

    /// Packs what goes by a stage, piece by piece: the receiver unpacks meanwhile. After the record is sent. The buffer is free
    /// afterwards, and the slot needs no more care. Others: nothing. Returns whether it was staged.
    bool fill(std::uint32_t slot);

    /// The message is left to MPI: asks its receiver what it takes. Nothing happens while another one is asked about.
    void ask_of_mpi(parcel const& what);

    /// Hears what messages took that have ended meanwhile. Returns the nanoseconds of looking at the first of them, which open()
    /// now need not do.
    std::int64_t catch_up();

    /// Whether `receiver` has kept us waiting lately, so that this message had better go by a stage.
    [[nodiscard]] bool expects_late(int receiver) noexcept;

    /// Whether `receiver` would ask for a stage anyway.
    [[nodiscard]] bool expects_stage(int receiver, message_layout const& form) noexcept {
        return wishes_.expects(receiver, form.id().serial);
    }

    /// Whether the receiver needs the buffer no more. Lends a hand if the receiver wants one; packs the message into a stage if the
    /// receiver has not come for long, though nobody is blocked by that. Never waits.
    [[nodiscard]] bool finished(std::uint32_t slot);
    /// Waits until then, and closes the slot. `meanwhile` is called now and then. Errors: peer, timeout; the slot is closed.
    void await(std::uint32_t slot, std::function<void()> const& meanwhile);
    /// Closes a slot that is finished.
    void close(std::uint32_t slot);
    /// Nobody will ask for the slot any more; it closes when it is finished.
    void leave(std::uint32_t slot);
    /// Keeps alive, to the end, what requests of MPI may still send.
    void keep(std::shared_ptr<void const> memory);
    /// Before the end of MPI: no receiver needs memory of this rank afterwards, but that which they share.
    void settle();

private:
    struct entry {
        std::shared_ptr<message_layout const> form;
        record_message message{};
        std::optional<stage> room;
        learnt_path* learns = nullptr;
        bool staged = false; ///< from the beginning
        bool look = false;
        std::int64_t patience_ns = 0;
        bool moved = false;         ///< into a stage, after waiting in vain
        std::int64_t asked_ns = 0;  ///< when finished() was asked first
        std::int64_t packed_ns = 0; ///< how long packing took, for the report
    };

    [[nodiscard]] message_slot& slot_of(std::uint32_t slot) const noexcept { return here_.slot_of(here_.rank(), slot); }
    void collect(std::size_t most);
    void release(std::uint32_t slot);
    void pack(std::uint32_t slot);
    void pack_pieces(std::uint32_t slot);
    [[nodiscard]] bool over(std::uint32_t slot);
    [[nodiscard]] bool finished(std::uint32_t slot, std::int64_t patience_ns);
    bool step_aside(std::uint32_t slot, bool at_last);
    void note_packed(message_slot const& s, bool waited) noexcept;
    void linger(message_slot& s);
    static void answer(message_slot& s) noexcept;
    void serve_stage(std::uint32_t slot);
    void hear_of_mpi();

    machine& here_;
    report* told_;
    stage_pool stages_;
    stage_wishes wishes_;
    std::mutex mutex_;
    std::vector<entry> mine_;
    std::vector<std::uint32_t> idle_;
    std::deque<std::uint32_t> left_;
    learnt_path* asked_of_mpi_ = nullptr; ///< of the message that the slot by_mpi is about
    std::vector<std::shared_ptr<void const>> kept_;
    std::uint64_t sequence_ = 0;
    /// How a receiver has been: of the rank in MPI_COMM_WORLD.
    struct punctuality {
        std::atomic<std::uint8_t> strikes{0}; ///< grows while it is late,
        std::atomic<std::uint8_t> skipped{0}; ///< and so many messages go by stages before it gets another chance
    };
    std::vector<punctuality> receivers_;
};

} // namespace sode::internal::interpose
