// SPDX-License-Identifier: Apache-2.0
#include "interpose/transport/inbox.hpp"

#include "base/clock.hpp"
#include "base/wait.hpp"
#include "interpose/datatypes/identity.hpp"
#include "interpose/datatypes/packed_form.hpp"
#include "interpose/transport/shared_copy.hpp"
#include "interpose/transport/waiting_since.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace sode::internal::interpose {

namespace {

// How long a sender may take to begin what was asked of it.
constexpr std::int64_t courtesy_ns = 20'000;

} // namespace

struct inbox::known_pair {
    std::uint64_t owner = 0;
    layout_id source, target;
    distance apart = distance::near;
    bool mutual = false;
    message_path how = message_path::direct;
    std::shared_ptr<pair_program const> program; ///< once it was needed
};

inbox::inbox(machine& here, std::optional<message_path> forced) : here_(here), identity_(next_identity()), forced_(forced) {}

std::optional<record> inbox::recognise(std::span<std::byte const> head) const noexcept {
    record r;
    if (head.size() < sizeof r) return std::nullopt;
    std::memcpy(&r, head.data(), sizeof r);
    // The proof of whom it names; whatever else the message is, that one is not in it.
    if (!here_.neighbour(r.rank) || r.slot >= machine::slots || r.proof != here_.proof_of(r.rank)) return std::nullopt;
    message_slot const& s = slot_of(r);
    // All lines that the receiver will write come at once, not one after the other as they are needed.
    __builtin_prefetch(&s.state, 1);
    __builtin_prefetch(&s.front_and_back, 1);
    if (s.sequence != r.sequence || s.receiver != here_.rank()) return std::nullopt;
    return r;
}

std::int64_t inbox::bytes_of(record const& r) const noexcept {
    return static_cast<std::int64_t>(slot_of(r).bytes);
}

template <class Condition> void inbox::await(message_slot& s, Condition const& condition) {
    internal::await(here_.waiting(), condition,
                    [&](double seconds) { here_.look_after(s.sender, seconds, "was receiving a message from that rank"); });
}

void inbox::await_bytes(message_slot& s, std::uint64_t bytes) {
    if (s.filled.load(std::memory_order_acquire) >= bytes) return;
    await(s, [&] { return s.filled.load(std::memory_order_acquire) >= bytes; });
}

/// From here on the message is ours, in the buffer or in a stage.
void inbox::claim(message_slot& s) {
    await(s, [&] {
        auto seen = slot_state::ready;
        return s.state.compare_exchange_strong(seen, slot_state::taken, std::memory_order_acq_rel);
    });
}

inbox::known_pair& inbox::recall(message_slot const& s, message_layout const& target) const {
    // Layouts are named for ever, so what is remembered stays true.
    constexpr std::size_t pairs = 64;
    thread_local std::array<known_pair, pairs> known;
    layout_id const source = s.form->id();
    known_pair& pair = known[(source.serial * 31 + target.id().serial) % pairs];
    distance const apart = here_.apart(s.sender);
    bool const mutual = s.mutual != 0;
    if (pair.owner != identity_ || pair.source != source || pair.target != target.id() || pair.apart != apart ||
        pair.mutual != mutual)
        pair = {identity_, source, target.id(), apart, mutual, decide(s, target), nullptr};
    return pair;
}

message_path inbox::decide(message_slot const& s, message_layout const& target) const {
    message_features m;
    m.bytes = static_cast<index_t>(s.bytes);
    m.source = s.form->how();
    m.target = target.how();
    m.apart = here_.apart(s.sender);
    m.reachable = true;
    m.offered = true;
    m.mutual = s.mutual != 0;
    return choose(m, here_.costs(), forced_).how;
}

arrival inbox::take(record const& r, landing const& where) {
    message_slot& s = slot_of(r);
    claim(s);
    auto const begun = s.row >= 0 ? now_ns() : 0;
    arrival a;
    auto const sent = static_cast<std::int64_t>(s.bytes);
    a.bytes = std::min<std::int64_t>(sent, where.form->bytes());
    a.truncated = sent > a.bytes;
    known_pair* const pair = s.has_stage == 0 ? &recall(s, *where.form) : nullptr;
    bool const told = s.wanted != receivers_choice && !forced_;
    if (told && s.together != 0) here_.followed().wish(s.sender, static_cast<message_path>(s.wanted), s.bytes);
    auto const how = told ? static_cast<message_path>(s.wanted) : pair != nullptr ? pair->how : message_path::staged;
    if (pair == nullptr || (how == message_path::staged && asked_for_stage(s)))
        from_stage(s, where, a.bytes);
    else
        a.how = from_buffer(s, where, *pair, how);
    if (s.timed != 0) s.took_ns = waiting_since::took(s.sent_ns);
    if (s.attended.load(std::memory_order_relaxed) != 0 && here_.distances().due(s.sender, now_ns())) look(s);
    s.how = static_cast<std::uint32_t>(a.how);
    if (s.row >= 0) s.spent_ns = now_ns() - begun;
    s.state.store(slot_state::done, std::memory_order_release);
    return a;
}

/// How far the sender, who attends, is now: for the next messages, of both.
void inbox::look(message_slot& s) {
    constexpr int polls = 20'000; // tens of microseconds, if the sender is busy after all
    std::int64_t begun = 0;
    for (std::uint32_t n = 1; n <= pings; ++n) {
        s.ping.store(n, std::memory_order_release);
        int left = polls;
        while (s.pong.load(std::memory_order_acquire) != n)
            if (--left == 0) return;
        if (n == 1) begun = now_ns();
    }
    s.round_trip_ns = static_cast<double>(now_ns() - begun) / (pings - 1);
    here_.distances().note(s.sender, s.round_trip_ns);
}

/// Asks the sender, who waits, for a stage. It may be busy receiving as well, perhaps from us: then nothing comes of it.
bool inbox::asked_for_stage(message_slot& s) {
    if (s.attended.load(std::memory_order_acquire) == 0) return false;
    s.state.store(slot_state::wanted, std::memory_order_release);
    auto const begun = now_ns();
    await(s, [&] { return s.state.load(std::memory_order_acquire) != slot_state::wanted || now_ns() - begun > courtesy_ns; });
    auto seen = slot_state::wanted;
    if (s.state.compare_exchange_strong(seen, slot_state::taken, std::memory_order_acq_rel)) return false;
    return seen == slot_state::staged;
}

/// Returns the path that was taken in the end.
message_path inbox::from_buffer(message_slot& s, landing const& where, known_pair& pair, message_path how) {
    if (!pair.program) pair.program = programs_.find(*s.form, *where.form);
    auto const program = pair.program;
    bool const push = how == message_path::push && s.attended.load(std::memory_order_acquire) != 0;
    bool const both = how == message_path::both && program->pieces.size() > 1;
    // What only the sender could do, the receiver does if the sender is not there.
    if (!push && !both) {
        run(program->whole, where.buffer, s.buffer);
        return message_path::direct;
    }
    shared_copy copy{s, *program, where.buffer, push ? shared_copy::first_pieces::senders : shared_copy::first_pieces::own};
    if (!push) copy.run_here();
    auto begun = push ? now_ns() : 0;
    std::uint32_t seen = 0;
    await(s, [&] {
        if (push && !copy.over()) {
            // A push is the sender's, unless it is busy receiving as well, perhaps from us.
            auto const now = copy.taken_by_sender();
            if (now != seen) {
                seen = now;
                begun = now_ns();
            } else if (now_ns() - begun > courtesy_ns) {
                copy.run_here();
            }
        }
        return copy.over();
    });
    return push ? message_path::push : message_path::both;
}

void inbox::from_stage(message_slot& s, landing const& where, std::int64_t bytes) {
    std::byte const* const room = here_.memory().at(s.sender, s.stage);
    distance const apart = here_.apart(s.sender);
    index_t const piece_bytes = stage_piece(static_cast<index_t>(s.bytes), apart);
    if (where.form->contiguous()) {
        std::byte* const target = where.buffer + where.form->extent().first;
        for (std::int64_t at = 0; at < bytes; at += piece_bytes) {
            std::int64_t const n = std::min<std::int64_t>(piece_bytes, bytes - at);
            await_bytes(s, static_cast<std::uint64_t>(at + n));
            std::memcpy(target + at, room + at, static_cast<std::size_t>(n));
        }
        return;
    }
    if (bytes < where.form->bytes()) {
        // A receive for more than comes. The stage is a layout that its length names.
        await_bytes(s, static_cast<std::uint64_t>(bytes));
        run(programs_.find(packed_form(bytes), *where.form)->whole, where.buffer, room);
        return;
    }
    bool const far = apart == distance::far;
    auto const chunks = where.form->unpack_chunks(piece_bytes);
    alignas(64) std::array<std::byte, longest_stage_piece> near; // NOLINT(cppcoreguidelines-pro-type-member-init)
    for (packed_chunk const& piece : *chunks) {
        await_bytes(s, static_cast<std::uint64_t>(piece.begin + piece.bytes));
        std::byte const* source = room + piece.begin;
        if (far) {
            std::memcpy(near.data(), source, static_cast<std::size_t>(piece.bytes));
            source = near.data();
        }
        run(piece.program, where.buffer, source);
    }
}

bool inbox::is_asked(int sender) const noexcept {
    if (!here_.neighbour(sender)) return false;
    message_slot const& s = here_.slot_of(sender, machine::slot_by_mpi);
    return s.state.load(std::memory_order_acquire) == slot_state::by_mpi && s.receiver == here_.rank();
}

void inbox::came_by_mpi(int sender, int tag, std::int64_t bytes, std::int64_t at_ns) noexcept {
    message_slot& s = here_.slot_of(sender, machine::slot_by_mpi);
    auto seen = slot_state::by_mpi;
    if (!s.state.compare_exchange_strong(seen, slot_state::taken, std::memory_order_acq_rel)) return;
    // What was asked about may have been another one meanwhile.
    bool const it = s.receiver == here_.rank() && s.tag == tag && s.bytes == static_cast<std::uint64_t>(bytes);
    if (it) s.took_ns = waiting_since::took(s.sent_ns, at_ns);
    s.state.store(it ? slot_state::done : slot_state::by_mpi, std::memory_order_release);
}

void inbox::copy(message_layout const& source, std::byte const* from, landing const& where) {
    run(programs_.find(source, *where.form)->whole, where.buffer, from);
}

void inbox::refuse(record const& r) {
    message_slot& s = slot_of(r);
    claim(s);
    s.state.store(slot_state::done, std::memory_order_release);
}

void inbox::refuse(int sender, int tag, std::span<std::byte const> head) {
    if (!here_.neighbour(sender)) return;
    std::optional<record> oldest;
    for (std::uint32_t slot = 0; slot < machine::slots; ++slot) {
        message_slot const& s = here_.slot_of(sender, slot);
        if (s.state.load(std::memory_order_acquire) != slot_state::ready || s.receiver != here_.rank() || s.tag != tag) continue;
        record const r{here_.proof_of(sender), sender, slot, s.sequence};
        if (std::memcmp(&r, head.data(), std::min(head.size(), sizeof r)) != 0) continue;
        if (!oldest || r.sequence < oldest->sequence) oldest = r;
    }
    if (oldest) refuse(*oldest);
}

} // namespace sode::internal::interpose
