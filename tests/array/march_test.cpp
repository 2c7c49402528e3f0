// SPDX-License-Identifier: Apache-2.0
// What a march says and counts: one exchange for several steps, how many it takes and why, pauses, other exchanges in between, and
// mistakes.
#include "support/message.hpp"
#include "support/ranks.hpp"

#include <sode/sode.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace sode::internal::testing {
namespace {

using ::testing::HasSubstr;

auto const jacobi = [](auto a, auto b) {
    return [=](auto i, auto j) {
        b(i, j) = 0.25 * (a(i - 1, j) + a(i + 1, j) + a(i, j - 1) + a(i, j + 1));
        return b(i, j);
    };
};

// Wide enough for eight steps at a time on any number of ranks of these tests.
index<2> plate_for(runtime const& rt) {
    return {16 * rt.size(), 40};
}

void warm(buffered<double, 2>& u) {
    for (auto const& v : {u.now(), u.next()})
        loop(u.all(), [v](auto i, auto j) { v(i, j) = static_cast<double>((3 * i + 7 * j) % 11); });
}

TEST(March, OneExchangeForSeveralSteps) {
    grid<2> const g{ranks(), plate_for(ranks())};
    buffered<double, 2> u{g, shadow{1}, tiles{8}, 0.0, "u"};
    warm(u);
    auto halo = reflect_init({.periodic = true}, u); // so that ranks do not hand each other rows
    halo.march(80, g.all(), jacobi, u);
    EXPECT_EQ(halo.epochs(), 10U);
    halo.march(20, g.all(), jacobi, u); // 8, 8, 4
    EXPECT_EQ(halo.epochs(), 13U);
    EXPECT_THAT(halo.explain(), HasSubstr("march of \"u\": 8 time steps per exchange, as requested"));
    EXPECT_EQ(u.parity(), 0);
}

TEST(March, AStepReadsNoMoreThanBefore) {
    grid<2> const g{ranks(), plate_for(ranks())};
    buffered<double, 2> wide{g, shadow{1}, tiles{8}, 0.0, "u"}, narrow{g, shadow{1}, 0.0, "u"};
    for (auto* u : {&wide, &narrow})
        for (int d : {0, 1}) {
            EXPECT_EQ(u->halo().lower[static_cast<std::size_t>(d)], 1);
            EXPECT_EQ(u->halo().upper[static_cast<std::size_t>(d)], 1);
        }
    EXPECT_EQ(wide.geometry().axes[0].shadow_lower, 8);
}

// Room would keep rows apart. A periodic dimension that no border cuts is filled between the steps instead; dimension 1 of large
// planes has room, because strips end there.
TEST(March, RowsThatNoBorderCutsNeedNoRoom) {
    for (auto const& [rows, columns, room] : {std::tuple{6, 10, 1}, std::tuple{96, 90, 3}}) {
        grid<3> const g{ranks(), {4 * ranks().size(), rows, columns}, {.nodes = {ranks().size(), 1, 1}}};
        buffered<double, 3> u{g, shadow{1}, tiles{3}, 0.0, "u"}, v{g, shadow{1}, 0.0, "v"};
        array<double, 3> c{g, shadow{1}, tiles{3}, 0.0, "c"};
        EXPECT_EQ(u.geometry().axes[1].shadow_lower, room);
        EXPECT_EQ(u.geometry().axes[2].shadow_lower, 1);
        EXPECT_EQ(u.now().stride(1), v.now().stride(1));
        EXPECT_EQ(u.now().stride(0) == v.now().stride(0), room == 1);
        for (auto const& w : {u.now(), u.next(), v.now(), v.next(), *c})
            loop(g.all(), [w](auto i, auto j, auto k) { w(i, j, k) = static_cast<double>((3 * i + 7 * j + 5 * k) % 11); });
        auto const step = [](auto a, auto b, auto r) {
            return [=](auto i, auto j, auto k) {
                b(i, j, k) = 0.3 * a(i - 1, j, k) + 0.2 * a(i, j + 1, k) + 0.1 * a(i, j, k - 1) + 0.4 * a(i, j, k + 1) +
                             0.01 * r(i, j, k + 1) * b(i, j, k);
            };
        };
        for (auto* w : {&u, &v}) {
            auto halo = reflect_init({.periodic = true}, *w), fixed = reflect_init({.periodic = true}, c);
            fixed();
            halo.march(10, g.all(), step, *w, c);
            EXPECT_THAT(halo.explain(),
                        HasSubstr(w == &u ? ": 3 time steps per exchange, as requested" : ": 1 time step per exchange"));
        }
        for (auto const& [i, j, k] : g.local()) ASSERT_EQ(u.now()(i, j, k), v.now()(i, j, k)) << i << ' ' << j << ' ' << k;
        for (auto const& [i, j, k] : g.local()) ASSERT_EQ(u.next()(i, j, k), v.next()(i, j, k)) << i << ' ' << j << ' ' << k;
    }
}

// A step reads elements of two blocks: it is one step at a time, and the exchange may still be overlapped.
TEST(March, OneStepWhereBlocksAreNarrowerThanItReads) {
    index_t const n = 5 * ranks().size() - 4; // one element for the last rank
    grid<1> const g{ranks(), {n}};
    buffered<double, 1> u{g, shadow{3}, tiles{4}, 0.0, "u"};
    std::vector<double> now(static_cast<std::size_t>(n)), next(now);
    for (index_t i = 0; i < n; ++i) now[static_cast<std::size_t>(i)] = static_cast<double>(i * i % 13);
    loop(g.all(), [v = u.now(), &now](auto i) { v(i) = now[static_cast<std::size_t>(i)]; });
    auto halo = reflect_init({.periodic = true}, u);
    halo.march(
        6, g.all(), [](auto a, auto b) { return [=](auto i) { b(i) = 0.5 * a(i - 3) + 0.25 * a(i + 3) + 0.25 * a(i); }; }, u);
    auto const at = [&](index_t i) { return now[static_cast<std::size_t>((i % n + n) % n)]; };
    for (int step = 0; step < 6; ++step, now.swap(next))
        for (index_t i = 0; i < n; ++i) next[static_cast<std::size_t>(i)] = 0.5 * at(i - 3) + 0.25 * at(i + 3) + 0.25 * at(i);
    auto const difference =
        reduce(g.all(), 0.0, max, [v = u.now(), &now](auto i) { return std::abs(v(i) - now[static_cast<std::size_t>(i)]); });
    EXPECT_EQ(difference, 0.0);
}

TEST(March, SaysWhySingleStepsStay) {
    grid<2> const g{ranks(), plate_for(ranks())};
    buffered<double, 2> u{g, shadow{1}, 0.0, "u"}, v{g, shadow{1}, tiles{4}, 0.0, "v"};
    auto halo = reflect_init({.periodic = true}, u), other = reflect_init({.periodic = true}, v);
    halo.march(3, g.all(), jacobi, u);
    EXPECT_THAT(
        halo.explain(),
        HasSubstr("march of \"u\": 1 time step per exchange (array \"u\" has a shadow of 1 in dimension 0: give it sode::tiles)"));
    EXPECT_EQ(halo.epochs(), 3U);
    other.march(3, g.inner(), jacobi, v);
    EXPECT_THAT(other.explain(), HasSubstr("4 requested; dimension 0 is periodic, and the march does not run over all of it"));
}

TEST(March, FindsOutHowManySteps) {
    grid<2> const g{ranks(), plate_for(ranks())};
    buffered<double, 2> u{g, shadow{1}, tiles{}, 0.0, "u"}, v{g, shadow{1}, 0.0, "v"};
    warm(u);
    warm(v);
    auto halo = reflect_init(u), single = reflect_init(v);
    for (int turn = 0; turn < 20; ++turn) halo.march(37, g.inner(), jacobi, u);
    single.march(20 * 37, g.inner(), jacobi, v);
    EXPECT_THAT(halo.explain(), ::testing::ContainsRegex("time steps? per exchange, (by trial|trying)"));
    for (auto const& [i, j] : g.local()) ASSERT_EQ(u.now()(i, j), v.now()(i, j)) << i << ' ' << j;
}

TEST(March, StopsForPauses) {
    grid<2> const g{ranks(), plate_for(ranks())};
    buffered<double, 2> u{g, shadow{1}, tiles{8}, 0.0, "u"}, v{g, shadow{1}, 0.0, "v"};
    warm(u);
    warm(v);
    auto halo = reflect_init(u), single = reflect_init(v);
    std::vector<index_t> seen;
    auto const mean = [&](buffered<double, 2>& w) {
        return reduce(g.all(), 0.0, sum, [a = w.now()](auto i, auto j) { return a(i, j); });
    };
    halo.march(25, g.inner(),
               every{10,
                     [&](index_t t) {
                         single.march(t - (seen.empty() ? 0 : seen.back()), g.inner(), jacobi, v);
                         EXPECT_EQ(mean(u), mean(v));
                         seen.push_back(t);
                     }},
               jacobi, u);
    EXPECT_EQ(seen, (std::vector<index_t>{10, 20, 25}));
}

TEST(March, ReducesTheLastStep) {
    grid<2> const g{ranks(), plate_for(ranks())};
    buffered<double, 2> u{g, shadow{1}, tiles{8}, 0.0, "u"};
    warm(u);
    auto halo = reflect_init(u);
    EXPECT_EQ(halo.march_reduce(0, g.inner(), -1.0, max, jacobi, u), -1.0);
    auto const found = halo.march_reduce(30, g.inner(), -1.0, max, jacobi, u);
    EXPECT_EQ(found, reduce(g.inner(), -1.0, max, [a = u.now()](auto i, auto j) { return a(i, j); }));
}

TEST(March, NeedsItsFieldsInTheExchange) {
    grid<2> const g{ranks(), plate_for(ranks())};
    buffered<double, 2> u{g, shadow{1}, tiles{4}, 0.0, "u"}, v{g, shadow{1}, tiles{4}, 0.0, "v"};
    auto halo = reflect_init(u);
    EXPECT_THAT(message([&] { halo.march(3, g.inner(), jacobi, v); }),
                HasSubstr("march() of halo of \"u\" cannot use array \"v\""));
    EXPECT_THAT(message([&] { buffered<double, 2> const w{g, shadow{1}, tiles{-1}}; }), HasSubstr("time tiles have -1 steps"));
}

} // namespace
} // namespace sode::internal::testing
