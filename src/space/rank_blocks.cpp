// SPDX-License-Identifier: Apache-2.0
#include "space/rank_blocks.hpp"

#include <array>
#include <vector>

namespace sode::internal {

rank_blocks::rank_blocks(bootstrap& boot, space& memory, std::size_t bytes, std::function<void(std::byte*)> const& fill)
    : memory_(memory), rank_(boot.rank()), own_(memory.allocate(bytes)), place_(memory.block_of(own_)) {
    fill(own_);
    std::array<std::uint64_t, 2> maxima{place_.offset, ~place_.offset};
    boot.combine(maxima, {});
    if (maxima[0] == ~maxima[1]) return;
    std::vector<block_place> all(static_cast<std::size_t>(boot.size()));
    boot.allgather(&place_, sizeof place_, all.data());
    for (int r = 0; r < boot.size(); ++r)
        if (memory_.contains(r)) places_.emplace(r, all[static_cast<std::size_t>(r)]);
}

std::byte* rank_blocks::of(int rank) const {
    if (rank == rank_) return own_;
    if (!memory_.contains(rank)) return nullptr;
    auto const& place = places_.empty() ? place_ : places_.at(rank);
    memory_.open(rank, place);
    return memory_.at(rank, place.offset);
}

} // namespace sode::internal
