// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <vector>

namespace sode {

/// `others`, which rise, in the order in which `rank` turns to them: it begins with the one above itself, so that not all ranks
/// read rank 0 first.
[[nodiscard]] inline std::vector<int> from_above(std::vector<int> others, int rank) {
    std::rotate(others.begin(), std::upper_bound(others.begin(), others.end(), rank), others.end());
    return others;
}

} // namespace sode
