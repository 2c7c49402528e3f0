// SPDX-License-Identifier: Apache-2.0
// copy() and copy_init() as users write them: transpositions, sections, replication, buffered arrays, other rank grids, mistakes.
#include "support/message.hpp"
#include "support/ranks.hpp"

#include <sode/sode.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sode::internal::testing {
namespace {

using ::testing::HasSubstr;

TEST(Copy, RowsToColumnsAndToCyclic) {
    nodes<1> const p{ranks(), {any}};
    array<double, 2> rows{distribution<2>{p, {20, 30}, {block, none}}, shadow{1, 0}, 0.0, "rows"};
    array<double, 2> columns{distribution<2>{p, {20, 30}, {none, block}}, {}, 0.0, "columns"};
    array<double, 2> dealt{distribution<2>{p, {20, 30}, {none, cyclic(2)}}};
    auto turn = copy_init(columns, rows);
    for (int step = 0; step < 5; ++step) {
        loop(rows.all(), [v = *rows, step](auto i, auto j) { v(i, j) = static_cast<double>(1000 * step + 30 * i + j); });
        turn.start();
        turn.wait();
        auto const wrong = [v = *columns, step](auto i, auto j) {
            return v(i, j) == static_cast<double>(1000 * step + 30 * i + j) ? 0 : 1;
        };
        ASSERT_EQ(reduce(columns.all(), 0, sum, wrong), 0);
    }
    EXPECT_EQ(turn.epochs(), 5U);
    EXPECT_THAT(turn.explain(), HasSubstr("copy of \"rows\" to \"columns\""));
    EXPECT_EQ(turn.dump("json").front(), '{');
    copy(dealt, columns);
    EXPECT_EQ(reduce(dealt.all(), 0.0, max,
                     [v = dealt.cyclic_view()](auto i, auto j) { return v(i, j) - static_cast<double>(30 * i + j); }),
              4000);
}

// a[0:n:2][3] = b[5:n/2]: as Fortran and XcalableMP count.
TEST(Copy, SectionsWithStridesAndSingleSubscripts) {
    nodes<1> const p{ranks(), {any}};
    array<int, 2> a{distribution<2>{p, {40, 7}, {cyclic(3), none}}, {}, -1};
    array<int, 1> b{distribution<1>{p, {50}, {block}}};
    loop(b.all(), [v = *b](auto i) { v(i) = static_cast<int>(i); });
    copy(part(a, {{0, 40, 2}, {3, 4}}), part(b, {{5, 25}}));
    auto const wrong = [v = a.cyclic_view()](auto i, auto j) { return v(i, j) == (j == 3 && i % 2 == 0 ? 5 + i / 2 : -1) ? 0 : 1; };
    EXPECT_EQ(reduce(a.all(), 0, sum, wrong), 0);
}

// turned(j, i) = u(i, j), as between the two passes of an FFT: nothing is cut along the lines of either pass.
TEST(Copy, Transposes) {
    nodes<1> const p{ranks(), {any}};
    array<double, 2> u{distribution<2>{p, {20, 30}, {block, none}}, shadow{1}, 0.0, "u"};
    array<double, 2> turned{distribution<2>{p, {30, 20}, {block, none}}, {}, -1.0, "turned"};
    auto transpose = copy_init(turned, permuted(u, {1, 0}));
    for (int step = 0; step < 3; ++step) {
        loop(u.all(), [u = *u, step](auto i, auto j) { u(i, j) = static_cast<double>(1000 * step + 30 * i + j); });
        transpose();
        auto const wrong = [t = *turned, step](auto j, auto i) {
            return t(j, i) == static_cast<double>(1000 * step + 30 * i + j) ? 0 : 1;
        };
        ASSERT_EQ(reduce(turned.all(), 0, sum, wrong), 0);
    }
    // Square ones back onto themselves, by either side.
    grid<2> const g{ranks(), {17, 17}, {.nodes = {any, any}}};
    array<int, 2> a{g}, b{g};
    loop(a.all(), [a = *a](auto i, auto j) { a(i, j) = static_cast<int>(17 * i + j); });
    copy(permuted(b, {1, 0}), a);
    EXPECT_EQ(reduce(b.all(), 0, sum, [b = *b](auto i, auto j) { return b(i, j) == 17 * j + i ? 0 : 1; }), 0);
}

TEST(Copy, PermutesAnyDimensionsOfPartsAndBundles) {
    nodes<2> const p{ranks(), {any, any}};
    array<int, 3> u{distribution<3>{p, {5, 12, 7}, {none, cyclic(2), block}}};
    array<int, 3> v{distribution<3>{p, {7, 5, 12}, {block, none, block}}, {}, -1};
    loop(u.all(), [u = u.cyclic_view()](auto i, auto j, auto k) { u(i, j, k) = static_cast<int>((i * 12 + j) * 7 + k); });
    copy(v, permuted(u, {2, 0, 1}));
    auto const wrong = [v = *v](auto k, auto i, auto j) { return v(k, i, j) == (i * 12 + j) * 7 + k ? 0 : 1; };
    EXPECT_EQ(reduce(v.all(), 0, sum, wrong), 0);

    // A part: every other j, one i; the single dimension does not count, wherever it stands.
    array<int, 2> w{distribution<2>{p, {7, 6}, {block, block}}};
    copy(w, permuted(part(u, {{3, 4}, {1, 12, 2}, {0, 7}}), {2, 0, 1}));
    EXPECT_EQ(reduce(w.all(), 0, sum, [w = *w](auto k, auto j) { return w(k, j) == (3 * 12 + 2 * j + 1) * 7 + k ? 0 : 1; }), 0);

    grid<2> const g{ranks(), {9, 14}}, turned{ranks(), {14, 9}};
    bundle<short, 2, 2> q{g};
    buffered_bundle<short, 2, 2> r{turned};
    loop(q.all(), [q = *q](auto i, auto j) { q(0, i, j) = static_cast<short>(i), q(1, i, j) = static_cast<short>(j); });
    r.flip();
    copy(r, permuted(q, {1, 0}));
    auto const differ = [now = r.now(), next = r.next()](auto j, auto i) {
        return now(0, j, i) == i && now(1, j, i) == j && next(0, j, i) == 0 ? 0 : 1;
    };
    EXPECT_EQ(reduce(r.all(), 0, sum, differ), 0);

    EXPECT_THAT(message([&] { copy(v, permuted(u, {2, 2, 1})); }), HasSubstr("is not a permutation of the dimensions"));
    EXPECT_THAT(message([&] { copy(v, permuted(u, {3, 0, 1})); }), HasSubstr("each of 0 to 2 must occur once"));
    EXPECT_THAT(message([&] { copy(v, permuted(u, {0, 2, 1})); }), HasSubstr("cannot be copied"));
}

TEST(Copy, WithinOneArray) {
    grid<1> const g{ranks(), {60}};
    array<int, 1> a{g, {}, 0, "a"};
    loop(a.all(), [v = *a](auto i) { v(i) = static_cast<int>(i); });
    copy(part(a, {{0, 60, 2}}), part(a, {{1, 60, 2}}));
    EXPECT_EQ(reduce(a.all(), 0, sum, [v = *a](auto i) { return v(i) == (i | 1) ? 0 : 1; }), 0);
    EXPECT_THAT(message([&] {
                    copy(part(a, {{0, 10}}), part(a, {{9, 19}}));
                }),
                HasSubstr("a part of array \"a\" is copied onto itself (both sides contain the elements [9:10))"));
    EXPECT_THAT(message([&] { copy(a, a); }), HasSubstr("through another array"));
}

TEST(Copy, ToAllCopiesOfAReplicatedArray) {
    nodes<2> const p{ranks(), {any, any}};
    distribution<2> const t{p, {12, 12}, {block, cyclic}};
    array<int, 1> everywhere{align(t, {12}, {none})};
    array<int, 1> along_rows{align(t, {12}, {0})};
    array<int, 1> dealt{align(t, {12}, {along(1)})};
    loop(dealt.all(), [v = dealt.cyclic_view()](auto i) { v(i) = static_cast<int>(7 * i); });
    copy(along_rows, dealt);
    copy(everywhere, along_rows);
    for (index_t i = 0; i < 12; ++i) EXPECT_EQ((*everywhere)(i), 7 * i);
    for (auto const& [i] : along_rows.owned()) EXPECT_EQ((*along_rows)(i), 7 * i);
}

TEST(Copy, OfBufferedArraysWhatIsNow) {
    grid<1> const g{ranks(), {24}};
    nodes<1> const p{ranks(), {any}};
    buffered<int, 1> u{g, shadow{1}},
        w{distribution<1>{p, {24}, {gblock([&] {
                              std::vector<index_t> widths(static_cast<std::size_t>(ranks().size()), 0);
                              widths.back() = 24;
                              return widths;
                          }())}}};
    auto move = copy_init(w, u);
    for (int step = 1; step < 6; ++step) {
        loop(u.all(), [v = u.now(), step](auto i) { v(i) = static_cast<int>(100 * step + i); });
        move();
        EXPECT_EQ(reduce(w.all(), 0, sum, [v = w.now(), step](auto i) { return v(i) == 100 * step + i ? 0 : 1; }), 0) << step;
        if (step % 2 != 0) u.flip();
        if (step > 2) w.flip();
    }
}

TEST(Copy, BetweenPartsOfARankGrid) {
    int const n = ranks().size();
    nodes<1> const p{ranks(), {any}};
    auto const low = p.sub({{0}, {(n + 1) / 2}}), high = p.sub({{n / 2}, {n}});
    bundle<short, 2, 2> a{distribution<2>{low, {9, 10}, {block, none}}}, b{distribution<2>{high, {9, 10}, {none, cyclic}}};
    loop(a.all(), [v = *a](auto i, auto j) { v(0, i, j) = static_cast<short>(10 * i + j), v(1, i, j) = static_cast<short>(-i); });
    auto move = copy_init(b, a);
    for (int step = 0; step < 3; ++step) move();
    auto const wrong = [v = b.cyclic_view()](auto i, auto j) { return v(0, i, j) == 10 * i + j && v(1, i, j) == -i ? 0 : 1; };
    EXPECT_EQ(reduce(b.all(), 0, sum, wrong), 0);
}

// A started copy that nobody waits for ends all the same; a moved-from one has nothing to end.
TEST(Copy, DestroyingWaits) {
    grid<1> const g{ranks(), {100}};
    array<int, 1> a{g, {}, 3}, b{g};
    {
        auto first = copy_init(b, a);
        auto second = std::move(first);
        second.start();
    }
    EXPECT_EQ(reduce(b.all(), 0, sum, [v = *b](auto i) { return v(i); }), 300);
}

TEST(Copy, MistakesAreToldInTheUsersWords) {
    grid<2> const g{ranks(), {8, 9}};
    grid<2> const h{ranks(), {9, 8}};
    array<int, 2> a{g, {}, 0, "a"}, b{h, {}, 0, "b"}, c{g, {}, 0, "c"};
    EXPECT_THAT(
        message([&] { copy(a, b); }),
        HasSubstr("9 x 8 elements of array \"b\" cannot be copied to 8 x 9 of array \"a\" (both sides must have the same shape"));
    EXPECT_THAT(message([&] {
                    copy(part(a, {{0, 9}, {0, 1}}), part(b, {{0, 9}, {0, 1}}));
                }),
                HasSubstr("a part of array \"a\" reaches outside the array (indices 0 to 8 of dimension 0, which has 8 elements)"));
    EXPECT_THAT(message([&] { copy(part(a, {{0, 4, 0}, {0, 1}}), part(b, {{0, 4}, {0, 1}})); }), HasSubstr("a step of 0"));
    EXPECT_THAT(message([&] { copy(a, c, {.channel = "inline"}); }), HasSubstr("cannot use channel inline"));
    EXPECT_THAT(message([&] { copy(a, c, {.channel = "pigeon"}); }), HasSubstr("unknown channel \"pigeon\""));
    auto move = copy_init(a, c);
    EXPECT_THAT(message([&] { static_cast<void>(move.dump("yaml")); }), HasSubstr("four formats"));
    EXPECT_NO_THROW(copy(part(a, {{3, 3}, {0, 9}}), part(c, {{5, 5}, {0, 9}}))) << "nothing is legal";
    // Ranks that disagree find out together.
    if (ranks().size() > 1) {
        index_t const mine = ranks().root() ? 1 : 0;
        EXPECT_THAT(message([&] {
                        copy(part(a, {{mine, mine + 2}, {0, 9}}), part(c, {{0, 2}, {0, 9}}));
                    }),
                    HasSubstr("differently"));
    }
}

} // namespace
} // namespace sode::internal::testing
