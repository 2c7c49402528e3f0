// SPDX-License-Identifier: Apache-2.0
// Elements by their global indices, on whichever rank and machine they are, of all kinds of distributions.
#include "support/message.hpp"
#include "support/ranks.hpp"

#include <sode/global_view.hpp>
#include <sode/sode.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sode::internal::testing {
namespace {

using ::testing::HasSubstr;

TEST(GlobalView, ReadsEveryElementOfEveryRank) {
    array<double, 2> u{grid<2>{ranks(), {14, 9}}, shadow{2}, -1.0};
    global_view const all{u};
    for (int step = 0; step < 3; ++step) {
        loop(u.all(), [v = *u, step](auto i, auto j) { v(i, j) = static_cast<double>(1000 * step + 9 * i + j); });
        ranks().barrier();
        for (auto const& [i, j] : u.all().global) ASSERT_EQ(all(i, j), static_cast<double>(1000 * step + 9 * i + j));
        ranks().barrier();
    }
}

TEST(GlobalView, ListsOfACyclicBundle) {
    nodes<2> const p{ranks(), {any, any}};
    bundle<int, 3, 2> b{distribution<3>{p, {7, 3, 11}, {cyclic(2), none, cyclic}}};
    loop(b.all(), [v = b.cyclic_view()](auto i, auto j, auto k) {
        for (int c = 0; c < 2; ++c) v(c, i, j, k) = static_cast<int>(1000 * c + 100 * i + 10 * j + k);
    });
    global_view const all{b};
    ranks().barrier();
    std::vector<std::array<index_t, 4>> at;
    for (index_t c = 0; c < 2; ++c)
        for (index_t i = 6; i >= 0; --i)
            for (index_t j = 0; j < 3; ++j)
                for (index_t k = 0; k < 11; k += 2) at.push_back({c, i, j, k});
    std::vector<int> values(at.size());
    all.get(at, values);
    for (std::size_t n = 0; n < at.size(); ++n) {
        auto const& [c, i, j, k] = at[n];
        EXPECT_EQ(values[n], 1000 * c + 100 * i + 10 * j + k);
    }
    ranks().barrier();
}

TEST(GlobalView, WritesAllCopies) {
    nodes<2> const p{ranks(), {any, any}};
    distribution<2> const d{p, {8, 6}, {block, block}};
    array<int, 1> row{align(d, {6}, {1})};
    global_view const all{row};
    ranks().barrier();
    if (ranks().rank() == ranks().size() - 1) {
        std::vector<std::array<index_t, 1>> const at{{5}, {0}, {3}};
        std::vector<int> const values{50, 7, 30};
        all.put(at, values);
        all.flush();
    }
    ranks().barrier();
    auto const mine = row.owned();
    for (index_t i = mine.lower[0]; i < mine.upper[0]; ++i) EXPECT_EQ((*row)(i), i == 5 ? 50 : i == 0 ? 7 : i == 3 ? 30 : 0);
    EXPECT_EQ(all(5), 50);
    ranks().barrier();
}

TEST(GlobalView, WhatDoesNotExistIsRefused) {
    array<int, 2> a{grid<2>{ranks(), {4, 5}}, {}, 0, "a"};
    global_view const all{a};
    EXPECT_THAT(message([&] { return all(4, 0); }),
                HasSubstr("element (4, 0) of array \"a\" does not exist (the array has 4 x 5)"));
    std::vector<int> values(2);
    std::vector<std::array<index_t, 2>> const one{{0, 0}};
    EXPECT_THAT(message([&] {
                    all.get(one, values);
                    return 0;
                }),
                HasSubstr("1 elements and 2 values"));
    ranks().barrier();
}

} // namespace
} // namespace sode::internal::testing
