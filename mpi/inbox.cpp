// SPDX-License-Identifier: Apache-2.0
#include "inbox.hpp"

#include "base/clock.hpp"
#include "base/wait.hpp"
#include "pieces.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace sode::interpose {

namespace {

// How long a sender may take to begin what was asked of it.
constexpr std::int64_t courtesy_ns = 20'000;

} // namespace

inbox::inbox(node& here, std::optional<message_path> forced) : here_(here), forced_(forced) {}

std::optional<record> inbox::recognise(std::span<std::byte const> head) const noexcept {
    record r;
    if (head.size() < sizeof r) return std::nullopt;
    std::memcpy(&r, head.data(), sizeof r);
    // The proof of whom it names; whatever else the message is, that one is not in it.
    if (!here_.neighbour(r.rank) || r.slot >= node::slots || r.proof != here_.proof_of(r.rank)) return std::nullopt;
    message_slot const& s = slot_of(r);
    if (s.sequence != r.sequence || s.receiver != here_.rank()) return std::nullopt;
    return r;
}

std::int64_t inbox::bytes_of(record const& r) const noexcept {
    return static_cast<std::int64_t>(slot_of(r).bytes);
}

template <class Condition> void inbox::await(message_slot& s, Condition const& condition) {
    waiter w{here_.waiting()};
    while (!condition())
        if (w.step() && !condition()) here_.look_after(s.sender, w.elapsed(), "was receiving a message of it");
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
    if (s.has_stage == 0) a.how = decide(s, *where.form);
    bool const by_stage = s.has_stage != 0 || (a.how == message_path::staged && asked_for_stage(s));
    // What only the sender could do, the receiver does if the sender is not there.
    if (!by_stage && a.how == message_path::staged) a.how = message_path::direct;
    if (by_stage)
        from_stage(s, where, a.bytes);
    else
        a.how = from_buffer(s, where, a.how);
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
message_path inbox::from_buffer(message_slot& s, landing const& where, message_path how) {
    auto const program = programs_.find(*s.form, *where.form);
    auto const pieces = static_cast<std::uint32_t>(program->pieces.size());
    bool const push = how == message_path::push && s.attended.load(std::memory_order_acquire) != 0;
    if (how == message_path::direct || (how == message_path::push && !push) || pieces == 0 ||
        (how == message_path::both && pieces < 2)) {
        run(program->whole, where.buffer, s.buffer);
        return message_path::direct;
    }
    s.program = program.get();
    s.target = where.buffer;
    s.pieces = pieces;
    s.state.store(slot_state::shared, std::memory_order_release);
    std::uint32_t run_here = 0;
    auto begun = now_ns();
    auto seen = s.front_and_back.load(std::memory_order_relaxed);
    await(s, [&] {
        // A push is the sender's, unless it is busy receiving as well, perhaps from us.
        auto const now = s.front_and_back.load(std::memory_order_relaxed);
        if (push && now != seen) {
            seen = now;
            begun = now_ns();
        }
        if (!push || now_ns() - begun > courtesy_ns)
            while (auto const piece = next_piece(s, copier::receiver)) {
                run(program->pieces[*piece], where.buffer, s.buffer);
                ++run_here;
            }
        return s.finished.load(std::memory_order_acquire) + run_here == pieces;
    });
    return how;
}

void inbox::from_stage(message_slot& s, landing const& where, std::int64_t bytes) {
    std::byte const* const room = here_.memory().at(s.sender, s.stage);
    if (where.form->contiguous()) {
        std::byte* const target = where.buffer + where.form->extent().first;
        for (std::int64_t at = 0; at < bytes; at += stage_piece) {
            std::int64_t const n = std::min<std::int64_t>(stage_piece, bytes - at);
            await_bytes(s, static_cast<std::uint64_t>(at + n));
            std::memcpy(target + at, room + at, static_cast<std::size_t>(n));
        }
        return;
    }
    if (bytes < where.form->bytes()) {
        // A receive for more than comes. The stage is a layout that its length names.
        await_bytes(s, static_cast<std::uint64_t>(bytes));
        constexpr std::uint64_t not_a_process = ~std::uint64_t{0};
        message_layout const staged{layout_id{not_a_process, static_cast<std::uint64_t>(bytes)},
                                    std::make_shared<layout const>(contiguous(0, bytes))};
        run(programs_.find(staged, *where.form)->whole, where.buffer, room);
        return;
    }
    bool const far = here_.apart(s.sender) == distance::far;
    auto const chunks = where.form->unpack_chunks(stage_piece);
    alignas(64) std::array<std::byte, stage_piece> near; // NOLINT(cppcoreguidelines-pro-type-member-init)
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

void inbox::refuse(record const& r) {
    message_slot& s = slot_of(r);
    claim(s);
    s.state.store(slot_state::done, std::memory_order_release);
}

void inbox::refuse(int sender, int tag, std::span<std::byte const> head) {
    if (!here_.neighbour(sender)) return;
    std::optional<record> oldest;
    for (std::uint32_t slot = 0; slot < node::slots; ++slot) {
        message_slot const& s = here_.slot_of(sender, slot);
        if (s.state.load(std::memory_order_acquire) != slot_state::ready || s.receiver != here_.rank() || s.tag != tag) continue;
        record const r{here_.proof_of(sender), sender, slot, s.sequence};
        if (std::memcmp(&r, head.data(), std::min(head.size(), sizeof r)) != 0) continue;
        if (!oldest || r.sequence < oldest->sequence) oldest = r;
    }
    if (oldest) refuse(*oldest);
}

} // namespace sode::interpose
