// SPDX-License-Identifier: Apache-2.0
#include <sode/error.hpp>
#include <sode/grid.hpp>

#include "array/grid_shape.hpp"
#include "channel/ways.hpp"
#include "model/block_faces.hpp"
#include "model/job.hpp"

#include <fmt/format.h>

namespace sode {
using namespace internal;

namespace {

// What a message of one face across each dimension takes. Its elements are not known yet: of 8 bytes.
std::vector<double> face_costs(detail::place const& where, std::span<index_t const> extents, node_grid const& nodes) {
    block_grid const g{.extents = {extents.begin(), extents.end()},
                       .blocks = {nodes.extent.begin(), nodes.extent.begin() + nodes.dims}};
    std::vector<index_t> block;
    for (int d = 0; d < g.dims(); ++d) block.push_back(g.block(d, 0));
    profile const built_in;
    auto const& costs = where.job ? where.job->costs : built_in;
    std::vector<double> us;
    for (int d = 0; d < g.dims(); ++d) us.push_back(ways::mpi.cost(g.face(d, block), costs).microseconds());
    return us;
}

} // namespace

void detail::refuse_dimension(int d, int dims) {
    throw error{error_kind::usage, fmt::format("there is no dimension {}", d),
                fmt::format("there are {} dimensions, counted from 0", dims), "pass one of these dimensions"};
}

detail::mapping detail::make_grid(detail::place where, std::span<index_t const> extents, std::span<node_extent const> nodes,
                                  node_order const& order) {
    for (auto const n : extents)
        if (n < 0)
            throw error{error_kind::usage, fmt::format("a grid has {} elements in one dimension", n), "an extent must be 0 or more",
                        "pass extents of 0 or more"};
    // Says what is wrong with the numbers, if anything is.
    if (auto const asked = make_node_grid(where.ranks, nodes, {}); asked.size() != where.ranks)
        throw error{error_kind::usage, fmt::format("a grid of {} nodes leaves ranks without work", asked.size()),
                    fmt::format("the job has {} ranks", where.ranks),
                    "write sode::any for one of the extents, or use sode::nodes, which need not contain all ranks"};
    auto const shape = choose_shape(where.ranks, extents, nodes);
    std::vector<node_extent> const chosen(shape.nodes.begin(), shape.nodes.end());
    auto grid = make_node_grid(where.ranks, chosen, {});
    grid = make_node_grid(where, chosen, order, face_costs(where, extents, grid));
    grid.reason = shape.reason;
    std::vector<distribution_format> const formats(extents.size(), distribution_format{balanced});
    return distribute(std::move(where), grid, extents, formats);
}

} // namespace sode
