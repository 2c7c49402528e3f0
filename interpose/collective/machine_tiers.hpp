// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstddef>
#include <map>
#include <span>
#include <vector>

namespace sode::internal::interpose {

/// The ranks of a communicator by their machines. The first rank of each machine leads it: it speaks with the others' leaders.
struct machine_tiers {
    std::vector<int> machine_of; ///< of each rank: its machine, in the order in which they come
    std::vector<int> place_of;   ///< of each rank: its place among those of its machine
    std::vector<int> sizes;      ///< of each machine: how many ranks of the communicator are there
    bool in_blocks = true;       ///< the ranks of each machine follow each other

    machine_tiers() = default;
    /// `names`: of the machine of each rank, any numbers.
    explicit machine_tiers(std::span<int const> names) {
        std::map<int, int> met;
        for (int const name : names) {
            auto const [at, fresh] = met.try_emplace(name, static_cast<int>(sizes.size()));
            if (fresh) sizes.push_back(0);
            in_blocks = in_blocks && at->second == static_cast<int>(sizes.size()) - 1;
            machine_of.push_back(at->second);
            place_of.push_back(sizes[static_cast<std::size_t>(at->second)]++);
        }
    }

    [[nodiscard]] int machines() const noexcept { return static_cast<int>(sizes.size()); }
    /// Of the machine that has the most.
    [[nodiscard]] int widest() const noexcept { return sizes.empty() ? 0 : *std::max_element(sizes.begin(), sizes.end()); }
    [[nodiscard]] int machine(int rank) const noexcept { return machine_of[static_cast<std::size_t>(rank)]; }
    [[nodiscard]] int place(int rank) const noexcept { return place_of[static_cast<std::size_t>(rank)]; }
    [[nodiscard]] int size(int machine) const noexcept { return sizes[static_cast<std::size_t>(machine)]; }
};

} // namespace sode::internal::interpose
