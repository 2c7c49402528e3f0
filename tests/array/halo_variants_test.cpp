// SPDX-License-Identifier: Apache-2.0
// A halo that is planned several ways gives the same bytes in every exchange, whichever of them runs, while it tries them and
// afterwards; with buffered arrays, boundary conditions, corners, rebinding and reverse exchanges in between.
#include "support/ranks.hpp"

#include <sode/sode.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

namespace sode::internal::testing {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;

// Before anybody asks for the runtime: every edge that has a second best way tries it.
int const any_margin = setenv("SODE_CHOICE_MARGIN", "1e9", 1);

constexpr int exchanges = 140; // more than a look at six variants takes, and its agreement

double value(index_t i, index_t j, int step) {
    return static_cast<double>(1000 * step + 30 * i + j);
}

template <class View> void fill(View v, grid<2> const& g, int step) {
    loop(g.all(), [=](index_t i, index_t j) { v(i, j) = value(i, j, step); });
}

template <class View> void expect_halo(View v, grid<2> const& g, index<2> const& n, int width, int step, bool corners) {
    auto const b = g.local();
    if (b.empty()) return;
    for (index_t i = b.lower[0] - width; i < b.upper[0] + width; ++i)
        for (index_t j = b.lower[1] - width; j < b.upper[1] + width; ++j) {
            bool const outside_i = i < b.lower[0] || i >= b.upper[0], outside_j = j < b.lower[1] || j >= b.upper[1];
            if (outside_i && outside_j && !corners) continue;
            ASSERT_EQ(v(i, j), value((i + n[0]) % n[0], (j + n[1]) % n[1], step)) << i << ' ' << j << ", step " << step;
        }
}

TEST(HaloVariants, InPlace) {
    auto& rt = ranks();
    for (bool const corners : {false, true}) {
        index<2> const n{37, 29};
        grid<2> const g{rt, n};
        array<double, 2> a{g, {2}};
        auto halo = reflect_init({.corners = corners, .periodic = true}, a);
        for (int step = 0; step < exchanges + rt.size(); ++step) {
            fill(*a, g, step);
            rt.barrier();
            halo();
            expect_halo(*a, g, n, 2, step, corners);
            rt.barrier();
        }
        if (rt.size() > 1) {
            EXPECT_THAT(halo.explain(), AnyOf(HasSubstr("kept"), HasSubstr("messages"))) << halo.explain();
        }
        EXPECT_EQ(halo.epochs(), static_cast<std::uint64_t>(exchanges + rt.size()));
    }
}

TEST(HaloVariants, WithoutAWordFromReaders) {
    auto& rt = ranks();
    index<2> const n{40, 33};
    grid<2> const g{rt, n};
    buffered<double, 2> u{g, {1}};
    auto halo = reflect_init({.periodic = true}, u);
    for (int step = 0; step < exchanges + rt.size(); ++step) {
        fill(u.now(), g, step);
        halo();
        expect_halo(u.now(), g, n, 1, step, false);
        u.flip();
    }
}

TEST(HaloVariants, StartedAndTested) {
    auto& rt = ranks();
    index<2> const n{64, 20};
    grid<2> const g{rt, n};
    array<double, 2> a{g, {1}}, b{g, {1}};
    auto halo = reflect_init({.periodic = true}, a);
    for (int step = 0; step < exchanges + rt.size(); ++step) {
        auto& now = step % 5 == 4 ? b : a;
        halo.rebind(now);
        fill(*now, g, step);
        rt.barrier();
        halo.start();
        if (step % 3 == 0)
            while (!halo.test()) {
            }
        halo.wait();
        expect_halo(*now, g, n, 1, step, false);
        rt.barrier();
    }
}

TEST(HaloVariants, ReverseInBetween) {
    auto& rt = ranks();
    index_t const n = 8 * rt.size();
    grid<1> const g{rt, {n}};
    array<long, 1> a{g, {1}};
    auto halo = reflect_init({.periodic = true}, a);
    for (int step = 0; step < exchanges; ++step) {
        loop(g.all(), [v = *a, step](index_t i) { v(i) = i + step; });
        rt.barrier();
        halo();
        if (step % 7 == 3) {
            halo.reverse(sum);
            auto const own = a.owned();
            loop(g.all(), [v = *a, step, own](index_t i) {
                bool const ghosted = i == own.lower[0] || i == own.upper[0] - 1;
                EXPECT_EQ(v(i), (ghosted ? 2 : 1) * (i + step));
            });
        }
        rt.barrier();
    }
}

// What is not forced, and is tried by nobody, is left as it is.
TEST(HaloVariants, NothingIsTriedOfWhatIsForced) {
    auto& rt = ranks();
    grid<2> const g{rt, {20, 20}};
    array<double, 2> a{g, {1}};
    auto halo = reflect_init({.periodic = true, .channel = "stage"}, a);
    for (int step = 0; step < exchanges; ++step) halo();
    EXPECT_THAT(halo.explain(), ::testing::Not(HasSubstr("tried")));
}

} // namespace
} // namespace sode::internal::testing
