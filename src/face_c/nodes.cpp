// SPDX-License-Identifier: Apache-2.0
// Ranks by coordinates, and index spaces over them.
#include "face_c/handles.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <sode/align.hpp>
#include <sode/distribution.hpp>
#include <span>
#include <vector>

namespace detail = sode::detail;
using sode::distribution_format;
using sode::error;
using sode::error_kind;
using sode::max_dims;
using sode::internal::face_c::guarded;
using sode::internal::face_c::job_of;
using sode::internal::face_c::required;

namespace {

std::size_t checked_dims(int dims, char const* what) {
    if (dims < 1 || dims > max_dims)
        throw error{error_kind::usage, fmt::format("{} cannot have {} dimensions", what, dims), "1 to 7 are possible",
                    "pass 1 to 7 as the number of dimensions"};
    return static_cast<std::size_t>(dims);
}

distribution_format format_of(sode_format const& f, int nodes) {
    switch (f.kind) {
    case SODE_WHOLE: return sode::none;
    case SODE_BLOCK:
        if (f.width == 0) return sode::block;
        return sode::block(f.width);
    case SODE_CYCLIC: return sode::cyclic(f.width == 0 ? 1 : f.width);
    case SODE_GBLOCK: {
        auto const* const first = &required(f.widths, "the widths of a gblock");
        return sode::gblock(std::vector<std::int64_t>{first, first + nodes});
    }
    default:
        throw error{error_kind::usage, fmt::format("there is no format {}", f.kind), "",
                    "use SODE_WHOLE, SODE_BLOCK, SODE_CYCLIC or SODE_GBLOCK"};
    }
}

std::vector<sode::node_extent> extents_of(int dims, int const* extents) {
    std::vector<sode::node_extent> list;
    auto const* const first = &required(extents, "extents");
    for (std::size_t d = 0; d < checked_dims(dims, "nodes"); ++d)
        list.push_back(first[d] == 0 ? sode::node_extent{sode::any} : sode::node_extent{first[d]});
    return list;
}

} // namespace

extern "C" {

int sode_nodes_create(sode_runtime* rt, int dims, int const* extents, sode_nodes** nodes) {
    if (!rt || !nodes) return SODE_ERROR_USAGE;
    *nodes = nullptr;
    return guarded(*rt->own, [&] {
        detail::place const here{job_of(*rt->own)};
        *nodes = new sode_nodes{rt->own, detail::make_node_grid(here, extents_of(dims, extents), sode::in_order), here};
    });
}

int sode_nodes_create_mapped(sode_runtime* rt, int dims, int const* extents, double const* costs, sode_nodes** nodes) {
    if (!rt || !nodes) return SODE_ERROR_USAGE;
    *nodes = nullptr;
    return guarded(*rt->own, [&] {
        detail::place const here{job_of(*rt->own)};
        auto const list = extents_of(dims, extents);
        std::vector<double> faces;
        if (costs) faces.assign(costs, costs + list.size());
        for (double const cost : faces)
            if (!(cost >= 0))
                throw error{error_kind::usage, fmt::format("a face of the rank grid has a cost of {}", cost),
                            "a relative cost must not be negative", "pass costs of 0 or more"};
        *nodes = new sode_nodes{rt->own, detail::make_node_grid(here, list, {}, faces), here};
    });
}

int sode_nodes_of_ranks(sode_runtime* rt, int dims, int const* extents, int const* ranks, sode_nodes** nodes) {
    if (!rt || !nodes) return SODE_ERROR_USAGE;
    *nodes = nullptr;
    return guarded(*rt->own, [&] {
        detail::place const here{job_of(*rt->own)};
        std::vector<sode::node_extent> list;
        std::size_t count = 1;
        auto const* const first = &required(extents, "extents");
        for (std::size_t d = 0; d < checked_dims(dims, "nodes"); ++d) {
            list.emplace_back(first[d]);
            count *= static_cast<std::size_t>(std::max(first[d], 1));
        }
        std::vector<int> order(&required(ranks, "ranks"), ranks + count);
        *nodes = new sode_nodes{rt->own, detail::make_node_grid(here, list, std::move(order)), here};
    });
}

int sode_nodes_part(sode_nodes const* of, int const* lower, int const* upper, int dims, sode_nodes** part) {
    if (!of || !part) return SODE_ERROR_USAGE;
    *part = nullptr;
    return guarded(*of->owner, [&] {
        (void)checked_dims(dims, "nodes");
        auto const n = static_cast<std::size_t>(of->nodes.dims);
        std::vector<sode::index_t> const from(&required(lower, "lower"), lower + n);
        std::vector<sode::index_t> const to(&required(upper, "upper"), upper + n);
        *part = new sode_nodes{of->owner, detail::make_sub_grid(of->nodes, from, to, dims), of->place};
    });
}

void sode_nodes_destroy(sode_nodes* nodes) {
    delete nodes;
}

int sode_nodes_shape(sode_nodes const* nodes, int* dims, int* extents, int* coordinates) {
    if (!nodes) return SODE_ERROR_USAGE;
    return guarded(*nodes->owner, [&] {
        auto const n = static_cast<std::size_t>(nodes->nodes.dims);
        if (dims) *dims = nodes->nodes.dims;
        if (extents) std::copy_n(nodes->nodes.extent.begin(), n, extents);
        if (coordinates) std::copy_n(nodes->nodes.coordinates(nodes->place.rank).begin(), n, coordinates);
    });
}

int sode_nodes_ranks(sode_nodes const* nodes, int* count, int* ranks) {
    if (!nodes || !count) return SODE_ERROR_USAGE;
    return guarded(*nodes->owner, [&] {
        auto const all = nodes->nodes.ranks();
        *count = static_cast<int>(all.size());
        if (ranks) std::ranges::copy(all, ranks);
    });
}

int sode_grid_distribute(sode_nodes const* nodes, int dims, int64_t const* extents, sode_format const* formats, sode_grid** grid) {
    if (!nodes || !grid) return SODE_ERROR_USAGE;
    *grid = nullptr;
    return guarded(*nodes->owner, [&] {
        auto const n = checked_dims(dims, "an index space");
        std::span const all{&required(extents, "extents"), n};
        std::vector<distribution_format> cut;
        std::size_t along = 0;
        for (std::size_t d = 0; d < n; ++d) {
            auto const& f = (&required(formats, "formats"))[d];
            cut.push_back(format_of(f, along < max_dims ? nodes->nodes.extent[along] : 1));
            along += f.kind == SODE_WHOLE ? 0 : 1;
        }
        *grid = new sode_grid{nodes->owner, detail::distribute(nodes->place, nodes->nodes, all, cut)};
    });
}

int sode_grid_align(sode_grid const* to, int dims, int64_t const* extents, int const* targets, int64_t const* offsets,
                    sode_grid** grid) {
    if (!to || !grid) return SODE_ERROR_USAGE;
    *grid = nullptr;
    return guarded(*to->owner, [&] {
        auto const n = checked_dims(dims, "an array");
        std::span const all{&required(extents, "extents"), n};
        std::vector<sode::align_target> follows;
        for (std::size_t d = 0; d < n; ++d) {
            int const target = (&required(targets, "targets"))[d];
            follows.push_back(target < 0 ? sode::align_target{sode::none} : sode::along(target) + (offsets ? offsets[d] : 0));
        }
        *grid = new sode_grid{to->owner, detail::align(to->where, all, follows)};
    });
}

int sode_grid_dimension(sode_grid const* grid, int dimension, sode_dimension* is) {
    if (!grid || !is) return SODE_ERROR_USAGE;
    return guarded(*grid->owner, [&] {
        auto const& where = grid->where;
        if (dimension < 0 || dimension >= where.dims)
            throw error{error_kind::usage, fmt::format("there is no dimension {}", dimension),
                        fmt::format("the index space has {}", where.dims), "count dimensions from 0"};
        auto const d = static_cast<std::size_t>(dimension);
        auto const& axis = where.axes[d];
        auto const at = where.grid.coordinates(where.place.rank);
        bool const in = at[0] >= 0;
        *is = {.extent = axis.extent,
               .node_dimension = axis.grid_dim,
               .nodes = axis.nodes(),
               .coordinate = !in                 ? -1
                             : axis.grid_dim < 0 ? 0
                                                 : at[static_cast<std::size_t>(axis.grid_dim)],
               .chunk = axis.chunk,
               .phase = axis.phase,
               .lower = 0,
               .upper = 0};
        if (!in) return;
        is->upper = axis.extent;
        if (axis.cyclic() || axis.grid_dim < 0) return;
        is->lower = axis.bounds[static_cast<std::size_t>(is->coordinate)];
        is->upper = axis.bounds[static_cast<std::size_t>(is->coordinate) + 1];
    });
}

} // extern "C"
