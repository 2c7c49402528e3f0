// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "model/block_faces.hpp"
#include "model/makespan.hpp"

#include <cstdint>
#include <vector>

namespace sode::internal::tools {

/// `sode plan --tiles`.
struct tile_options {
    std::int64_t most = 0; ///< steps at a time; 0: it was not asked for
    double cached = 0;     ///< nanoseconds of a point that comes from the cache; 0: as from memory
};

/// Errors: usage, for a point without time.
void check(tile_options const& o, double point);

/// Prints what a march takes for a step with 1, 2, 4, … steps at a time, and which of them is best.
void print_tiles(tile_options const& o, double point, block_grid const& g, std::vector<network> const& list);

} // namespace sode::internal::tools
