// SPDX-License-Identifier: Apache-2.0
#include "evaluation/core_map.hpp"

#include <algorithm>

namespace sode::internal {

core_map::core_map(machine_map const& machines, int cores) : cores_(cores) {
    int most = 0;
    for (int m = 0; m < machines.machines(); ++m) most = std::max(most, machines.on(m).size());
    if (cores == 0 || most <= cores) return;
    ranks_of_.resize(at(cores) * at(machines.machines()));
    core_.resize(at(machines.ranks()));
    place_.resize(core_.size());
    for (int m = 0; m < machines.machines(); ++m) {
        auto const members = machines.on(m);
        for (int i = 0; i < members.size(); ++i) {
            int const core = m * cores + i % cores;
            auto& list = ranks_of_[at(core)];
            core_[at(members[i])] = core;
            place_[at(members[i])] = static_cast<int>(list.size());
            list.push_back(members[i]);
        }
    }
}

} // namespace sode::internal
