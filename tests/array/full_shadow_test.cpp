// SPDX-License-Identifier: Apache-2.0
// Arrays of which every rank has room for everything, and the exchange that fills them.
#include "support/message.hpp"
#include "support/ranks.hpp"

#include <sode/sode.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

namespace sode::internal::testing {
namespace {

using ::testing::HasSubstr;

TEST(FullShadow, HoldsEverything) {
    for (index_t const n : {37, 3}) { // of 3 elements some ranks own none
        grid<1> const g{ranks(), {n}};
        array<double, 1> u{g, shadow{full}, -1.0};
        EXPECT_EQ(u.allocated(), (box<1>{{0}, {n}}));
        for (char const* channel : {"", "pull", "stage", "stage-wide", "reference"}) {
            auto fill = reflect_init({.channel = channel}, u);
            for (int step = 0; step < 4; ++step) {
                loop(u.all(), [v = *u, step](auto i) { v(i) = static_cast<double>(100 * step + i); });
                fill();
                for (index_t i = 0; i < n; ++i) ASSERT_EQ((*u)(i), static_cast<double>(100 * step + i)) << channel;
            }
        }
    }
}

// A dense matrix times a vector: everybody's part is needed, and overlap knows that.
TEST(FullShadow, OverlapComputesNothingTooEarly) {
    index_t const n = 24;
    nodes<1> const p{ranks(), {any}};
    distribution<1> const t{p, {n}, {block}};
    array<double, 1> x{t, shadow{full}, -1e9};
    array<double, 1> y{t};
    auto fill = reflect_init(x);
    for (int step = 1; step < 4; ++step) {
        loop(x.all(), [v = *x, step](auto i) { v(i) = static_cast<double>(step * i); });
        fill.overlap(y.all(), [x = *x, y = *y](auto i) {
            double s = 0;
            for (index_t j = 0; j < n; ++j) s += x(j) * static_cast<double>(i + 1);
            y(i) = s;
        });
        auto const wrong = [y = *y, step](auto i) {
            return y(i) == static_cast<double>((i + 1) * step * (n * (n - 1) / 2)) ? 0 : 1;
        };
        ASSERT_EQ(reduce(y.all(), 0, sum, wrong), 0);
    }
}

TEST(FullShadow, InTwoDimensionsOfABufferedBundle) {
    grid<2> const g{ranks(), {9, 14}, {.nodes = {any, any}}};
    buffered<int, 2> u{g, shadow{full, full}};
    bundle<short, 2, 2> b{g, {}, shadow{full, full}};
    auto fill = reflect_init(u, b);
    for (int step = 1; step < 5; ++step, u.flip()) {
        loop(u.all(), [u = u.now(), b = *b, step](auto i, auto j) {
            u(i, j) = static_cast<int>(1000 * step + 14 * i + j);
            b(0, i, j) = static_cast<short>(100 * step + i), b(1, i, j) = static_cast<short>(100 * step + j);
        });
        fill.start();
        while (!fill.test()) std::this_thread::yield();
        if (u.owned().empty()) continue;
        for (auto const& [i, j] : u.all().global) {
            ASSERT_EQ(u.now()(i, j), 1000 * step + 14 * i + j);
            ASSERT_EQ((*b)(0, i, j), 100 * step + i);
            ASSERT_EQ((*b)(1, i, j), 100 * step + j);
        }
    }
}

// Dimension 0 has a halo, dimension 1 a full shadow: one exchange brings both.
TEST(FullShadow, BesideAHalo) {
    nodes<2> const p{ranks(), {any, any}};
    index_t const n = 4 * p.extent(0), m = 13;
    array<int, 2> u{distribution<2>{p, {n, m}, {block, block}}, shadow{{1, 2}, full}, -7};
    loop(u.all(), [v = *u, m](auto i, auto j) { v(i, j) = static_cast<int>(i * m + j); });
    auto exchange = reflect_init(u);
    exchange();
    auto const mine = u.owned();
    if (mine.empty()) return;
    auto const v = *u;
    for (index_t i = mine.lower[0]; i < mine.upper[0]; ++i)
        for (index_t j = 0; j < m; ++j) ASSERT_EQ(v(i, j), i * m + j);
    for (index_t j = mine.lower[1]; j < mine.upper[1]; ++j) {
        ASSERT_EQ(v(mine.lower[0] - 1, j), mine.lower[0] > 0 ? (mine.lower[0] - 1) * m + j : -7);
        ASSERT_EQ(v(mine.upper[0] + 1, j), mine.upper[0] < n ? (mine.upper[0] + 1) * m + j : -7);
    }
    EXPECT_THAT(exchange.explain(), HasSubstr("full shadow of"));
}

TEST(FullShadow, IsFetchedOnRequest) {
    nodes<1> const p{ranks(), {any}};
    array<int, 1> u{distribution<1>{p, {16}, {block}}, shadow{full}, -1, "u"};
    array<int, 1> w{distribution<1>{p, {16}, {block}}, shadow{1}, -1, "w"};
    loop(u.all(), [v = *u](auto i) { v(i) = 5; });
    auto nothing = reflect_init(width(u, {0}));
    nothing();
    EXPECT_TRUE(u.owned().empty() || (*u)(0) == (u.owns({0}) ? 5 : -1));
    EXPECT_THAT(message([&] { static_cast<void>(reflect_init(width(u, {1}))); }), HasSubstr("does not fit in dimension 0"));
    EXPECT_THAT(message([&] { static_cast<void>(reflect_init(width(w, {full}))); }),
                HasSubstr("a full width of array \"w\" does not fit in dimension 0 (the shadow in this dimension is 1:1)"));
    EXPECT_THAT(message([&] {
                    (array<int, 1>{distribution<1>{p, {16}, {cyclic}}, shadow{full}});
                }),
                HasSubstr("dimension 0 has a full shadow (the dimension is cyclic"));
    // A dimension that is not split has everything anyway.
    array<int, 2> whole{distribution<2>{p, {16, 3}, {block, none}}, shadow{full, full}};
    EXPECT_NO_THROW(reflect_init(whole)());
}

} // namespace
} // namespace sode::internal::testing
