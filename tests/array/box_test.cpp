// SPDX-License-Identifier: Apache-2.0
// Index boxes: size, order and algebra, each held against membership element by element.
#include <sode/box.hpp>

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace {

using sode::box;
using sode::index_t;

TEST(Box, SizeAndEmptiness) {
    box<3> const b{{1, -2, 3}, {4, 2, 5}};
    EXPECT_EQ(b.size(), 3 * 4 * 2);
    EXPECT_EQ(b.extent(1), 4);
    EXPECT_FALSE(b.empty());
    box<3> const inverted{{1, 5, 3}, {4, 2, 5}};
    EXPECT_TRUE(inverted.empty());
    EXPECT_EQ(inverted.size(), 0);
    EXPECT_EQ(inverted.extent(1), 0);
    EXPECT_TRUE(b.covers(inverted));
    EXPECT_FALSE(inverted.covers(b));
    EXPECT_EQ(to_string(b), "[1:4, -2:2, 3:5)");
}

TEST(Box, IteratesInRowMajorOrder) {
    box<3> const b{{0, 2, -1}, {2, 4, 1}};
    std::vector<sode::index<3>> seen;
    for (auto const& at : b) seen.push_back(at);
    std::vector<sode::index<3>> expected;
    for (index_t i = 0; i < 2; ++i)
        for (index_t j = 2; j < 4; ++j)
            for (index_t k = -1; k < 1; ++k) expected.push_back({i, j, k});
    EXPECT_EQ(seen, expected);
    for ([[maybe_unused]] auto const& at : box<2>{{0, 3}, {4, 3}}) ADD_FAILURE() << "an empty box has an index";
}

// Set algebra on random boxes against membership of every index around.
TEST(Box, AlgebraAgreesWithMembership) {
    std::mt19937 random{7};
    std::uniform_int_distribution<index_t> any{-4, 4};
    box<2> const all{{-9, -9}, {10, 10}};
    for (int round = 0; round < 500; ++round) {
        box<2> const a{{any(random), any(random)}, {any(random), any(random)}};
        box<2> const b{{any(random), any(random)}, {any(random), any(random)}};
        index_t inside = 0;
        bool subset = true;
        for (auto const& at : all) {
            EXPECT_EQ(intersect(a, b).contains(at), a.contains(at) && b.contains(at));
            inside += a.contains(at) ? 1 : 0;
            subset = subset && (!b.contains(at) || a.contains(at));
            EXPECT_EQ(shift(a, {1, -2}).contains(at), a.contains({at[0] - 1, at[1] + 2}));
        }
        EXPECT_EQ(a.size(), inside);
        EXPECT_EQ(a.empty(), inside == 0);
        EXPECT_EQ(a.covers(b), subset);
        EXPECT_EQ(shrink(a, {1, 0}, {0, 2}), (box<2>{{a.lower[0] + 1, a.lower[1]}, {a.upper[0], a.upper[1] - 2}}));
        EXPECT_EQ(shrink(shrink(a, 2), -2), a);
    }
}

static_assert(sode::box_of<2>({3, 4}).size() == 12, "boxes are usable at compile time");

} // namespace
