// SPDX-License-Identifier: Apache-2.0
#include <sode/distribution.hpp>
#include <sode/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

namespace sode {

distribution_format::distribution_format(kind k, index_t width) : kind_(k), width_(width) {
    if (width < 1)
        throw error{error_kind::usage, fmt::format("{}({}) is invalid", k == kind::blocks ? "block" : "cyclic", width),
                    "a block or chunk must have at least one element", "pass a width of 1 or more"};
}

axis distribution_format::cut(index_t extent, int nodes, int dim) const {
    axis a;
    a.extent = extent;
    if (kind_ == kind::turns) {
        a.chunk = std::min(width_, std::max<index_t>(extent, 1)); // wider ones mean the same, and might overflow
        a.deal_out(nodes);
    } else {
        a.bounds = bounds(extent, nodes, dim);
    }
    return a;
}

std::vector<index_t> distribution_format::bounds(index_t extent, int nodes, int dim) const {
    std::vector<index_t> result;
    if (kind_ == kind::whole) return {0, extent};
    auto const n = static_cast<std::size_t>(nodes);
    result.reserve(n + 1);
    result.push_back(0);
    if (kind_ == kind::balanced) {
        for (index_t c = 0; c < nodes; ++c) result.push_back(result.back() + extent / nodes + (c < extent % nodes ? 1 : 0));
        return result;
    }
    if (kind_ == kind::blocks) {
        index_t const least = extent / nodes + (extent % nodes != 0 ? 1 : 0);
        index_t const chunk = width_ > 0 ? width_ : least;
        if (chunk < least)
            throw error{error_kind::usage,
                        fmt::format("blocks of {} elements on {} nodes cannot hold {} elements", chunk, nodes, extent),
                        fmt::format("dimension {} is split over {} nodes", dim, nodes),
                        fmt::format("write block({}), or sode::block, or use more nodes", least)};
        for (std::size_t c = 1; c <= n; ++c) result.push_back(result.back() + std::min(chunk, extent - result.back()));
        return result;
    }
    if (widths_.size() != n)
        throw error{error_kind::usage, fmt::format("gblock has {} widths for {} nodes", widths_.size(), nodes),
                    fmt::format("dimension {} is split over {} nodes", dim, nodes), "pass one width for each node"};
    for (auto const w : widths_) {
        if (w < 0)
            throw error{error_kind::usage, fmt::format("gblock has a width of {}", w),
                        fmt::format("the widths of dimension {} must be 0 or more", dim), "pass widths of 0 or more"};
        if (w > extent - result.back())
            throw error{error_kind::usage, fmt::format("gblock widths add up to more than {}", extent),
                        fmt::format("dimension {} has {} elements", dim, extent), "make the widths add up to the extent"};
        result.push_back(result.back() + w);
    }
    if (result.back() != extent)
        throw error{error_kind::usage, fmt::format("gblock widths add up to {}, not {}", result.back(), extent),
                    fmt::format("dimension {} has {} elements", dim, extent), "make the widths add up to the extent"};
    return result;
}

geometry::block detail::mapping::owned() const {
    if (int const d = cyclic_dim(dims, axes); d >= 0) no_box("the distribution", d);
    return owned_part(dims, axes, grid, place.rank);
}

detail::mapping detail::distribute(detail::place where, node_grid const& grid, std::span<index_t const> extents,
                                   std::span<distribution_format const> formats) {
    auto const split = std::count_if(formats.begin(), formats.end(), [](auto const& f) { return f.splits(); });
    if (split != grid.dims)
        throw error{error_kind::usage, fmt::format("{} dimensions are split over a rank grid of {} dimensions", split, grid.dims),
                    "both numbers must be equal", "split as many dimensions as the grid has, and write sode::none for the others"};
    mapping result{.place = std::move(where), .grid = grid, .dims = static_cast<int>(extents.size()), .axes = {}};
    int next = 0;
    for (std::size_t d = 0; d < extents.size(); ++d) {
        if (extents[d] < 0)
            throw error{error_kind::usage, fmt::format("dimension {} has {} elements", d, extents[d]),
                        "an extent must be 0 or more", "pass extents of 0 or more"};
        int const grid_dim = formats[d].splits() ? next++ : -1;
        int const nodes = grid_dim < 0 ? 1 : grid.extent[static_cast<std::size_t>(grid_dim)];
        result.axes[d] = formats[d].cut(extents[d], nodes, static_cast<int>(d));
        result.axes[d].grid_dim = grid_dim;
    }
    return result;
}

} // namespace sode
