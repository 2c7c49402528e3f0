// SPDX-License-Identifier: Apache-2.0
#include "array/machine_blocks.hpp"

#include "base/position.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

namespace sode::internal {
namespace {

using coordinates = std::array<int, max_dims>;

template <class F> void each_node(node_grid const& grid, F&& f) {
    coordinates at{};
    for (int k = 0, n = grid.size(); k < n; ++k) {
        f(k, at);
        for (int d = grid.dims; d-- > 0; at[pos(d)] = 0)
            if (++at[pos(d)] < grid.extent[pos(d)]) break;
    }
}

// What neighbours on different machines cost together.
double cost_of(node_grid const& grid, std::vector<int> const& ranks, std::span<int const> machine_of,
               std::span<double const> costs) {
    double sum = 0;
    each_node(grid, [&](int k, coordinates const& at) {
        int stride = 1;
        for (int d = grid.dims; d-- > 0; stride *= grid.extent[pos(d)])
            if (at[pos(d)] + 1 < grid.extent[pos(d)] && machine_of[pos(ranks[pos(k)])] != machine_of[pos(ranks[pos(k + stride)])])
                sum += costs.empty() ? 1 : costs[pos(d)];
    });
    return sum;
}

// The grid's ranks, those of each machine together, machines and ranks in the order of their first rank.
std::vector<std::vector<int>> by_machine(int size, std::span<int const> machine_of) {
    std::vector<std::vector<int>> groups;
    std::vector<int> number(pos(*std::max_element(machine_of.begin(), machine_of.end()) + 1), -1);
    for (int r = 0; r < size; ++r) {
        auto& group = number[pos(machine_of[pos(r)])];
        if (group < 0) group = static_cast<int>(groups.size()), groups.emplace_back();
        groups[pos(group)].push_back(r);
    }
    return groups;
}

// All shapes of blocks of `rest` nodes that tile the grid from dimension d on. Those that are longest in the last dimension come
// first: faces across it are strided.
template <class F> void each_block(node_grid const& grid, int d, int rest, coordinates& block, F&& f) {
    if (d == grid.dims || pos(d) == block.size()) { // the latter for g++, which else warns of a dimension more
        if (rest == 1) f(block);
        return;
    }
    for (int b = 1; b <= rest && b <= grid.extent[pos(d)]; ++b) {
        if (rest % b != 0 || grid.extent[pos(d)] % b != 0) continue;
        block[pos(d)] = b;
        each_block(grid, d + 1, rest / b, block, f);
    }
}

double cost_of_blocks(node_grid const& grid, coordinates const& block, std::span<double const> costs) {
    double sum = 0;
    for (int d = 0; d < grid.dims; ++d) {
        int const n = grid.extent[pos(d)];
        int const cuts = (n / block[pos(d)] - 1) * (grid.size() / n);
        sum += cuts * (costs.empty() ? 1 : costs[pos(d)]);
    }
    return sum;
}

// Blocks in row-major order get the machines in theirs, and so do the nodes of a block and the ranks of a machine.
std::vector<int> lay_blocks(node_grid const& grid, coordinates const& block, std::vector<std::vector<int>> const& groups) {
    std::vector<int> ranks(pos(grid.size()));
    each_node(grid, [&](int k, coordinates const& at) {
        int which = 0, within = 0;
        for (int d = 0; d < grid.dims; ++d) {
            int const b = block[pos(d)];
            which = which * (grid.extent[pos(d)] / b) + at[pos(d)] / b;
            within = within * b + at[pos(d)] % b;
        }
        ranks[pos(k)] = groups[pos(which)][pos(within)];
    });
    return ranks;
}

// "2x1": what each machine has of the grid; empty, if that is no block or not the same for all.
std::string shape_of_machines(node_grid const& grid, std::span<int const> machine_of) {
    struct part {
        coordinates lower{}, upper{};
        int nodes = 0;
    };
    std::vector<part> parts(pos(*std::max_element(machine_of.begin(), machine_of.end()) + 1));
    auto const ranks = grid.ranks();
    each_node(grid, [&](int k, coordinates const& at) {
        auto& p = parts[pos(machine_of[pos(ranks[pos(k)])])];
        for (std::size_t d = 0; d < at.size(); ++d) {
            p.lower[d] = p.nodes == 0 ? at[d] : std::min(p.lower[d], at[d]);
            p.upper[d] = std::max(p.upper[d], at[d] + 1);
        }
        ++p.nodes;
    });
    std::erase_if(parts, [](auto const& p) { return p.nodes == 0; });
    std::vector<int> shape;
    for (auto const& p : parts) {
        std::vector<int> extents;
        for (int d = 0; d < grid.dims; ++d) extents.push_back(p.upper[pos(d)] - p.lower[pos(d)]);
        if (std::accumulate(extents.begin(), extents.end(), 1, std::multiplies{}) != p.nodes) return "";
        if (!shape.empty() && shape != extents) return "";
        shape = std::move(extents);
    }
    return fmt::format("{}", fmt::join(shape, "x"));
}

} // namespace

std::vector<int> order_by_machine(node_grid const& grid, std::span<int const> machine_of, std::span<double const> face_costs) {
    if (machine_of.empty()) return {};
    auto const groups = by_machine(grid.size(), machine_of);
    if (groups.size() == 1) return {};

    std::vector<int> best = grid.ranks();
    double least = cost_of(grid, best, machine_of, face_costs);
    bool as_they_are = true;
    // What is better by rounding only is not better.
    auto const better = [&](double cost) { return cost < least * (1 - 1e-9); };
    auto const take = [&](std::vector<int> ranks, double cost) {
        best = std::move(ranks);
        least = cost;
        as_they_are = false;
    };

    std::vector<int> together;
    for (auto const& g : groups) together.insert(together.end(), g.begin(), g.end());
    if (double const cost = cost_of(grid, together, machine_of, face_costs); better(cost)) take(std::move(together), cost);

    auto const each = groups.front().size();
    if (std::all_of(groups.begin(), groups.end(), [&](auto const& g) { return g.size() == each; })) {
        coordinates block{};
        each_block(grid, 0, static_cast<int>(each), block, [&](coordinates const& b) {
            if (double const cost = cost_of_blocks(grid, b, face_costs); better(cost)) take(lay_blocks(grid, b, groups), cost);
        });
    }
    return as_they_are ? std::vector<int>{} : best;
}

std::int64_t edges_between_machines(node_grid const& grid, std::span<int const> machine_of) {
    return machine_of.empty() ? 0 : static_cast<std::int64_t>(cost_of(grid, grid.ranks(), machine_of, {}));
}

std::string describe_mapping(node_grid const& grid, std::span<int const> machine_of) {
    auto plain = grid;
    plain.mapping = {};
    auto const now = edges_between_machines(grid, machine_of), before = edges_between_machines(plain, machine_of);
    auto const shape = shape_of_machines(grid, machine_of);
    auto const blocks = shape.empty() ? std::string{"machines without a common shape"} : fmt::format("machines of {}", shape);
    auto const edges = fmt::format("{} {} between machines", now, now == 1 ? "edge" : "edges");
    if (grid.mapping.empty()) return fmt::format("mapping: ranks in order, {}, {}\n", blocks, edges);
    if (now == before) return fmt::format("mapping: {}, {}, as many as in order\n", blocks, edges);
    return fmt::format("mapping: {}, {} instead of {}\n", blocks, edges, before);
}

} // namespace sode::internal
