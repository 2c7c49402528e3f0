// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "stencil/contest.hpp"

#include <string>

namespace sode::internal::bench {

/// Adds "limit:from L2" (support/limit.hpp): each rank by itself takes single steps of a small problem whose fields stay in its L2
/// cache, until it has computed as many points as a step of its part of the whole has. No memory, no neighbour: what time tiles can
/// reach at best. The small problem has short rows, so it is a limit of this loop, not of the processor. Collective.
void add_limit_from_cache(contest& race, int ranks, std::string const& problem, problem_size size);

} // namespace sode::internal::bench
