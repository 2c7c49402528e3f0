// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "layout/copy_program.hpp"

#include <optional>
#include <vector>

namespace sode::internal {

/// A copy of nested blocks on its way to becoming a program: what `compile` and `split` work on.
struct copy_nest {
    index_t src_offset = 0;
    index_t dst_offset = 0;
    index_t block = 0;
    std::vector<copy_program::loop> loops; ///< outermost first
};

/// One nest that walks source and target, which have equally many bytes, in step; nullopt if their counts do not divide each other
/// from the inside out (mixed radix numbers without a common refinement). Both in normal form, neither a list. Cost: O(loops).
[[nodiscard]] std::optional<copy_nest> common_refinement(layout const& source, layout const& target);

/// Appends the blocks of both lists cut at each other's ends. Cost: O(pieces).
void append_refinement(std::vector<copy_program::segment>& segments, std::vector<layout::piece> const& source,
                       std::vector<layout::piece> const& target);

/// Whether a byte occurs twice in `l`, which is in normal form. Exact. Cost: O(loops log loops) for loops that do not interleave,
/// O(n) for a list of n pieces that ascends or lies dense, else O(n log n); O(blocks log blocks) for interleaved parts and lists.
[[nodiscard]] bool overlaps_itself(layout const& l);

/// Turns loops around so that all ascend in the target: a pair that descends on both sides is then recognised as contiguous.
void turn_upwards(copy_nest& nest);
/// Outermost the largest target stride: neighbouring iterations then write neighbouring bytes.
void sort_by_target(copy_nest& nest);

/// Puts the loops into the order in which they run best, joins what has become contiguous, and chooses the kernel. nullopt for
/// more loops than a program has.
[[nodiscard]] std::optional<copy_program> to_program(copy_nest nest);
/// The segments are not empty.
[[nodiscard]] copy_program to_program(std::vector<copy_program::segment> segments);

} // namespace sode::internal
