// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "array/exchange/exchange_spec.hpp"
#include "collective/block_terms.hpp"

#include <optional>
#include <string_view>

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

/// What a user may ask for: "bruck", "bruck:4" (radix), "bruck:4:2" (radix and leaders).
struct bruck_wish {
    int radix = 0;   ///< 0: the model chooses
    int leaders = 0; ///< likewise
};
/// None: `channel` is something else. Errors: usage, for numbers that make no sense.
[[nodiscard]] std::optional<bruck_wish> bruck_wish_of(std::string_view channel);

} // namespace sode::internal
