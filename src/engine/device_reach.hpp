// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "device/accelerator.hpp"
#include "space/quarantine.hpp"
#include "space/team.hpp"

#include <string>
#include <vector>

namespace sode::internal {

/// Whether all ranks of a team have devices that load and store the memory of the devices of all others on their machine.
struct device_reach {
    bool all = false;
    std::vector<int> sockets; ///< of the devices, by rank (accelerator::socket())
    std::string why_not;      ///< in words for the user; empty: `all`, or the devices themselves do not reach each other
};

/// Collective among the ranks of the team. If they are processes, each opens a block of each other rank's device on its
/// machine, which stays open. Equal on all of them. Errors: those of team::meet. Cost: an allgather, two meetings, and what the
/// driver takes to open a block, the first time.
[[nodiscard]] device_reach find_reach(team& ranks, space& memory, quarantine& freed, accelerator& device);

} // namespace sode::internal
