// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/machine_share.hpp"
#include "cost/profile.hpp"

#include <cstdint>
#include <string>

namespace sode::internal {

/// Why ranks of this machine cannot have a processor each for engines beside them; empty if they can. Processors are spare if they
/// are declared (a list such as 4-7,12) and no rank may run on them.
[[nodiscard]] std::string lacks_spare_processors(std::string const& declared, machine_share const& share);

/// How many of the declared processors each rank of this machine has for threads beside it, where they lack none: 1 or more, and
/// no more than there are uses for (an interface for each of three trees, and one for all else).
[[nodiscard]] int spare_for_each_rank(std::string const& declared, machine_share const& share);

/// From how many bytes on a plan is handed over to an engine beside the rank: to hand it over, and to hear that it is over, costs a
/// tenth of it then, if the rank does nothing meanwhile.
[[nodiscard]] std::int64_t bytes_worth_an_engine(profile const& costs) noexcept;
/// The same, if the rank has other work for that share of its time (0 to 1): then to hand it over costs no more than is saved. 0:
/// never, which is the greatest number.
[[nodiscard]] std::int64_t bytes_worth_an_engine(profile const& costs, double overlap) noexcept;

} // namespace sode::internal
