// SPDX-License-Identifier: Apache-2.0
#include "base/nearest.hpp"

#include <algorithm>
#include <numeric>

namespace sode::internal {

namespace {

// Levenshtein's distance, one row at a time.
std::size_t distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i + 1;
        for (std::size_t j = 0; j < b.size(); ++j) {
            std::size_t const above = row[j + 1];
            row[j + 1] = std::min({above + 1, row[j] + 1, diagonal + (a[i] == b[j] ? 0U : 1U)});
            diagonal = above;
        }
    }
    return row.back();
}

} // namespace

std::string nearest(std::string_view name, std::vector<std::string_view> const& candidates) {
    std::string_view best;
    std::size_t least = std::max<std::size_t>(2, name.size() / 3) + 1;
    for (std::string_view const candidate : candidates) {
        std::size_t const d = distance(name, candidate);
        if (d < least) {
            least = d;
            best = candidate;
        }
    }
    return std::string{best};
}

} // namespace sode::internal
