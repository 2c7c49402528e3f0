// SPDX-License-Identifier: Apache-2.0
#include "interpose/transport/outbox.hpp"

#include "base/clock.hpp"
#include "interpose/datatypes/program_cache.hpp"
#include "interpose/transport/shared_copy.hpp"

#include <sode/error.hpp>

#include <algorithm>
#include <cstring>

namespace sode::internal::interpose {

namespace {

// Where the sender is not blocked: long enough for a receiver that is on its way, short beside what a program loses by standing
// still.
constexpr std::int64_t unhurried_ns = 300'000;

// A sender for whom there is no room waits so long for its receiver before it takes memory that others need.
constexpr std::int64_t at_last_ns = 100'000'000;

// So many messages of a late receiver go by stages, at most, before one is offered to it again.
constexpr std::uint8_t most_skipped = 15;

// Slots that are looked at for every message that is sent: more than come into use by it.
constexpr std::size_t at_a_time = 4;

// What waits in stages at most, before messages are left to MPI.
constexpr std::uint64_t most_staged = std::uint64_t{256} << 20;

} // namespace

outbox::outbox(machine& here, report* told)
    : here_(here), told_(told), stages_(here.memory(), most_staged), mine_(machine::slots), idle_(machine::slot_by_mpi),
      receivers_(static_cast<std::size_t>(here.ranks().size())) {
    static_assert(machine::slot_by_mpi == machine::slots - 1);
    for (std::uint32_t i = 0; i < machine::slot_by_mpi; ++i) idle_[i] = machine::slot_by_mpi - 1 - i;
}

std::optional<std::uint32_t> outbox::open(parcel const& what) {
    std::unique_lock lock{mutex_};
    collect(at_a_time);
    hear_of_mpi();
    std::optional<stage> room;
    if (what.stage || what.reserve) {
        room = stages_.take(static_cast<std::uint64_t>(what.form->bytes()));
        if (!room) {
            collect(machine::slots);
            room = stages_.take(static_cast<std::uint64_t>(what.form->bytes()));
        }
        if (!room) return std::nullopt;
    }
    if (idle_.empty()) {
        if (room) stages_.give(*room);
        return std::nullopt;
    }
    std::uint32_t const slot = idle_.back();
    idle_.pop_back();
    std::uint64_t const sequence = ++sequence_;
    lock.unlock();
    entry& own = mine_[slot];
    own.form = what.form;
    own.room = room;
    own.staged = what.stage;
    own.look = what.look;
    own.learns = what.learns;
    own.patience_ns = what.patience_ns;
    own.moved = false;
    own.asked_ns = 0;
    own.packed_ns = 0;

    here_.meet(what.receiver);
    message_slot& s = slot_of(slot);
    s.sequence = sequence;
    s.bytes = static_cast<std::uint64_t>(what.form->bytes());
    s.sender = here_.rank();
    s.receiver = what.receiver;
    s.tag = what.tag;
    s.row = what.row;
    s.how = 0;
    s.spent_ns = 0;
    s.mutual = what.mutual ? 1 : 0;
    s.together = what.together ? 1 : 0;
    s.has_stage = what.stage ? 1 : 0;
    s.wanted = what.wanted;
    s.timed = what.learns != nullptr ? 1 : 0;
    if (what.learns != nullptr) s.sent_ns = what.sent_ns, s.took_ns = 0;
    s.stage = room ? room->offset : 0;
    s.buffer = what.buffer;
    s.form = what.form.get();
    s.attended.store(0, std::memory_order_relaxed);
    s.ping.store(0, std::memory_order_relaxed);
    s.pong.store(0, std::memory_order_relaxed);
    s.round_trip_ns = 0;
    if (s.filled.load(std::memory_order_relaxed) != 0) s.filled.store(0, std::memory_order_relaxed);
    s.state.store(slot_state::ready, std::memory_order_release);

    record const says{here_.proof_of(here_.rank()), here_.rank(), slot, sequence};
    std::memcpy(own.message.data(), &says, sizeof says);
    return slot;
}

void outbox::ask_of_mpi(parcel const& what) {
    std::lock_guard const lock{mutex_};
    hear_of_mpi();
    message_slot& s = slot_of(machine::slot_by_mpi);
    auto seen = slot_state::by_mpi; // a message of which nobody told
    bool const mine =
        s.state.compare_exchange_strong(seen, slot_state::free, std::memory_order_acq_rel) || seen == slot_state::free;
    if (!mine) return;
    s.bytes = static_cast<std::uint64_t>(what.form->bytes());
    s.sender = here_.rank();
    s.receiver = what.receiver;
    s.tag = what.tag;
    s.sent_ns = what.sent_ns;
    s.took_ns = 0;
    asked_of_mpi_ = what.learns;
    here_.meet(what.receiver);
    s.state.store(slot_state::by_mpi, std::memory_order_release);
}

std::int64_t outbox::catch_up() {
    std::lock_guard const lock{mutex_};
    std::int64_t looked_ns = 0;
    if (!left_.empty()) {
        auto const begun = now_ns();
        if (over(left_.front())) looked_ns = now_ns() - begun;
    }
    collect(at_a_time);
    hear_of_mpi();
    return looked_ns;
}

/// Under the lock.
void outbox::hear_of_mpi() {
    message_slot& s = slot_of(machine::slot_by_mpi);
    if (asked_of_mpi_ == nullptr || s.state.load(std::memory_order_acquire) != slot_state::done) return;
    if (s.took_ns > 0) asked_of_mpi_->note(message_path::plain, s.took_ns);
    asked_of_mpi_ = nullptr;
    s.state.store(slot_state::free, std::memory_order_relaxed);
}

void outbox::withdraw(std::uint32_t slot) {
    slot_of(slot).state.store(slot_state::done, std::memory_order_relaxed);
    close(slot);
}

bool outbox::fill(std::uint32_t slot) {
    if (!mine_[slot].staged) return false;
    pack(slot);
    note_packed(slot_of(slot), false);
    if (mine_[slot].look) linger(slot_of(slot));
    leave(slot);
    return true;
}

void outbox::pack(std::uint32_t slot) {
    auto const begun = told_ == nullptr ? 0 : now_ns();
    pack_pieces(slot);
    if (told_ != nullptr) mine_[slot].packed_ns = now_ns() - begun;
}

void outbox::pack_pieces(std::uint32_t slot) {
    entry const& own = mine_[slot];
    message_slot& s = slot_of(slot);
    std::byte* const room = own.room->data;
    distance const apart = here_.apart(s.receiver);
    index_t const piece_bytes = stage_piece(own.form->bytes(), apart);
    if (own.form->contiguous()) {
        std::byte const* const source = s.buffer + own.form->extent().first;
        for (index_t at = 0; at < own.form->bytes(); at += piece_bytes) {
            index_t const end = std::min(at + piece_bytes, own.form->bytes());
            std::memcpy(room + at, source + at, static_cast<std::size_t>(end - at));
            s.filled.store(static_cast<std::uint64_t>(end), std::memory_order_release);
        }
        return;
    }
    bool const far = apart == distance::far;
    auto const pieces = own.form->pack_chunks(piece_bytes);
    // Lines that a far core has are written fastest by wide copies (decision 13).
    alignas(64) std::array<std::byte, longest_stage_piece> near; // NOLINT(cppcoreguidelines-pro-type-member-init)
    for (packed_chunk const& piece : *pieces) {
        std::byte* const target = room + piece.begin;
        run(piece.program, far ? near.data() : target, s.buffer);
        if (far) std::memcpy(target, near.data(), static_cast<std::size_t>(piece.bytes));
        s.filled.store(static_cast<std::uint64_t>(piece.begin + piece.bytes), std::memory_order_release);
    }
}

/// Answers without a pause, which would be a good part of what the receiver measures.
void outbox::answer(message_slot& s) noexcept {
    constexpr int polls = 3000; // a microsecond or two
    for (auto seen = s.ping.load(std::memory_order_acquire); seen != 0;) {
        s.pong.store(seen, std::memory_order_release);
        if (seen == pings) return;
        auto next = seen;
        for (int i = 0; i < polls && next == seen; ++i) next = s.ping.load(std::memory_order_acquire);
        if (next == seen) return; // it has given up
        seen = next;
    }
}

/// The receiver of a packed message looks at the end, if it is there already.
void outbox::linger(message_slot& s) {
    constexpr std::int64_t at_most_ns = 5'000;
    s.attended.store(1, std::memory_order_release);
    for (auto const begun = now_ns(); now_ns() - begun < at_most_ns;) {
        if (s.state.load(std::memory_order_acquire) == slot_state::done) break;
        if (s.ping.load(std::memory_order_relaxed) == s.pong.load(std::memory_order_relaxed)) continue;
        answer(s);
        break;
    }
    s.attended.store(0, std::memory_order_release);
}

void outbox::serve_stage(std::uint32_t slot) {
    message_slot& s = slot_of(slot);
    wishes_.note(s.receiver, mine_[slot].form->id().serial);
    auto seen = slot_state::wanted;
    auto& own = mine_[slot].room;
    auto const room = own ? own : stages_.take(s.bytes);
    if (!room) {
        s.state.compare_exchange_strong(seen, slot_state::refused, std::memory_order_acq_rel);
        return;
    }
    s.stage = room->offset;
    if (!s.state.compare_exchange_strong(seen, slot_state::staged, std::memory_order_acq_rel)) {
        if (!own) stages_.give(*room); // the receiver has thought better of it
        return;
    }
    own = room;
    pack(slot);
}

bool outbox::over(std::uint32_t slot) {
    message_slot& s = slot_of(slot);
    if (s.ping.load(std::memory_order_relaxed) != s.pong.load(std::memory_order_relaxed)) answer(s);
    switch (s.state.load(std::memory_order_acquire)) {
    case slot_state::done: return true;
    case slot_state::shared: help(s); return s.state.load(std::memory_order_acquire) == slot_state::done;
    case slot_state::wanted: serve_stage(slot); return false;
    default: return false;
    }
}

bool outbox::finished(std::uint32_t slot) {
    return finished(slot, unhurried_ns);
}

bool outbox::finished(std::uint32_t slot, std::int64_t patience_ns) {
    entry& own = mine_[slot];
    if (own.moved || over(slot)) return true;
    if (slot_of(slot).state.load(std::memory_order_relaxed) != slot_state::ready) return false;
    auto const now = now_ns();
    if (own.asked_ns == 0) own.asked_ns = now;
    auto const waited = now - own.asked_ns;
    return waited > patience_ns && step_aside(slot, waited > at_last_ns);
}

/// Packs the message, if nobody has begun to copy it; `at_last`, into any memory that there is. True: the buffer is free.
bool outbox::step_aside(std::uint32_t slot, bool at_last) {
    message_slot& s = slot_of(slot);
    auto& own = mine_[slot].room;
    auto const room = own ? own : at_last ? stages_.take_at_last(s.bytes) : stages_.take(s.bytes);
    if (!room) return false;
    auto seen = slot_state::ready;
    if (!s.state.compare_exchange_strong(seen, slot_state::moving, std::memory_order_acq_rel)) {
        if (!own) stages_.give(*room);
        return false;
    }
    own = room;
    mine_[slot].moved = true;
    s.stage = room->offset;
    s.has_stage = 1;
    s.state.store(slot_state::ready, std::memory_order_release);
    pack(slot);
    note_packed(s, true);
    return true;
}

/// A receiver that has not even begun when the message is packed is late, if it had time before. One that has begun is not, and
/// gets buffers again.
void outbox::note_packed(message_slot const& s, bool waited) noexcept {
    punctuality& how = receivers_[static_cast<std::size_t>(s.receiver)];
    bool const late = s.state.load(std::memory_order_relaxed) == slot_state::ready;
    auto const strikes = how.strikes.load(std::memory_order_relaxed);
    if ((late && !waited) || (!late && strikes == 0)) return;
    auto const now = static_cast<std::uint8_t>(late ? std::min(2 * strikes + 1, int{most_skipped}) : 0);
    how.strikes.store(now, std::memory_order_relaxed);
    how.skipped.store(now, std::memory_order_relaxed);
}

bool outbox::expects_late(int receiver) noexcept {
    auto& skipped = receivers_[static_cast<std::size_t>(receiver)].skipped;
    auto const left = skipped.load(std::memory_order_relaxed);
    if (left == 0) return false;
    skipped.store(static_cast<std::uint8_t>(left - 1), std::memory_order_relaxed); // another thread's count may be lost
    return true;
}

void outbox::await(std::uint32_t slot, std::function<void()> const& meanwhile) {
    message_slot& s = slot_of(slot);
    s.attended.store(1, std::memory_order_release);
    waiter w{here_.waiting()};
    try {
        while (!finished(slot, mine_[slot].patience_ns)) {
            meanwhile();
            if (w.step()) here_.look_after(s.receiver, w.elapsed(), "was waiting for that rank to receive a message");
        }
    } catch (error const&) {
        // The peer is gone, or late beyond what the user allows: nobody may copy from a buffer that the program has back.
        auto seen = slot_state::ready;
        if (s.state.compare_exchange_strong(seen, slot_state::done)) close(slot);
        throw;
    }
    close(slot);
}

void outbox::release(std::uint32_t slot) {
    entry& own = mine_[slot];
    message_slot const& s = slot_of(slot);
    if (told_ != nullptr && s.row >= 0 && s.how != 0)
        told_->end(s.row, static_cast<message_path>(s.how), static_cast<std::int64_t>(s.bytes),
                   std::max(own.packed_ns, s.spent_ns));
    if (own.learns != nullptr && s.took_ns > 0) {
        // What was asked for took so long, whatever became of it: a late receiver is waited for, and then it is packed after all.
        bool const asked = s.wanted != receivers_choice;
        bool const fell_back = !own.staged && s.how == static_cast<std::uint32_t>(message_path::staged);
        if (asked || !fell_back) own.learns->note(static_cast<message_path>(asked ? s.wanted : s.how), s.took_ns);
    }
    if (s.round_trip_ns > 0) here_.distances().note(s.receiver, s.round_trip_ns);
    if (own.room) stages_.give(*own.room);
    own.room.reset();
    own.form.reset();
}

void outbox::close(std::uint32_t slot) {
    if (mine_[slot].moved) {
        leave(slot);
        return;
    }
    release(slot);
    message_slot& s = slot_of(slot);
    s.state.store(slot_state::free, std::memory_order_relaxed);
    __builtin_prefetch(&s, 1); // the next message has this slot
    std::lock_guard const lock{mutex_};
    idle_.push_back(slot);
}

void outbox::leave(std::uint32_t slot) {
    std::lock_guard const lock{mutex_};
    left_.push_back(slot);
}

/// Under the lock.
void outbox::collect(std::size_t most) {
    // The oldest first; a slot that is not finished goes to the end of the queue.
    for (std::size_t looked = std::min(most, left_.size()); looked > 0; --looked) {
        std::uint32_t const slot = left_.front();
        left_.pop_front();
        if (!over(slot)) {
            left_.push_back(slot);
            continue;
        }
        release(slot);
        slot_of(slot).state.store(slot_state::free, std::memory_order_relaxed);
        idle_.push_back(slot);
    }
}

void outbox::keep(std::shared_ptr<void const> memory) {
    std::lock_guard const lock{mutex_};
    kept_.push_back(std::move(memory));
}

void outbox::settle() {
    std::lock_guard const lock{mutex_};
    collect(machine::slots);
    for (std::uint32_t const slot : left_)
        if (!over(slot) && !mine_[slot].room) step_aside(slot, true);
}

} // namespace sode::internal::interpose
