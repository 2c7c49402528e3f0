// SPDX-License-Identifier: Apache-2.0
#include "interpose/collective/repeated_plans.hpp"

#include "interpose/collective/bound_call.hpp"
#include "interpose/collective/bound_exchange.hpp"
#include "interpose/collective/collective_service.hpp"
#include "layout/kernel_choice.hpp"
#include "model/job.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace sode::internal::interpose {

namespace {

// What a rank says of a wish. Only what all ranks say counts.
constexpr std::uint64_t can_combine = 1, can_exchange = 2, is_short_enough = 4, surely_has_room = 8, should_read = 16;

} // namespace

std::int64_t repeated_wish::longest() const noexcept {
    return combined ? combined->what.bytes : exchanged ? exchanged->longest : 0;
}

std::int64_t repeated_wish::memory(int ranks) const noexcept {
    constexpr std::int64_t lines = 4096;
    // A room of its own and four stages, or two rooms and two stages.
    if (!combined) return exchanged ? lines + 3 * exchanged->bytes : 0;
    bool const deals = combined->what.what == planned_function::reduce_scatter_block || !dealt.empty();
    return lines + 5 * combined->what.bytes * (deals ? ranks : 1);
}

struct repeated_plans::agreed {
    bool heard = false;
    std::uint64_t all = 0;
};

repeated_plans::~repeated_plans() {
    if (!all_.empty()) service_.keep(std::move(all_));
}

/// Collective, in a call in which ranks may wait for each other. A plan that one rank has done with may still be read by others, so
/// those go that all ranks have freed.
repeated_plans::agreed repeated_plans::agree(std::uint64_t mine) {
    constexpr std::size_t word = 64;
    std::array<std::uint64_t, 1 + most / word> bits{mine};
    for (std::size_t i = 0; i < all_.size(); ++i)
        if (all_[i] && all_[i]->is_free()) bits[1 + i / word] |= std::uint64_t{1} << i % word;
    int const words = static_cast<int>(all_.empty() ? 1 : bits.size());
    if (mpi_itself().allreduce(MPI_IN_PLACE, bits.data(), words, MPI_UINT64_T, MPI_BAND, communicator_) != MPI_SUCCESS) return {};
    for (std::size_t i = 0; i < all_.size(); ++i) {
        if ((bits[1 + i / word] >> i % word & 1U) == 0) continue;
        if (all_[i]->memory() <= much) bytes_ -= all_[i]->memory();
        all_[i].reset();
    }
    return {true, bits[0]};
}

bool repeated_plans::has_room(repeated_wish const& wish) const noexcept {
    bool const has_place = all_.size() < most || std::find(all_.begin(), all_.end(), nullptr) != all_.end();
    auto const wanted = wish.memory(ranks_);
    return has_place && (wanted > much ? service_.has_room() : bytes_ + wanted <= most_bytes);
}

bool repeated_plans::is_short(repeated_wish const& wish) const noexcept {
    auto const together = most_together / ranks_;
    return wish.longest() <= (service_.always() ? together : std::min(together, strings_in_force() ? longest_by_strings : longest));
}

repeated_plan* repeated_plans::make(std::shared_ptr<detail::job> const& part, repeated_wish&& wish, left_to_mpi& why) {
    std::uint64_t mine = 0;
    if (wish.combined) mine |= can_combine;
    if (wish.exchanged && bound_exchange::can_be(*part, *wish.exchanged)) {
        mine |= can_exchange;
        if (bound_exchange::should_read(*part, *wish.exchanged)) mine |= should_read;
    }
    if (is_short(wish)) mine |= is_short_enough;
    if (has_room(wish)) mine |= surely_has_room;
    auto const [heard, all] = agree(mine);
    why = (all & (can_combine | can_exchange)) == 0 ? left_to_mpi::types : left_to_mpi::length;
    if (!heard || (all & (can_combine | can_exchange)) == 0 || (all & is_short_enough) == 0) return nullptr;
    why = left_to_mpi::full;
    // Where some rank had no room before others had freed theirs, all look again.
    if ((all & surely_has_room) == 0 && agree(has_room(wish) ? 1 : 0).all == 0) return nullptr;
    auto const wanted = wish.memory(ranks_);
    std::unique_ptr<startable> plan;
    bool const reads = (all & should_read) != 0;
    if ((all & can_combine) != 0 && !reads)
        plan = std::make_unique<bound_call>(*part, *wish.combined, std::move(wish.dealt));
    else
        plan = std::make_unique<bound_exchange>(*part, std::move(*wish.exchanged), name_of(wish.what), reads);
    auto made = std::make_unique<repeated_plan>(service_, part, wish.what, std::move(plan), wanted,
                                                wanted > much ? service_.hold(wanted) : held_memory{}, communicator_);
    auto place = std::find(all_.begin(), all_.end(), nullptr);
    if (place == all_.end()) place = all_.insert(place, nullptr);
    *place = std::move(made);
    if (wanted <= much) bytes_ += wanted;
    return place->get();
}

std::vector<std::unique_ptr<repeated_plan>> repeated_plans::end() {
    if (!all_.empty()) static_cast<void>(agree(0));
    std::erase(all_, nullptr);
    return std::exchange(all_, {});
}

} // namespace sode::internal::interpose
