// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "layout/cache_line.hpp"
#include "layout/copy_program.hpp"

#include <limits>
#include <vector>

namespace sode::internal {

/// Whether a distance can be one of a hop or a place.
constexpr bool fits(index_t distance) noexcept {
    return distance >= std::numeric_limits<std::int32_t>::min() && distance <= std::numeric_limits<std::int32_t>::max();
}
/// A list in loops that has no entries and no kernel yet, `bytes` in one iteration.
[[nodiscard]] copy_program list_program(std::vector<copy_program::loop> const& loops, index_t bytes);

/// Programs for the segments, of which there are some, in `loops`: compact lists where enough segments in a row have equal sizes,
/// else one list of segments of any size. Appended to `steps`. At most as many loops as a program has.
void append_list(std::vector<copy_program>& steps, std::vector<copy_program::loop> const& loops,
                 std::vector<copy_program::segment> const& segments);

/// The same straight from the two sides of a copy, if both are made of blocks of one size, as of a list of equal elements some of
/// which touch; false if they are not. Cost: O(pieces), without a list of segments in between.
[[nodiscard]] bool append_uniform(std::vector<copy_program>& steps, std::vector<copy_program::loop> const& loops,
                                  std::vector<layout::piece> const& source, std::vector<layout::piece> const& target);

/// A list that is in no loops, dealt to at most `parts` parts by regions of the target that end with a line. A segment that lies
/// in two is cut, so a part may have a list for the cut ones beside its own. No part is empty.
[[nodiscard]] std::vector<std::vector<copy_program>> parts_of_list(copy_program const& list, index_t parts);
/// split() of such a list: one program for each part.
[[nodiscard]] std::vector<copy_program> split_list(copy_program const& list, index_t parts);

/// The same program with the list in the shorter form, where one side goes on by a fixed step; and with the longer one again.
[[nodiscard]] copy_program with_places(copy_program p);
[[nodiscard]] copy_program with_hops(copy_program p);

} // namespace sode::internal
