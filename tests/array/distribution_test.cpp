// SPDX-License-Identifier: Apache-2.0
// Cyclic distributions, blocks of a given width, and parts of rank grids, held against their definitions element by element.
#include "support/message.hpp"

#include <sode/align.hpp>
#include <sode/box.hpp>
#include <sode/error.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace {

using namespace sode;
using namespace sode::internal;
using detail::place;
using sode::internal::testing::message;
using ::testing::HasSubstr;

// By XcalableMP's definition: element i of the template belongs to node (i / chunk) mod nodes.
TEST(Cyclic, PlacesNumberEachNodesElementsInTheirOrder) {
    std::mt19937 random{5};
    auto const between = [&](index_t low, index_t high) { return std::uniform_int_distribution<index_t>{low, high}(random); };
    for (int round = 0; round < 400; ++round) {
        index_t const chunk = between(1, 7), offset = between(0, 20), extent = between(0, 60), behind = between(0, 9);
        int const nodes = static_cast<int>(between(1, 9));
        place const where{0, nodes};
        distribution<1> const t{sode::nodes<1>{where, {nodes}}, {offset + extent + behind}, {cyclic(chunk)}};
        axis const a = align(t, {extent}, {along(0) + offset}).mapping().axes[0];
        ASSERT_TRUE(a.cyclic());
        index_t next = 0;
        for (int c = 0; c < nodes; ++c) {
            ASSERT_EQ(a.bounds[static_cast<std::size_t>(c)], next);
            turns const mine = a.turns_of(c);
            index_t number = 0;
            for (index_t i = 0; i < extent; ++i) {
                bool const own = (i + offset) / std::min(chunk, offset + extent + behind) % nodes == c;
                ASSERT_EQ(mine.contains(i), own) << i;
                if (!own) continue;
                ASSERT_EQ(a.coordinate(i), c);
                ASSERT_EQ(a.place(i), next++);
                ASSERT_EQ(mine.number(i), number++);
            }
            index_t visited = 0;
            mine.for_each(0, extent, [&](index_t lower, index_t upper) {
                ASSERT_LT(lower, upper);
                for (index_t i = lower; i < upper; ++i, ++visited) ASSERT_TRUE(mine.contains(i));
            });
            ASSERT_EQ(visited, number);
        }
        ASSERT_EQ(a.bounds.back(), extent);
    }
}

TEST(Cyclic, OwnersAndOffsetsOfAnArray) {
    nodes<2> const p{place{0, 6}, {2, 3}};
    auto const m = distribution<3>{p, {7, 4, 8}, {cyclic(2), none, cyclic}}.mapping();
    geometry g;
    g.dims = 3;
    g.axes = m.axes;
    g.grid = m.grid;
    g.element_bytes = 8;
    EXPECT_TRUE(g.cyclic());
    std::array<index_t, 6> elements{};
    for (auto const& [i, j, k] : box<3>{{0, 0, 0}, {7, 4, 8}}) {
        int const owner = g.owner({i, j, k});
        EXPECT_EQ(owner, i / 2 % 2 * 3 + k % 3);
        // The owner's elements lie in the order of their indices.
        EXPECT_EQ(g.offset(owner, g.places({i, j, k})),
                  (i / 4 * 2 + i % 2) * g.strides(owner)[0] + j * g.strides(owner)[1] + k / 3 * 8);
        ++elements[static_cast<std::size_t>(owner)];
    }
    for (int r = 0; r < 6; ++r) {
        auto const b = g.owned(r);
        EXPECT_EQ(elements[static_cast<std::size_t>(r)], b[0].size() * b[1].size() * b[2].size());
    }
}

TEST(Cyclic, ShapesAreToldApart) {
    nodes<1> const p{place{0, 4}, {4}};
    auto const print = [&](distribution_format const& f) {
        auto const m = distribution<1>{p, {32}, {f}}.mapping();
        geometry g;
        g.dims = 1;
        g.axes = m.axes;
        g.grid = m.grid;
        return g.fingerprint();
    };
    EXPECT_NE(print(cyclic), print(block));
    EXPECT_NE(print(cyclic), print(cyclic(2)));
    EXPECT_NE(print(cyclic(8)), print(block)) << "the same owners, but another way to count";
    EXPECT_EQ(print(cyclic(1)), print(cyclic));
}

TEST(Cyclic, IsNoBox) {
    distribution<1> const t{nodes<1>{place{0, 4}, {4}}, {32}, {cyclic}};
    EXPECT_THAT(message([&] { static_cast<void>(t.owned()); }), HasSubstr("is not a box (dimension 0 is cyclic)"));
    EXPECT_THAT(message([&] { static_cast<void>(cyclic(0)); }), HasSubstr("cyclic(0)"));
    EXPECT_EQ((distribution<1>{nodes<1>{place{0, 4}, {4}}, {3}, {cyclic(index_t{1} << 62)}}.mapping().axes[0].bounds),
              (std::vector<index_t>{0, 3, 3, 3, 3}));
}

TEST(Block, OfAWidth) {
    nodes<1> const p{place{1, 4}, {4}};
    EXPECT_EQ((distribution<1>{p, {10}, {block(4)}}.mapping().axes[0].bounds), (std::vector<index_t>{0, 4, 8, 10, 10}));
    EXPECT_EQ((distribution<1>{p, {10}, {block(3)}}.owned()), (box<1>{{3}, {6}}));
    EXPECT_EQ((distribution<1>{p, {10}, {block(100)}}.mapping().axes[0].bounds), (std::vector<index_t>{0, 10, 10, 10, 10}));
    EXPECT_THAT(message([&] {
                    distribution<1>{p, {10}, {block(2)}};
                }),
                HasSubstr("blocks of 2 elements on 4 nodes cannot hold 10 elements (dimension 0 is split over 4 nodes)\n"
                          "  write block(3)"));
    EXPECT_THAT(message([&] { static_cast<void>(block(0)); }), HasSubstr("block(0)"));
}

TEST(SubNodes, AreAGridOfTheirOwn) {
    nodes<2> const p{place{5, 12}, {3, 4}};
    auto const q = p.sub({{1, 1}, {3, 3}});
    EXPECT_EQ(q.grid().mapping, (std::vector<int>{5, 6, 9, 10}));
    EXPECT_EQ(q.coordinate(0), 0);
    EXPECT_EQ(q.coordinate(1), 0);
    EXPECT_EQ(q.sub({{1, 0}, {2, 2}}).grid().mapping, (std::vector<int>{9, 10})) << "a part of a part";
    auto const row = p.sub<1>({{1, 0}, {2, 4}});
    EXPECT_EQ(row.grid().mapping, (std::vector<int>{4, 5, 6, 7}));
    EXPECT_EQ(row.coordinate(0), 1);
    EXPECT_EQ((distribution<1>{row, {8}, {block}}.owned()), (box<1>{{2}, {4}}));
    EXPECT_EQ(p.sub<1>({{2, 3}, {3, 4}}).grid().mapping, std::vector<int>{11}) << "one node, of which one dimension is left";
    EXPECT_EQ(p.sub<1>({{2, 3}, {3, 4}}).coordinate(0), -1);
    EXPECT_THAT(message([&] { static_cast<void>(p.sub({{0, 0}, {4, 4}})); }), HasSubstr("the dimension has nodes 0 to 2"));
    EXPECT_THAT(message([&] { static_cast<void>(p.sub({{0, 2}, {1, 2}})); }), HasSubstr("at least one"));
    EXPECT_THAT(message([&] { static_cast<void>(p.sub<1>({{0, 0}, {2, 4}})); }), HasSubstr("more than 1 dimensions"));
}

} // namespace
