// SPDX-License-Identifier: Apache-2.0
#include <sode/align.hpp>
#include <sode/error.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace sode {

detail::mapping detail::align(mapping const& to, std::span<index_t const> extents, std::span<align_target const> targets) {
    mapping result{.place = to.place, .grid = to.grid, .dims = static_cast<int>(extents.size()), .axes = {}};
    std::array<int, max_dims> follower{};
    follower.fill(-1);
    for (std::size_t d = 0; d < extents.size(); ++d) {
        axis& a = result.axes[d];
        if (extents[d] < 0)
            throw error{error_kind::usage, fmt::format("dimension {} has {} elements", d, extents[d]),
                        "an extent must be 0 or more", "pass extents of 0 or more"};
        a.extent = extents[d];
        a.bounds = {0, extents[d]};
        align_target const& t = targets[d];
        if (!t.follows()) continue;
        if (t.dim() < 0 || t.dim() >= to.dims)
            throw error{error_kind::usage, fmt::format("dimension {} is aligned with dimension {} of the template", d, t.dim()),
                        fmt::format("the template has {} dimensions", to.dims),
                        "count template dimensions from 0, or write sode::none to align with no dimension"};
        auto const k = static_cast<std::size_t>(t.dim());
        if (follower[k] >= 0)
            throw error{error_kind::usage,
                        fmt::format("dimensions {} and {} are aligned with the same template dimension {}", follower[k], d, k),
                        "an element would have two owners", "write sode::none for one of the two dimensions"};
        follower[k] = static_cast<int>(d);
        axis const& along = to.axes[k];
        if (extents[d] > 0 && (t.offset() < 0 || t.offset() > along.extent - extents[d]))
            throw error{error_kind::usage,
                        fmt::format("dimension {} is aligned with elements {} to {} of the template", d, t.offset(),
                                    t.offset() + extents[d] - 1),
                        fmt::format("dimension {} of the template has {} elements", k, along.extent),
                        "make the template larger, or change the offset"};
        a.grid_dim = along.grid_dim;
        if (along.cyclic()) {
            a.chunk = along.chunk;
            a.phase = t.offset();
            a.deal_out(along.nodes());
            continue;
        }
        a.bounds = along.bounds;
        for (auto& b : a.bounds) b = std::clamp<index_t>(b - t.offset(), 0, extents[d]);
    }
    return result;
}

} // namespace sode
