// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "array/exchange/exchange_spec.hpp"
#include "collective/block_terms.hpp"

#include <optional>

namespace sode::internal {

/// What one rank's ends are, if those of all others are of the same kind: an allgather or alltoall of equal blocks. A rank sends
/// one message to each other rank and receives one of each, of equally many bytes; of an allgather it sends the same bytes to all.
struct block_shape {
    block_kind kind = block_kind::allgather;
    std::int64_t bytes = 0;
};
[[nodiscard]] std::optional<block_shape> block_shape_of(rank_ends const& ends, int rank, int ranks);

/// The same ends as blocks.
[[nodiscard]] blocks_of_rank blocks_of(rank_ends const& ends, block_kind kind, int ranks);

} // namespace sode::internal
