// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "collective/block_terms.hpp"
#include "cost/expense.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace sode::internal {

// What the catalogue is to collectives, for allgather and alltoall of equal blocks over several machines: Bruck's algorithm, or a
// message for each pair of ranks.

/// What a user may ask for: "bruck", "bruck:4" (radix), "bruck:4:2" (radix and leaders).
struct bruck_wish {
    int radix = 0;   ///< 0: the model chooses
    int leaders = 0; ///< likewise
};
/// None: `channel` is something else. Errors: usage, for numbers that make no sense.
[[nodiscard]] std::optional<bruck_wish> bruck_wish_of(std::string_view channel);
/// "bruck:4 by 2 leaders", of the radix and the leaders of the terms.
[[nodiscard]] std::string name_of_bruck(block_terms const& t);

struct chosen_blocks {
    bool bruck = false;
    expense expected{};
    expense instead{}; ///< by the other way
};
/// Sets radix and leaders to those that are asked for, else to those that cost least, and says whether Bruck's algorithm is
/// asked for, or costs less than pairs. The same on all ranks. Errors: usage, if a machine has fewer ranks than leaders.
[[nodiscard]] chosen_blocks choose_blocks(block_terms& t, std::optional<bruck_wish> const& wish);

} // namespace sode::internal
