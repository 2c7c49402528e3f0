// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/machine_map.hpp"

#include <cstddef>
#include <vector>

namespace sode::internal {

/// Which core each rank computes on. The ranks of a machine are dealt out to its cores in turn, as a launcher does it.
class core_map {
public:
    /// A core for each rank.
    core_map() = default;
    /// \param cores of each machine; 0: a core for each rank
    core_map(machine_map const& machines, int cores);

    [[nodiscard]] bool together(int a, int b) const noexcept {
        return a == b || (shared() && a >= 0 && core_[at(a)] == core_[at(b)]);
    }
    /// Some ranks share a core. Only then may the following be asked.
    [[nodiscard]] bool shared() const noexcept { return !core_.empty(); }
    [[nodiscard]] std::size_t cores() const noexcept { return ranks_of_.size(); }
    [[nodiscard]] int of(int rank) const noexcept { return core_[at(rank)]; }
    /// The place of a rank among those of its core.
    [[nodiscard]] int place(int rank) const noexcept { return place_[at(rank)]; }
    [[nodiscard]] std::vector<int> const& ranks_of(int core) const noexcept { return ranks_of_[at(core)]; }
    /// The machines have a core each: nobody's lines are in the cache of another one.
    [[nodiscard]] bool one_each() const noexcept { return cores_ == 1 && shared(); }
    /// Ranks on the core of this one.
    [[nodiscard]] int beside(int rank) const noexcept { return shared() ? static_cast<int>(ranks_of(of(rank)).size()) : 1; }

private:
    [[nodiscard]] static std::size_t at(int i) noexcept { return static_cast<std::size_t>(i); }

    int cores_ = 0;                          // of a machine
    std::vector<int> core_, place_;          // empty: nothing is shared
    std::vector<std::vector<int>> ranks_of_; // by core
};

} // namespace sode::internal
