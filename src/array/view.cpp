// SPDX-License-Identifier: Apache-2.0
#include <sode/cyclic_view.hpp>
#include <sode/error.hpp>
#include <sode/view.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace sode::detail {

void outside_view(std::span<index_t const> at, std::span<index_t const> lower, std::span<index_t const> extents) {
    std::vector<std::string> block;
    for (std::size_t d = 0; d < at.size(); ++d) block.push_back(fmt::format("{}:{}", lower[d], lower[d] + extents[d]));
    throw error{error_kind::usage, fmt::format("element ({}) is not in the view", fmt::join(at, ", ")),
                fmt::format("on this rank, the view contains [{}), including the shadow", fmt::join(block, ", ")),
                "use global indices"};
}

void not_dealt(std::span<index_t const> at, std::size_t dim, turns const& mine) {
    throw error{error_kind::usage, fmt::format("element ({}) is not on this rank", fmt::join(at, ", ")),
                fmt::format("dimension {} is cyclic: of every {} indices the rank owns {}, starting at index {}", dim, mine.period,
                            mine.chunk, mine.first),
                "loop over all() of the array, or call owns() first"};
}

} // namespace sode::detail
