// SPDX-License-Identifier: Apache-2.0
// How sode::grid cuts extents over ranks, and what it says of that.
#include "array/grid_shape.hpp"

#include <sode/error.hpp>
#include <sode/grid.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace {

using namespace sode;
using namespace sode::internal;
using detail::place;
using ::testing::ElementsAre;

std::vector<int> spread(int ranks, std::vector<index_t> const& extents, std::vector<node_extent> wanted = {}) {
    wanted.resize(extents.size());
    return choose_shape(ranks, extents, wanted).nodes;
}

std::string why(int ranks, std::vector<index_t> const& extents, std::vector<node_extent> wanted = {}) {
    wanted.resize(extents.size());
    return choose_shape(ranks, extents, wanted).reason;
}

// The elements of each rank along dimension 0 of a grid that is cut there only.
std::vector<index_t> shares(index_t extent, int ranks) {
    std::vector<index_t> list;
    for (int r = 0; r < ranks; ++r) list.push_back(grid<1>{place{r, ranks}, {extent}}.local().size());
    return list;
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

TEST(Grid, CutsWhatTheProgramWantsCut) {
    EXPECT_EQ(spread(4, {1024, 1024}, {any, any}), (std::vector{2, 2}));
    EXPECT_EQ(spread(8, {100, 100, 100}, {any, any, any}), (std::vector{2, 2, 2}));
    EXPECT_EQ(spread(12, {64, 64, 64}, {any, 2, any}), (std::vector{3, 2, 2}));
    EXPECT_EQ(spread(6, {1000, 2000}, {any, any}), (std::vector{2, 3})) << "the least surface";
    EXPECT_EQ(spread(7, {1024, 1024}, {any, any}), (std::vector{7, 1})) << "7 has no factors";
    EXPECT_EQ(spread(4, {64, 64, 64}, {any, any, any}), (std::vector{2, 2, 1}));
    EXPECT_EQ(spread(8, {4, 1000}, {any, any}), (std::vector{2, 4}));
    EXPECT_EQ(spread(4, {1, 1000}, {any, any}), (std::vector{1, 4})) << "nobody is idle for it";
    // What is left out is up to the library.
    EXPECT_EQ(spread(8, {64, 64, 64}, {2}), (std::vector{2, 4, 1}));
    EXPECT_EQ(spread(8, {64, 64, 64}, {{}, {}, any}), (std::vector{2, 2, 2}));
    EXPECT_EQ(spread(6, {64, 64}, {2, {}}), (std::vector{2, 3}));
}

TEST(Grid, SaysWhichDimensionsAreCutAndWhy) {
    EXPECT_EQ(why(4, {1024, 1024}), "dimension 0 is cut; dimension 1 stays whole, since it is contiguous in memory");
    EXPECT_EQ(why(8, {100, 100, 100}),
              "dimensions 0 and 1 are cut (of all such splits, the one with the least surface); dimension 2 stays "
              "whole, since it is contiguous in memory");
    EXPECT_EQ(why(8, {4, 1000}),
              "dimension 1 is cut (of all such splits, the one with the least surface); the last one is contiguous in "
              "memory, but if it stayed whole, 4 of 8 ranks would own nothing");
    EXPECT_EQ(why(4, {8, 8}, {2, 2}), "dimensions 0 and 1 are cut, as the program says");
    EXPECT_EQ(why(4, {8, 8}, {any, any}), "dimensions 0 and 1 are cut");
    EXPECT_EQ(why(7, {8, 8}, {any, any}),
              "dimension 0 is cut (of all such splits, the one with the least surface); dimension 1 stays whole, "
              "since 7 ranks cannot be divided among more dimensions");
    EXPECT_EQ(why(4, {1, 1000}, {any, any}),
              "dimension 1 is cut; dimension 0 stays whole, since ranks would own nothing otherwise");
    EXPECT_EQ(why(4, {100}), "dimension 0 is cut");
    EXPECT_EQ(why(4, {3}), "dimension 0 is cut; 1 of 4 ranks own nothing");
    EXPECT_EQ(why(1, {10, 10}, {1, 1}), "no dimension is cut, as the program says");
}

TEST(Grid, Balances) {
    EXPECT_THAT(shares(10, 8), ElementsAre(2, 2, 1, 1, 1, 1, 1, 1));
    EXPECT_THAT(shares(17, 4), ElementsAre(5, 4, 4, 4));
    EXPECT_THAT(shares(3, 5), ElementsAre(1, 1, 1, 0, 0));
    auto const many = shares(1030, 512);
    EXPECT_EQ(std::ranges::count(many, 3), 6);
    EXPECT_EQ(std::ranges::count(many, 2), 506) << "nobody is idle";
    for (int ranks : {16, 48, 64, 96, 128}) {
        index_t most = 0, least = 1 << 30;
        for (int r = 0; r < ranks; ++r) {
            auto const mine = grid<3>{place{r, ranks}, {65, 66, 67}}.local();
            most = std::max(most, mine.extent(0));
            least = std::min(least, mine.extent(0));
            EXPECT_FALSE(mine.empty());
        }
        EXPECT_LE(most - least, 1) << ranks;
    }
    // XcalableMP's block is another thing, and stays.
    distribution<1> const t{nodes<1>{place{7, 8}, {8}}, {10}, {block}};
    EXPECT_TRUE(t.owned().empty());
    EXPECT_EQ((distribution<1>{nodes<1>{place{7, 8}, {8}}, {10}, {balanced}}.owned()), (box<1>{{9}, {10}}));
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
