// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "array/exchange/exchange_spec.hpp"
#include "engine/binding.hpp"
#include "space/space.hpp"

#include <sode/exchange.hpp>

#include <span>

namespace sode::internal {

/// What this rank sends and receives, and where its regions are.
struct own_ends {
    rank_ends told;
    std::vector<bound_array> places; ///< by region
};

/// Errors: usage, for a peer that does not exist, null memory, or memory that is received into while something else is done to it;
/// environment, for a datatype of too many blocks that are no nest. Cost: O(ends), O(blocks) of ends whose extents meet.
[[nodiscard]] own_ends take_ends(std::span<message_end const> ends, int rank, int ranks, space const& memory);

} // namespace sode::internal
