// SPDX-License-Identifier: Apache-2.0
#include "space/wired_space.hpp"

#include <utility>
#include <vector>

namespace sode::internal {

wired_space::wired_space(std::shared_ptr<space> whole, machine_map machines, int rank)
    : whole_(std::move(whole)), machines_(std::move(machines)), rank_(rank) {}

bool wired_space::contains(int rank) const noexcept {
    return machines_.together(rank, rank_);
}

int wired_space::owner_of(void const* address) const noexcept {
    int const owner = whole_->owner_of(address);
    return owner >= 0 && contains(owner) ? owner : -1;
}

machine_map subclusters_of(machine_map const& machines, int machines_each) {
    std::vector<int> all = machines.list();
    for (int& m : all) m /= machines_each;
    return machine_map{all};
}

} // namespace sode::internal
