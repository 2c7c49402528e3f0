// SPDX-License-Identifier: Apache-2.0
// collect() on several ranks: every element arrives where it belongs, and only on the root.
#include "support/ranks.hpp"

#include <sode/collect.hpp>
#include <sode/grid.hpp>
#include <sode/loop.hpp>

#include <gtest/gtest.h>

#include <random>

namespace sode::internal::testing {
namespace {

/// A value that tells where it comes from.
template <std::size_t N> double mark(std::array<index_t, N> const& at) {
    double sum = 1;
    for (auto const i : at) sum = sum * 1009 + static_cast<double>(i);
    return sum;
}

template <class Array, int N> void expect_collected(Array const& a, box<N> const& part, int root) {
    auto const all = collect(a, part, root);
    if (ranks().rank() != root) {
        EXPECT_TRUE(all.empty());
        return;
    }
    ASSERT_EQ(all.size(), static_cast<std::size_t>(part.size()));
    std::size_t k = 0;
    for (auto const& at : part) ASSERT_EQ(all[k++], mark(at)) << "element " << k - 1;
}

TEST(Collect, AnyBoxOfAGridOnAnyRoot) {
    grid<2> const g{ranks(), {23, 17}};
    array<double, 2> a{g, shadow{2}};
    loop(g.all(), [v = *a](auto i, auto j) { v(i, j) = mark(std::array<index_t, 2>{i, j}); });
    std::mt19937 random{1};
    auto const up_to = [&](index_t n) { return std::uniform_int_distribution<index_t>{0, n}(random); };
    for (int repeat = 0; repeat < 40; ++repeat) {
        box<2> part;
        for (std::size_t d = 0; d < 2; ++d) {
            part.lower[d] = up_to(g.extent(static_cast<int>(d)));
            part.upper[d] = part.lower[d] + up_to(g.extent(static_cast<int>(d)) - part.lower[d]);
        }
        expect_collected(a, part, repeat % ranks().size());
    }
    expect_collected(a, a.all().global, 0);
}

TEST(Collect, FourDimensionsOfWhichTwoAreSplit) {
    nodes<2> const p{ranks(), {any, any}};
    distribution<4> const t{p, {5, 6, 7, 4}, {none, block, none, block}};
    array<double, 4> a{t, shadow{0, 1, 0, 1}};
    loop(a.all(), [v = *a](auto i, auto j, auto k, auto l) { v(i, j, k, l) = mark(std::array<index_t, 4>{i, j, k, l}); });
    expect_collected(a, box<4>{{1, 0, 2, 0}, {4, 6, 6, 4}}, ranks().size() - 1);
}

TEST(Collect, OfCopiesTheFirstOneCounts) {
    nodes<2> const p{ranks(), {any, any}};
    distribution<2> const t{p, {12, 8}, {block, block}};
    array<double, 1> a{align(t, {12}, {0})}; // a copy on every node of the second dimension
    bool const first = p.coordinate(1) == 0;
    loop(a.all(), [v = *a, first](auto i) { v(i) = first ? mark(std::array<index_t, 1>{i}) : -1; });
    expect_collected(a, box<1>{{0}, {12}}, 0);
}

TEST(Collect, AnyBoxOfACyclicArray) {
    nodes<2> const p{ranks(), {any, any}};
    array<double, 3> a{distribution<3>{p, {19, 4, 23}, {cyclic(3), none, cyclic}}};
    loop(a.all(), [v = a.cyclic_view()](auto i, auto j, auto k) { v(i, j, k) = mark(std::array<index_t, 3>{i, j, k}); });
    expect_collected(a, a.all().global, 0);
    expect_collected(a, box<3>{{2, 1, 5}, {17, 3, 22}}, ranks().size() - 1);
    bundle<double, 1, 2> b{align(distribution<1>{nodes<1>{ranks(), {any}}, {40}, {cyclic(4)}}, {31}, {along(0) + 6})};
    loop(b.all(), [v = b.cyclic_view()](auto i) { v(0, i) = static_cast<double>(i), v(1, i) = static_cast<double>(-i); });
    auto const all = collect(b, {{3}, {30}});
    for (std::size_t k = 0; k < all.size(); ++k)
        ASSERT_EQ(all[k], k < 27 ? static_cast<double>(k + 3) : -static_cast<double>(k - 27 + 3));
}

TEST(Collect, MoreRanksThanElements) {
    grid<1> const g{ranks(), {3}};
    array<double, 1> a{g};
    loop(g.all(), [v = *a](auto i) { v(i) = mark(std::array<index_t, 1>{i}); });
    expect_collected(a, box<1>{{0}, {3}}, 0);
}

TEST(Collect, ABundleComponentByComponent) {
    grid<2> const g{ranks(), {9, 31}};
    bundle<short, 2, 3> a{g, {}, shadow{1}};
    loop(g.all(), [v = *a](auto i, auto j) {
        for (short c = 0; c < 3; ++c) v(c, i, j) = static_cast<short>(1000 * c + 31 * i + j);
    });
    box<2> const part{{2, 5}, {8, 30}};
    auto const all = collect(a, part);
    if (!ranks().root()) return;
    ASSERT_EQ(all.size(), 3U * 6 * 25);
    std::size_t k = 0;
    for (int c = 0; c < 3; ++c)
        for (auto const& [i, j] : part) ASSERT_EQ(all[k++], 1000 * c + 31 * i + j);
}

TEST(Collect, OfABufferedArrayWhatIsNow) {
    grid<1> const g{ranks(), {100}};
    buffered<int, 1> a{g, shadow{1}};
    loop(g.all(), [now = a.now(), next = a.next()](auto i) {
        now(i) = 1;
        next(i) = 2;
    });
    a.flip();
    auto const all = collect(a, {{0}, {100}});
    EXPECT_EQ(all, std::vector<int>(ranks().root() ? 100 : 0, 2));
}

TEST(Collect, MoreThanGoesInOneRound) {
    grid<2> const g{ranks(), {1100, 1024}};
    array<double, 2> a{g};
    loop(g.all(), [v = *a](auto i, auto j) { v(i, j) = static_cast<double>(i * 1024 + j); });
    auto const all = collect(a, a.all().global, ranks().size() / 2);
    for (std::size_t k = 0; k < all.size(); ++k) ASSERT_EQ(all[k], static_cast<double>(k));
}

TEST(Collect, RefusesWhatIsNotThere) {
    grid<2> const g{ranks(), {8, 8}};
    array<int, 2> const a{g, shadow{1}};
    auto const complaint = [&](box<2> const& part, int root) -> std::string {
        try {
            static_cast<void>(collect(a, part, root));
        } catch (error const& e) {
            return e.what();
        }
        return {};
    };
    EXPECT_NE(complaint({{0, -1}, {8, 8}}, 0).find("indices -1 to 7 of dimension 1, which has 8"), std::string::npos);
    EXPECT_NE(complaint({{0, 0}, {9, 8}}, 0).find("indices 0 to 8 of dimension 0, which has 8"), std::string::npos);
    EXPECT_NE(complaint({{0, 0}, {8, 8}}, ranks().size()).find("choose one of these ranks as the root"), std::string::npos);
    EXPECT_NE(complaint({{0, 0}, {8, 8}}, -1).find("choose one of these ranks as the root"), std::string::npos);
}

} // namespace
} // namespace sode::internal::testing
