// SPDX-License-Identifier: Apache-2.0
#include <sode/error.hpp>
#include <sode/grid.hpp>

#include <gtest/gtest.h>

#include <vector>

namespace {

using namespace sode;
using detail::place;

std::vector<int> spread(int ranks, std::vector<index_t> const& extents) {
    return detail::spread_ranks(ranks, extents);
}

TEST(Grid, LeavesTheContiguousDimensionWhole) {
    EXPECT_EQ(spread(4, {1024, 1024}), (std::vector{4, 1}));
    EXPECT_EQ(spread(7, {1024, 1024}), (std::vector{7, 1}));
    EXPECT_EQ(spread(4, {128, 128, 256}), (std::vector{2, 2, 1}));
    EXPECT_EQ(spread(8, {100, 100, 100}), (std::vector{4, 2, 1}));
    EXPECT_EQ(spread(4, {100}), (std::vector{4}));
    EXPECT_EQ(spread(1, {100, 100, 100}), (std::vector{1, 1, 1}));
}

TEST(Grid, CutsWhereTheSurfaceIsLeast) {
    EXPECT_EQ(spread(4, {16, 4096, 16}), (std::vector{1, 4, 1}));
    EXPECT_EQ(spread(6, {300, 200, 50}), (std::vector{3, 2, 1}));
    EXPECT_EQ(spread(6, {200, 300, 50}), (std::vector{2, 3, 1}));
}

TEST(Grid, CutsTheContiguousDimensionRatherThanLeaveRanksIdle) {
    EXPECT_EQ(spread(8, {4, 1000}), (std::vector{1, 8}));
    EXPECT_EQ(spread(8, {4, 2, 16}), (std::vector{4, 2, 1}));
    EXPECT_EQ(spread(16, {4, 2, 16}), (std::vector{2, 1, 8}));
    EXPECT_EQ(spread(5, {2, 1000}), (std::vector{1, 5}));
    EXPECT_EQ(spread(3, {1, 2}), (std::vector{1, 3})) << "somebody has to be idle";
}

TEST(Grid, RangesAreGlobal) {
    for (int r = 0; r < 4; ++r) {
        grid<2> const g{place{r, 4}, {8, 6}};
        EXPECT_EQ(g.local(), (box<2>{{2 * r, 0}, {2 * r + 2, 6}}));
        EXPECT_EQ(g.all().global, (box<2>{{0, 0}, {8, 6}}));
        EXPECT_EQ(g.all().local(), g.local());
        EXPECT_EQ(g.inner().global, (box<2>{{1, 1}, {7, 5}}));
        EXPECT_EQ(g.face(0, 0).global, (box<2>{{0, 0}, {1, 6}}));
        EXPECT_EQ(g.face(0, 1).global, (box<2>{{7, 0}, {8, 6}}));
        EXPECT_EQ(g.face(1, 1).local(), (box<2>{{2 * r, 5}, {2 * r + 2, 6}}));
        EXPECT_EQ(g.face(0, 0).local().empty(), r != 0);
        EXPECT_EQ(g.on({{3, 3}, {5, 5}}).local().size(), r == 1 || r == 2 ? 2 : 0);
        EXPECT_EQ(g.all().checks, nullptr);
    }
}

TEST(Grid, EveryRankCountCoversTheWhole) {
    for (int ranks = 1; ranks <= 127; ++ranks) {
        index_t covered = 0;
        for (int r = 0; r < ranks; ++r) covered += grid<3>{place{r, ranks}, {30, 21, 16}}.local().size();
        EXPECT_EQ(covered, 30 * 21 * 16) << ranks;
    }
}

TEST(Grid, TakesNodesAndMapping) {
    grid<2> const g{place{0, 4}, {8, 8}, {.nodes = {2, 2}, .mapping = {3, 2, 1, 0}}};
    EXPECT_EQ(g.local(), (box<2>{{4, 4}, {8, 8}}));
    EXPECT_EQ(g.nodes(1), 2);
    grid<3> const h{place{0, 12}, {8, 8, 8}, {.nodes = {2, any, 1}}};
    EXPECT_EQ(h.nodes(1), 6);
    EXPECT_EQ((grid<1>{place{0, 3}, {0}}.local().size()), 0);
}

TEST(Grid, RefusesMistakes) {
    EXPECT_THROW((grid<2>{place{0, 4}, {8, 8}, {.nodes = {4, 4}}}), error);
    EXPECT_THROW((grid<2>{place{0, 4}, {8, 8}, {.nodes = {2, 1}}}), error);
    EXPECT_THROW((grid<2>{place{0, 4}, {8, -8}}), error);
    EXPECT_THROW((grid<2>{place{0, 4}, {8, 8}, {.mapping = {0, 1}}}), error);
}

TEST(Nodes, FactoriseWhatIsLeft) {
    auto const extents = [](int ranks, std::vector<node_extent> const& list) {
        auto const g = detail::make_node_grid(ranks, list, {});
        return std::vector<int>(g.extent.begin(), g.extent.begin() + g.dims);
    };
    EXPECT_EQ(extents(12, {any, any}), (std::vector{4, 3}));
    EXPECT_EQ(extents(64, {any, any, any}), (std::vector{4, 4, 4}));
    EXPECT_EQ(extents(24, {any, 2, any}), (std::vector{4, 2, 3}));
    EXPECT_EQ(extents(7, {any, any}), (std::vector{7, 1}));
    EXPECT_EQ(extents(6, {2, 3}), (std::vector{2, 3}));
    EXPECT_EQ(extents(8, {2, 3}), (std::vector{2, 3}));
}

} // namespace
