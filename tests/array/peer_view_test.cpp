// SPDX-License-Identifier: Apache-2.0
// Elements read out of their owners' memory, by global index.
#include "support/message.hpp"
#include "support/ranks.hpp"

#include <sode/sode.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sode::internal::testing {
namespace {

using ::testing::HasSubstr;

TEST(PeerView, ReadsEveryElementOfEveryRank) {
    grid<2> const g{ranks(), {14, 9}};
    array<double, 2> u{g, shadow{2}, -1.0};
    peer_view const all{u};
    for (int step = 0; step < 4; ++step) {
        loop(u.all(), [v = *u, step](auto i, auto j) { v(i, j) = static_cast<double>(1000 * step + 9 * i + j); });
        ranks().barrier();
        for (auto const& [i, j] : u.all().global) ASSERT_EQ(all(i, j), static_cast<double>(1000 * step + 9 * i + j));
        ranks().barrier();
    }
    if (!u.owned().empty()) {
        auto const [i, j] = u.owned().lower;
        EXPECT_EQ(&all(i, j), &(*u)(i, j)) << "one's own is read where it is";
    }
}

TEST(PeerView, OfCyclicArraysAndBundles) {
    nodes<2> const p{ranks(), {any, any}};
    bundle<int, 3, 2> b{distribution<3>{p, {7, 3, 11}, {cyclic(2), none, cyclic}}};
    loop(b.all(), [v = b.cyclic_view()](auto i, auto j, auto k) {
        for (int c = 0; c < 2; ++c) v(c, i, j, k) = static_cast<int>(1000 * c + 100 * i + 10 * j + k);
    });
    peer_view const all{b};
    ranks().barrier();
    for (auto const& [i, j, k] : b.all().global)
        for (int c = 0; c < 2; ++c) ASSERT_EQ(all(c, i, j, k), 1000 * c + 100 * i + 10 * j + k);
    EXPECT_FALSE(all.reaches(2, 0, 0, 0));
    ranks().barrier();
}

TEST(PeerView, OfABufferedArrayWhatIsNow) {
    buffered<int, 1> u{grid<1>{ranks(), {40}}, shadow{1}};
    peer_view const all{u};
    for (int step = 1; step < 6; ++step, u.flip()) {
        loop(u.all(), [v = u.now(), step](auto i) { v(i) = static_cast<int>(step * 100 + i); });
        ranks().barrier();
        for (int i = 0; i < 40; ++i) ASSERT_EQ(all(i), step * 100 + i);
        ranks().barrier();
    }
}

TEST(PeerView, OfReplicatedArraysTheOwnCopy) {
    nodes<2> const p{ranks(), {any, any}};
    distribution<2> const t{p, {12, 8}, {block, block}};
    array<int, 1> a{align(t, {12}, {0})};
    loop(a.all(), [v = *a, me = ranks().rank()](auto i) { v(i) = static_cast<int>(1000 * me + i); });
    peer_view const all{a};
    ranks().barrier();
    for (index_t i = 0; i < 12; ++i) {
        int const read = all(i);
        ASSERT_EQ(read % 1000, i);
        ASSERT_TRUE(!a.owns({i}) || read / 1000 == ranks().rank());
    }
    ranks().barrier();
}

TEST(PeerView, FromRanksThatOwnNothing) {
    nodes<1> const p{ranks(), {any}};
    array<int, 1> a{distribution<1>{p.sub({{ranks().size() - 1}, {ranks().size()}}), {5}, {block}}, {}, 7};
    peer_view const all{a};
    ranks().barrier();
    for (index_t i = 0; i < 5; ++i) EXPECT_EQ(all(i), 7);
    ranks().barrier();
}

TEST(PeerView, MistakesAreToldInTheUsersWords) {
    array<int, 2> a{grid<2>{ranks(), {4, 5}}, {}, 0, "a"};
    peer_view const all{a};
    EXPECT_THAT(message([&] { return all(4, 0); }),
                HasSubstr("element (4, 0) of array \"a\" does not exist (the array has 4 x 5)"));
    EXPECT_THAT(message([&] { return all(0, -1); }), HasSubstr("does not exist"));
    if (ranks().size() == 1) return;
    array<int, 1> odd{grid<1>{ranks(), {ranks().root() ? 10 : 11}}};
    EXPECT_THAT(message([&] {
                    peer_view{odd};
                    return 0;
                }),
                HasSubstr("create a peer_view of different arrays"));
}

} // namespace
} // namespace sode::internal::testing
