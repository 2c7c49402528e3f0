// SPDX-License-Identifier: Apache-2.0
// Arrays with cyclic dimensions on several ranks: loops, reductions, views, halos of the other dimensions.
#include "support/message.hpp"
#include "support/ranks.hpp"

#include <sode/sode.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sode::internal::testing {
namespace {

using ::testing::HasSubstr;

TEST(Cyclic, LoopsVisitWhatIsOwnedOnce) {
    nodes<2> const p{ranks(), {any, any}};
    distribution<3> const t{p, {13, 5, 17}, {cyclic(2), none, cyclic(3)}};
    array<int, 3> a{t};
    auto const v = a.cyclic_view();
    loop(a.on({{1, 0, 2}, {12, 5, 16}}), [=](auto i, auto j, auto k) { ++v(i, j, k); });
    for (auto const& at : a.all().global) {
        if (!a.owns(at)) continue;
        auto const& [i, j, k] = at;
        ASSERT_EQ(a.rank_of(at), ranks().rank());
        ASSERT_EQ(v.at(i, j, k), i >= 1 && i < 12 && k >= 2 && k < 16 ? 1 : 0);
    }
    auto const sum_of = [&](domain<3> const& d) {
        return reduce(d, index_t{0}, sum, [=](auto i, auto j, auto k) { return v(i, j, k); });
    };
    EXPECT_EQ(sum_of(a.all()), 11 * 5 * 14);
    EXPECT_EQ(sum_of(a.on({{1, 0, 2}, {2, 1, 3}})), 1);
    EXPECT_EQ(sum_of(a.on({{0, 0, 0}, {1, 5, 17}})), 0);
    EXPECT_EQ(reduce(a.all(), index_t{-1}, max, [](auto i, auto, auto k) { return i * 100 + k; }), 1216);
}

TEST(Cyclic, ViewsRefuseWhatIsElsewhere) {
    nodes<1> const p{ranks(), {any}};
    array<double, 1> a{distribution<1>{p, {64}, {cyclic(2)}}, {}, 0.0, "a"};
    EXPECT_THAT(message([&] { static_cast<void>(a.view()); }),
                HasSubstr("part of array \"a\" is not a box (dimension 0 is cyclic)"));
    EXPECT_THAT(message([&] { static_cast<void>(a.owned()); }), HasSubstr("cyclic_view"));
    auto const v = std::as_const(a).cyclic_view();
    index_t const mine = 2 * ranks().rank();
    EXPECT_EQ(&v.at(mine + 1), &v(mine) + 1);
    EXPECT_FALSE(a.owns({-1}));
    EXPECT_FALSE(a.owns({64}));
    EXPECT_ANY_THROW(static_cast<void>(v.at(-1)));
    EXPECT_ANY_THROW(static_cast<void>(v.at(64)));
    if (ranks().size() == 1) return;
    index_t const other = (mine + 2) % (2 * ranks().size());
    EXPECT_THAT(message([&] { static_cast<void>(v.at(other)); }), HasSubstr("of every"));
    EXPECT_FALSE(a.owns({other}));
    EXPECT_THAT(message([&] {
                    (array<double, 1>{distribution<1>{p, {64}, {cyclic}}, shadow{1}});
                }),
                HasSubstr("dimension 0 has a shadow of 1:1 elements (the dimension is cyclic"));
}

TEST(Cyclic, ABufferedPairFlips) {
    buffered<int, 1> u{distribution<1>{nodes<1>{ranks(), {any}}, {50}, {cyclic}}};
    loop(u.all(), [now = u.cyclic_now(), next = u.cyclic_next()](auto i) { now(i) = 1, next(i) = 2; });
    u.flip();
    EXPECT_EQ(reduce(u.all(), 0, sum, [now = std::as_const(u).cyclic_now()](auto i) { return now(i); }), 100);
}

// The block dimension has a halo; the cyclic one is simply larger than a rank's part of it.
TEST(Cyclic, HalosOfTheOtherDimensions) {
    nodes<2> const p{ranks(), {any, any}};
    index_t const n = 4 * p.extent(0), m = 11;
    distribution<2> const t{p, {n, m}, {block, cyclic(2)}};
    for (char const* channel : {"", "pull", "stage", "stage-wide", "reference"}) {
        array<double, 2> u{t, shadow{1, 0}};
        auto const v = u.cyclic_view();
        loop(u.all(), [=](auto i, auto j) { v(i, j) = static_cast<double>(i * m + j); });
        auto halo = reflect_init({.periodic = {true, false}, .channel = channel}, u);
        for (int step = 0; step < 3; ++step) {
            halo();
            auto const wrong = [=](auto i, auto j) { return v(i, j) == static_cast<double>((i + n) % n * m + j) ? 0 : 1; };
            ASSERT_EQ(reduce(u.all(), 0, sum, [=](auto i, auto j) { return wrong(i - 1, j) + wrong(i + 1, j); }), 0) << channel;
        }
        // Overlap leaves the rim of the block dimension and visits everything once.
        array<int, 2> seen{t};
        halo.overlap(u.all(), [s = seen.cyclic_view()](auto i, auto j) { ++s(i, j); });
        EXPECT_EQ(halo.overlap_reduce(u.all(), 0, sum, [s = seen.cyclic_view()](auto i, auto j) { return s(i, j); }), n * m);
    }
}

TEST(SubNodes, DistributeOverSomeRanksOnly) {
    if (ranks().size() < 4) GTEST_SKIP() << "a part of a grid needs several nodes";
    nodes<2> const p{ranks(), {2, ranks().size() / 2}};
    if (p.size() != ranks().size()) GTEST_SKIP() << "an even number of ranks is wanted";
    auto const column = p.sub<1>({{0, 1}, {2, 2}});
    array<double, 2> u{distribution<2>{column, {10, 6}, {block, none}}, shadow{1, 0}};
    EXPECT_EQ(u.owned().empty(), p.coordinate(1) != 1);
    loop(u.all(), [v = *u](auto i, auto j) { v(i, j) = static_cast<double>(i * 6 + j); });
    auto halo = reflect_init(u);
    halo();
    if (p.coordinate(1) == 1) {
        EXPECT_EQ((*u)(p.coordinate(0) == 0 ? 5 : 4, 3), p.coordinate(0) == 0 ? 33 : 27);
    }
    auto const all = collect(u, u.all().global);
    for (std::size_t k = 0; k < all.size(); ++k) ASSERT_EQ(all[k], static_cast<double>(k));
}

} // namespace
} // namespace sode::internal::testing
