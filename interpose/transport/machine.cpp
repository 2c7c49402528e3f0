// SPDX-License-Identifier: Apache-2.0
#include "interpose/transport/machine.hpp"

#include "base/machine_share.hpp"
#include "base/message.hpp"
#include "base/task_board.hpp"
#include "base/warn.hpp"
#include "model/common_settings.hpp"
#include "space/shared_machines.hpp"

#include <sode/error.hpp>

#include <fmt/format.h>
#include <random>

namespace sode::internal::interpose {

namespace {

nonce random_nonce() {
    std::random_device chance;
    auto const word = [&] { return std::uint64_t{chance()} << 32 | chance(); };
    return {word(), word()};
}

} // namespace

machine::machine(config const& settings)
    : share_(find_machine_share(boot_)), machines_(shared_machines(boot_.divide(settings.machine_size))),
      members_(machines_.on(machines_.of(boot_.rank()))) {
    speak_as(speaker::process, boot_.rank(), boot_.size());
    waiting_ = make_wait_policy(settings, share_.ranks, share_.processors);
    costs_ = agree_on_settings(boot_, settings).costs;
    memory_ = make_space(boot_, machines_, settings.segment_bytes, wanted_space(settings));
    for (int const r : members_) memory_->open(r, {0, UINT64_MAX}); // blocks are heard of while messages are under way
    alive_ = std::make_unique<liveness>(boot_, *memory_);

    end mine;
    mine.proof = random_nonce();
    mine.slots = memory_->offset(memory_->allocate(slots * sizeof(message_slot)));
    mine.met = memory_->offset(memory_->allocate(64)); // read with every message: a line of its own
    if (is_first()) mine.learnt = memory_->offset(memory_->allocate(choice_board::places * sizeof(choice_board::entry)));
    if (auto const place = own_task_place(); place && wanted_space(settings) != space_choice::segment) {
        board_ = place->board;
        mine.address_space = reinterpret_cast<std::uintptr_t>(board_);
        mine.place = place->index;
        mine.pid = board_->entries[place->index].pid.load();
    }
    std::vector<end> all(static_cast<std::size_t>(boot_.size()));
    boot_.allgather(&mine, sizeof mine, all.data());
    for (int const r : members_) ends_.push_back(all[static_cast<std::size_t>(r)]);

    auto* const shared = memory_->at(*members_.begin(), ends_.front().learnt);
    learnt_ = choice_board{
        std::span<choice_board::entry, choice_board::places>{reinterpret_cast<choice_board::entry*>(shared), choice_board::places}};

    has_neighbours_ = members_.size() > 1;
    distances_ = std::make_unique<recent_distances>(boot_.size() > 1 ? probe_job(boot_, *memory_) : distance_table{}, boot_.rank(),
                                                    machines_);
}

bool machine::is_first() const noexcept {
    return *members_.begin() == boot_.rank();
}

bool machine::neighbour(int rank) const noexcept {
    return rank >= 0 && rank < boot_.size() && rank != boot_.rank() && memory_->contains(rank);
}

bool machine::reachable(int rank) const noexcept {
    if (!neighbour(rank) || board_ == nullptr) return false;
    auto const& other = end_of(rank);
    // Boards of two address spaces may lie at one address, but not with one process in both.
    return reinterpret_cast<std::uintptr_t>(board_) == other.address_space && board_->entries[other.place].pid.load() == other.pid;
}

bool machine::reaches_any() const noexcept {
    bool any = false;
    for (int const rank : members_) any = any || reachable(rank);
    return any;
}

message_slot& machine::slot_of(int rank, std::uint32_t slot) const noexcept {
    return reinterpret_cast<message_slot*>(memory_->at(rank, end_of(rank).slots))[slot];
}

std::atomic<std::uint32_t>& machine::met_of(int rank) const noexcept {
    return *reinterpret_cast<std::atomic<std::uint32_t>*>(memory_->at(rank, end_of(rank).met));
}

void machine::look_after(int rank, double waited, char const* doing) {
    if (auto const how = alive_->departed(rank))
        throw error{error_kind::peer, fmt::format("rank {} terminated while this rank {}", rank, doing), *how,
                    "look at the output of that rank"};
    if (waiting_.warn_s > 0 && waited > waiting_.warn_s && !warned_.exchange(true))
        warn(fmt::format("this rank has waited {:.0f} s for rank {}", waited, rank),
             fmt::format("this rank {}, and rank {} is alive", doing, rank));
    if (waiting_.timeout_s > 0 && waited > waiting_.timeout_s)
        throw error{error_kind::timeout, fmt::format("this rank has waited {:.3g} s for rank {}", waited, rank),
                    fmt::format("this rank {}; SODE_TIMEOUT is {:.3g} s", doing, waiting_.timeout_s),
                    "check what that rank does, or raise SODE_TIMEOUT"};
}

} // namespace sode::internal::interpose
