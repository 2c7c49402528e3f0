// SPDX-License-Identifier: Apache-2.0
#include "interpose/transport/shared_copy.hpp"

#include <algorithm>
#include <optional>

namespace sode::internal::interpose {

namespace {

constexpr unsigned half = 32; // of front_and_back: the receiver's count below, the sender's above

enum class copier : std::uint8_t { receiver, sender };

struct pieces {
    std::uint32_t begin;
    std::uint32_t end;
};

/// Half of what is left: each taking is a cache line that goes to and fro, behind all stores before it, so there should be few, and
/// the last ones small, so that both end together.
std::optional<pieces> take(message_slot& s, copier who) noexcept {
    std::uint32_t const all = s.pieces;
    auto taken = s.front_and_back.load(std::memory_order_relaxed);
    while (true) {
        auto const front = static_cast<std::uint32_t>(taken);
        auto const back = static_cast<std::uint32_t>(taken >> half);
        if (front + back >= all) return std::nullopt;
        std::uint32_t const n = (all - front - back + 1) / 2;
        std::uint64_t const more = who == copier::receiver ? n : std::uint64_t{n} << half;
        if (s.front_and_back.compare_exchange_weak(taken, taken + more, std::memory_order_relaxed))
            return who == copier::receiver ? pieces{front, front + n} : pieces{all - back - n, all - back};
    }
}

void run_pieces(pair_program const& program, pieces which, std::byte* target, std::byte const* source) noexcept {
    for (std::uint32_t i = which.begin; i < which.end; ++i) run(program.pieces[i], target, source);
}

} // namespace

shared_copy::shared_copy(message_slot& s, pair_program const& program, std::byte* target, first_pieces whose)
    : slot_(s), program_(program), target_(target), finished_from_(s.finished.load(std::memory_order_relaxed)) {
    auto const all = static_cast<std::uint32_t>(program.pieces.size());
    own_ = whose == first_pieces::senders ? 0 : std::max(1U, all * 3 / 8);
    s.program = &program;
    s.target = target;
    s.pieces = all;
    s.front_and_back.store(own_, std::memory_order_relaxed);
    s.state.store(slot_state::shared, std::memory_order_release);
}

void shared_copy::run_here() {
    std::byte const* const source = slot_.buffer;
    // Its pieces follow each other, so their count is where the next one begins.
    for (std::optional which{pieces{run_, std::max(run_, own_)}}; which; which = take(slot_, copier::receiver)) {
        run_pieces(program_, *which, target_, source);
        run_ = which->end;
    }
}

bool shared_copy::over() const noexcept {
    return slot_.finished.load(std::memory_order_acquire) - finished_from_ + run_ == slot_.pieces;
}

std::uint32_t shared_copy::taken_by_sender() const noexcept {
    return static_cast<std::uint32_t>(slot_.front_and_back.load(std::memory_order_relaxed) >> half);
}

void help(message_slot& s) noexcept {
    while (auto const which = take(s, copier::sender)) {
        run_pieces(*s.program, *which, s.target, s.buffer);
        s.finished.store(s.finished.load(std::memory_order_relaxed) + (which->end - which->begin), std::memory_order_release);
    }
}

} // namespace sode::internal::interpose
