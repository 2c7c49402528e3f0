// SPDX-License-Identifier: Apache-2.0
#include <sode/error.hpp>
#include <sode/view.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace sode::detail {

void outside_view(std::span<index_t const> at, std::span<index_t const> lower, std::span<index_t const> extents) {
    std::vector<std::string> block;
    for (std::size_t d = 0; d < at.size(); ++d) block.push_back(fmt::format("{}:{}", lower[d], lower[d] + extents[d]));
    throw error{error_kind::usage, fmt::format("element ({}) is not in the view", fmt::join(at, ", ")),
                fmt::format("it holds [{}) on this rank, shadow included", fmt::join(block, ", ")), "indices are global"};
}

} // namespace sode::detail
