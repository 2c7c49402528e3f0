// SPDX-License-Identifier: Apache-2.0
#include "interpose/transport/machine.hpp"

#include "base/machine_share.hpp"
#include "base/message.hpp"
#include "base/task_board.hpp"
#include "base/warn.hpp"
#include "model/common_settings.hpp"

#include <sode/error.hpp>

#include <fmt/format.h>
#include <random>

namespace sode::interpose {

namespace {

nonce random_nonce() {
    std::random_device chance;
    auto const word = [&] { return std::uint64_t{chance()} << 32 | chance(); };
    return {word(), word()};
}

} // namespace

machine::machine(config const& settings) {
    speak_as(speaker::process, boot_.rank(), boot_.size());
    auto const share = find_machine_share(boot_);
    waiting_ = make_wait_policy(settings, share.ranks, share.processors);
    costs_ = agree_on_settings(boot_, settings).costs;
    memory_ = make_open_space(boot_, settings.segment_bytes, wanted_space(settings));
    alive_ = std::make_unique<liveness>(boot_, *memory_);

    end mine;
    mine.proof = random_nonce();
    mine.slots = memory_->offset(memory_->allocate(slots * sizeof(message_slot)));
    if (auto const place = own_task_place(); place && wanted_space(settings) != space_choice::segment) {
        board_ = place->board;
        mine.address_space = reinterpret_cast<std::uintptr_t>(board_);
        mine.place = place->index;
        mine.pid = board_->entries[place->index].pid.load();
    }
    ends_.resize(static_cast<std::size_t>(boot_.size()));
    boot_.allgather(&mine, sizeof mine, ends_.data());

    for (int r = 0; r < boot_.size(); ++r) has_neighbours_ = has_neighbours_ || neighbour(r);
    distances_ = std::make_unique<recent_distances>(boot_.size() > 1 ? probe_job(boot_, *memory_) : distance_table{}, boot_.rank(),
                                                    boot_.size());
}

bool machine::neighbour(int rank) const noexcept {
    return rank >= 0 && rank < boot_.size() && rank != boot_.rank() && memory_->contains(rank);
}

bool machine::reachable(int rank) const noexcept {
    if (!neighbour(rank) || board_ == nullptr) return false;
    auto const& other = ends_[static_cast<std::size_t>(rank)];
    // Boards of two address spaces may lie at one address, but not with one process in both.
    return reinterpret_cast<std::uintptr_t>(board_) == other.address_space && board_->entries[other.place].pid.load() == other.pid;
}

message_slot& machine::slot_of(int rank, std::uint32_t slot) const noexcept {
    return reinterpret_cast<message_slot*>(memory_->at(rank, ends_[static_cast<std::size_t>(rank)].slots))[slot];
}

void machine::look_after(int rank, double waited, char const* doing) {
    if (auto const how = alive_->departed(rank))
        throw error{error_kind::peer, fmt::format("rank {} left while this rank {}", rank, doing), *how,
                    "see what that rank said before it left"};
    if (waiting_.warn_s > 0 && waited > waiting_.warn_s && !warned_.exchange(true))
        warn(fmt::format("it has waited {:.0f} s for rank {}", waited, rank),
             fmt::format("this rank {}, that rank is alive", doing));
    if (waiting_.timeout_s > 0 && waited > waiting_.timeout_s)
        throw error{error_kind::timeout, fmt::format("it has waited {:.3g} s for rank {}, while it {}", waited, rank, doing),
                    fmt::format("SODE_TIMEOUT is {:.3g} s", waiting_.timeout_s), "look at what that rank does, or allow more time"};
}

} // namespace sode::interpose
