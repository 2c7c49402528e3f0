// SPDX-License-Identifier: Apache-2.0
// How rank grids are laid over machines: as well as any block can be, the same on all ranks, and not at all on one machine.
#include "array/machine_blocks.hpp"

#include <sode/error.hpp>
#include <sode/grid.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

namespace sode::internal {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// `machines` of `each` ranks, one after another.
std::vector<int> equal(int machines, int each) {
    std::vector<int> list;
    for (int m = 0; m < machines; ++m) list.insert(list.end(), static_cast<std::size_t>(each), m);
    return list;
}

template <int N>
node_grid laid(std::vector<int> const& machines, index<N> const& extents,
               std::array<node_extent, static_cast<std::size_t>(N)> const& nodes, node_order const& order = {}) {
    auto const ranks = static_cast<int>(machines.size());
    node_grid first;
    for (int r = 0; r < ranks; ++r) {
        grid<N> const g{detail::place{r, machines}, extents, {.nodes = nodes, .mapping = order}};
        if (r == 0) first = g.ranks();
        EXPECT_EQ(g.ranks().mapping, first.mapping) << "equal on all ranks";
    }
    return first;
}

std::string text(node_grid const& g, std::vector<int> const& machines) {
    return describe_mapping(g, machines);
}

TEST(Mapping, KeepsTheDearestFacesOnAMachine) {
    auto const two = equal(2, 4), four = equal(4, 2), eight = equal(8, 8);
    // As many edges either way: those across dimension 1 are strided, and stay within a machine.
    EXPECT_EQ(text(laid<2>(four, {1024, 1024}, {2, 4}), four),
              "mapping: ranks in order, machines of 1x2, 6 edges between machines\n");
    // Here those across dimension 0 are 128 times as large.
    EXPECT_EQ(text(laid<2>(four, {64, 65536}, {2, 4}), four),
              "mapping: machines of 2x1, 6 edges between machines, as many as in order\n");
    // Fewer count, unless they are dearer.
    EXPECT_EQ(text(laid<2>(two, {1024, 1024}, {2, 4}), two), "mapping: machines of 2x2, 2 edges between machines instead of 4\n");
    EXPECT_EQ(text(laid<2>(two, {4 << 20, 8}, {2, 4}), two),
              "mapping: ranks in order, machines of 1x4, 4 edges between machines\n");
    EXPECT_EQ(text(laid<3>(eight, {256, 256, 256}, {4, 4, 4}), eight),
              "mapping: machines of 2x2x2, 48 edges between machines instead of 64\n");
}

TEST(Mapping, NodesWithoutAnArrayHaveFewestEdges) {
    auto const machines = equal(4, 4);
    nodes<2> const p{detail::place{5, machines}, {4, 4}};
    EXPECT_EQ(describe_mapping(p.grid(), machines), "mapping: machines of 2x2, 8 edges between machines instead of 12\n");
    EXPECT_THAT(p.grid().mapping, ElementsAre(0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15));
    EXPECT_EQ(p.coordinate(0), 0);
    EXPECT_EQ(p.coordinate(1), 3);
    EXPECT_THAT((nodes<2>{detail::place{0, equal(2, 2)}, {2, 2}}.grid().mapping), IsEmpty()) << "no better: in order";
}

TEST(Mapping, CanBeToldOtherwise) {
    auto const four = equal(4, 2);
    EXPECT_THAT(laid<2>(four, {64, 4096 * 16}, {2, 4}, in_order).mapping, IsEmpty());
    EXPECT_THAT(laid<2>(four, {64, 4096 * 16}, {2, 4}, {7, 6, 5, 4, 3, 2, 1, 0}).mapping, ElementsAre(7, 6, 5, 4, 3, 2, 1, 0));
    EXPECT_THAT((nodes<2>{detail::place{0, equal(4, 4)}, {4, 4}, in_order}.grid().mapping), IsEmpty());
    EXPECT_THROW(laid<2>(four, {64, 64}, {2, 4}, {0, 1}), error);
    std::vector<int> const none;
    EXPECT_TRUE(node_order{none}.automatic());
}

TEST(Mapping, OneMachineIsLeftAlone) {
    for (int ranks = 1; ranks <= 24; ++ranks) {
        EXPECT_THAT((grid<3>{detail::place{0, ranks}, {50, 60, 70}}.ranks().mapping), IsEmpty());
        EXPECT_THAT((grid<3>{detail::place{0, equal(1, ranks)}, {50, 60, 70}}.ranks().mapping), IsEmpty());
        EXPECT_THAT((nodes<2>{detail::place{0, equal(1, ranks)}, {any, any}}.grid().mapping), IsEmpty());
    }
}

TEST(Mapping, RanksDealtOutInTurnsComeTogether) {
    std::vector const turns{0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2};
    nodes<1> const p{detail::place{0, turns}, {12}};
    EXPECT_THAT(p.grid().mapping, ElementsAre(0, 3, 6, 9, 1, 4, 7, 10, 2, 5, 8, 11));
    EXPECT_EQ(describe_mapping(p.grid(), turns), "mapping: machines of 4, 2 edges between machines instead of 11\n");
    // Machines of different sizes too, though not as blocks.
    std::vector const uneven{0, 1, 0, 1, 0, 1, 0, 0};
    nodes<1> const q{detail::place{0, uneven}, {8}};
    EXPECT_THAT(q.grid().mapping, ElementsAre(0, 2, 4, 6, 7, 1, 3, 5));
    EXPECT_EQ(edges_between_machines(q.grid(), uneven), 1);
    EXPECT_EQ(describe_mapping(q.grid(), uneven),
              "mapping: machines without a common shape, 1 edge between machines instead of 6\n");
}

TEST(Mapping, SevenRanksOfMachinesOfThree) {
    std::vector const machines{0, 0, 0, 1, 1, 1, 2};
    EXPECT_THAT((grid<2>{detail::place{0, machines}, {70, 70}}.ranks().mapping), IsEmpty());
}

TEST(Mapping, AGridOfSomeRanksCountsThoseOnly) {
    // Ranks 6 and 7 are not in the grid: three machines of two.
    auto const four = equal(4, 2);
    nodes<2> const p{detail::place{7, four}, {2, 3}};
    EXPECT_EQ(edges_between_machines(p.grid(), four), 4);
    EXPECT_THAT(p.grid().mapping, ElementsAre(0, 2, 4, 1, 3, 5));
    EXPECT_EQ(p.coordinate(0), -1);
}

double cost(node_grid const& g, std::vector<int> const& machines, std::vector<double> const& costs) {
    double sum = 0;
    for (int k = 0; k < g.size(); ++k) {
        int stride = 1, rest = k;
        for (int d = g.dims; d-- > 0;) {
            auto const n = g.extent[static_cast<std::size_t>(d)];
            auto const rank = [&](int node) {
                return static_cast<std::size_t>(g.mapping.empty() ? node : g.mapping[static_cast<std::size_t>(node)]);
            };
            if (rest % n + 1 < n && machines[rank(k)] != machines[rank(k + stride)]) sum += costs[static_cast<std::size_t>(d)];
            rest /= n;
            stride *= n;
        }
    }
    return sum;
}

TEST(Mapping, RandomMachinesAndGrids) {
    std::mt19937 random{4711};
    auto const draw = [&](int lowest, int highest) { return std::uniform_int_distribution{lowest, highest}(random); };
    int better = 0;
    for (int round = 0; round < 400; ++round) {
        node_grid g;
        g.dims = draw(1, 4);
        for (int d = 0; d < g.dims; ++d) g.extent[static_cast<std::size_t>(d)] = draw(1, 5);
        std::vector<double> costs;
        for (int d = 0; d < g.dims; ++d) costs.push_back(draw(1, 9));
        std::vector<int> machines;
        int const each = draw(1, 6);
        for (int r = 0, n = g.size() + draw(0, 3); r < n; ++r) machines.push_back(draw(0, 2) == 0 ? draw(0, 3) : r / each);
        if (round % 3 == 0)
            for (std::size_t r = 0; r < machines.size(); ++r) machines[r] = static_cast<int>(r) / each;
        if (round % 3 == 1) std::shuffle(machines.begin(), machines.end(), random);
        // Numbers need not be dense.
        auto mapped = g;
        mapped.mapping = order_by_machine(g, machines, costs);
        if (mapped.mapping.empty()) continue;
        std::vector<int> sorted{mapped.mapping.begin(), mapped.mapping.end()};
        std::sort(sorted.begin(), sorted.end());
        std::vector<int> all(static_cast<std::size_t>(g.size()));
        std::iota(all.begin(), all.end(), 0);
        EXPECT_EQ(sorted, all) << "every rank once";
        EXPECT_LT(cost(mapped, machines, costs), cost(g, machines, costs));
        ++better;
    }
    EXPECT_GT(better, 100);
}

TEST(Mapping, NoBlockIsBetter) {
    // All shapes of blocks, by brute force: whatever is chosen, none costs less.
    std::mt19937 random{12};
    for (int round = 0; round < 60; ++round) {
        std::array<int, 3> block{}, times{};
        node_grid g;
        g.dims = 3;
        std::vector<double> costs;
        for (std::size_t d = 0; d < 3; ++d) {
            block[d] = std::uniform_int_distribution{1, 3}(random);
            times[d] = std::uniform_int_distribution{1, 3}(random);
            g.extent[d] = block[d] * times[d];
            costs.push_back(std::uniform_int_distribution{1, 9}(random));
        }
        int const each = block[0] * block[1] * block[2];
        if (each == g.size()) continue;
        auto const machines = equal(g.size() / each, each);
        auto chosen = g;
        chosen.mapping = order_by_machine(g, machines, costs);
        double const least = cost(chosen, machines, costs);
        for (int a = 1; a <= each; ++a)
            for (int b = 1; a * b <= each; ++b) {
                int const c = each / (a * b);
                if (a * b * c != each || g.extent[0] % a != 0 || g.extent[1] % b != 0 || g.extent[2] % c != 0) continue;
                double const sum = costs[0] * (g.extent[0] / a - 1) * g.extent[1] * g.extent[2] +
                                   costs[1] * (g.extent[1] / b - 1) * g.extent[0] * g.extent[2] +
                                   costs[2] * (g.extent[2] / c - 1) * g.extent[0] * g.extent[1];
                EXPECT_LE(least, sum * (1 + 1e-9)) << a << 'x' << b << 'x' << c;
            }
    }
}

} // namespace
} // namespace sode::internal
