// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "array/exchange/own_ends.hpp"
#include "array/exchange/regular_blocks.hpp"
#include "collective/block_catalogue.hpp"
#include "engine/prepared.hpp"
#include "model/job.hpp"

#include <memory>

namespace sode::internal {

/// An allgather or alltoall of equal blocks over several machines by Bruck's algorithm, if it is asked for, or cheaper than a
/// message for each pair of ranks. Collective. Null, on all ranks alike: it goes as other messages do. `can`: this rank can take
/// part. Errors: usage, on all ranks alike, if it is asked for and the ends are something else, or a machine has too few ranks for
/// the leaders.
[[nodiscard]] std::unique_ptr<prepared> prepare_blocks(detail::job& j, exchange_terms const& terms, own_ends const& mine, bool can,
                                                       std::optional<bruck_wish> const& wish);

} // namespace sode::internal
