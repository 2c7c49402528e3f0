// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cost/profile.hpp"

#include <sode/detail/tile_order.hpp>

namespace sode::internal {

/// A pass of several steps between ranks of one machine, where the outermost dimension is split. Equal on all ranks.
struct handing_load {
    detail::handed_rows rows{};
    int sides = 1;              ///< on which the rank with most neighbours has some
    index_t block_rows = 1;     ///< of the largest block
    index_t point_bytes = 8;    ///< of a row: both halves of what changes, and what does not
    index_t changing_bytes = 8; ///< of a row: one half of what changes
    double step_ns = 0;         ///< of a step of a block, measured; 0: nobody has measured it
    double start_ns = 0;        ///< of an exchange, beside its flags and bytes
};

/// What differs between two ways to get at rows that a neighbour owns. Nanoseconds of a pass, of the rank with most neighbours.
struct handing_costs {
    double twice = 0;  ///< computing them, and fetching the wide halo for that
    double handed = 0; ///< their copies, and what is waited for

    [[nodiscard]] bool worth_it() const noexcept { return handed < twice; }
};

/// Closed form. A row costs what was measured, or that its bytes go through the core once.
[[nodiscard]] handing_costs weigh(handing_load const& load, pair_costs const& between) noexcept;

} // namespace sode::internal
