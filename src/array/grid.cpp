// SPDX-License-Identifier: Apache-2.0
#include <sode/error.hpp>
#include <sode/grid.hpp>

#include "model/block_faces.hpp"
#include "model/job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace sode {
namespace {

index_t chunk(index_t extent, int nodes) {
    return extent / nodes + (extent % nodes != 0 ? 1 : 0);
}

// How good a choice of nodes is; the smallest wins.
struct merit {
    double unused = 0;        // ranks that own nothing
    bool last_is_cut = false; // halos across the contiguous dimension are strided
    double surface = 0;       // elements on one side of all cuts together
    double largest = 0;       // the largest block: what the slowest rank computes

    friend bool operator<(merit const& a, merit const& b) {
        return std::tie(a.unused, a.last_is_cut, a.surface, a.largest) < std::tie(b.unused, b.last_is_cut, b.surface, b.largest);
    }
};

merit judge(std::vector<int> const& nodes, std::span<index_t const> extents) {
    merit m{.unused = 0, .last_is_cut = extents.size() > 1 && nodes.back() > 1, .surface = 0, .largest = 1};
    double all = 1, used = 1;
    for (std::size_t d = 0; d < extents.size(); ++d) {
        all *= nodes[d];
        auto const width = chunk(extents[d], nodes[d]);
        index_t const blocks = width == 0 ? 0 : (extents[d] + width - 1) / width;
        used *= static_cast<double>(blocks);
        m.largest *= static_cast<double>(width);
        double area = nodes[d] - 1;
        for (std::size_t e = 0; e < extents.size(); ++e)
            if (e != d) area *= static_cast<double>(extents[e]);
        m.surface += area;
    }
    m.unused = all - used;
    return m;
}

// All ways to write `rest` as a product over the dimensions from `d` on. Larger factors come first in the slow dimensions, so that
// of two equally good ways the one with the longer rows is met first.
void search(std::vector<int>& nodes, std::size_t d, int rest, std::span<index_t const> extents, std::vector<int>& best,
            merit& best_merit) {
    if (d + 1 == nodes.size()) {
        nodes[d] = rest;
        if (auto const m = judge(nodes, extents); best.empty() || m < best_merit) {
            best = nodes;
            best_merit = m;
        }
        return;
    }
    for (int f = rest; f >= 1; --f) {
        if (rest % f != 0) continue;
        nodes[d] = f;
        search(nodes, d + 1, rest / f, extents, best, best_merit);
    }
}

// What a message of one face across each dimension takes. Its elements are not known yet: of 8 bytes.
std::vector<double> face_costs(detail::place const& where, std::span<index_t const> extents, node_grid const& nodes) {
    block_grid const g{.extents = {extents.begin(), extents.end()},
                       .nodes = {nodes.extent.begin(), nodes.extent.begin() + nodes.dims}};
    std::vector<index_t> block;
    for (int d = 0; d < g.dims(); ++d) block.push_back(g.block(d, 0));
    profile const built_in;
    auto const& costs = where.job ? where.job->costs : built_in;
    std::vector<double> us;
    for (int d = 0; d < g.dims(); ++d) us.push_back(predict(g.face(d, block), method::message, costs));
    return us;
}

} // namespace

std::vector<int> detail::spread_ranks(int ranks, std::span<index_t const> extents) {
    std::vector<int> nodes(extents.size(), 1), best;
    merit best_merit;
    search(nodes, 0, ranks, extents, best, best_merit);
    return best;
}

detail::mapping detail::make_grid(detail::place where, std::span<index_t const> extents, std::span<node_extent const> nodes,
                                  node_order const& order) {
    std::vector<node_extent> chosen(nodes.begin(), nodes.end());
    for (auto const n : extents)
        if (n < 0)
            throw error{error_kind::usage, fmt::format("a grid with {} elements in one dimension", n), "an extent is 0 or more",
                        "look where the number comes from"};
    if (std::all_of(chosen.begin(), chosen.end(), [](auto const& e) { return e.open(); })) {
        auto const spread = spread_ranks(where.ranks, extents);
        chosen.assign(spread.begin(), spread.end());
    }
    auto grid = make_node_grid(where.ranks, chosen, {});
    if (grid.size() != where.ranks)
        throw error{error_kind::usage, fmt::format("a grid of {} nodes leaves ranks without work", grid.size()),
                    fmt::format("the job has {}", where.ranks),
                    "write sode::any for one of the extents, or use sode::nodes, which may leave ranks out"};
    grid = make_node_grid(where, chosen, order, face_costs(where, extents, grid));
    std::vector<distribution_format> const formats(extents.size(), distribution_format{block});
    return distribute(where, grid, extents, formats);
}

} // namespace sode
