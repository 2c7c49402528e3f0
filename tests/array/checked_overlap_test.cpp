// SPDX-License-Identifier: Apache-2.0
// SODE_CHECK=halo and loops that overlap an exchange: their pieces are one loop.
#include <sode/sode.hpp>
#include <sode/threads.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

namespace sode::internal::testing {
namespace {

using ::testing::HasSubstr;

class CheckedOverlap : public ::testing::Test {
protected:
    CheckedOverlap() { setenv("SODE_CHECK", "halo", 1); }
    ~CheckedOverlap() override { unsetenv("SODE_CHECK"); }
};

constexpr index_t n = 40;

// Red-black relaxation in place: an iteration of one colour reads only points of the other, so that iterations are independent.
double relaxed(runtime& rt, grid_options<2> const& how, bool reduces) {
    grid<2> const g{rt, {n, n}, how};
    array<double, 2> u{g, shadow{1}, 0.0, "u"};
    auto halo = reflect_init(u);
    loop(g.all(), [u = *u](auto i, auto j) { u(i, j) = static_cast<double>(i * j % 7); });
    double largest = 0;
    for (int t = 0; t < 20; ++t) {
        auto const body = [u = *u, colour = t % 2](auto i, auto j) {
            if ((i + j) % 2 == colour) u(i, j) = 0.25 * (u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1));
            return u(i, j);
        };
        if (reduces)
            largest = halo.overlap_reduce(g.inner(), 0.0, max, body);
        else
            halo.overlap(g.inner(), body);
    }
    return largest + reduce(g.all(), 0.0, sum, [u = *u](auto i, auto j) { return u(i, j) * static_cast<double>(1 + i % 3); });
}

TEST_F(CheckedOverlap, RedBlackRelaxationInPlacePasses) {
    for (bool const reduces : {false, true}) {
        double alone = 0;
        run_threads(1, [&](runtime& rt) { alone = relaxed(rt, {}, reduces); });
        auto const on = [&](int ranks, grid_options<2> const& how) {
            run_threads(ranks, [&](runtime& rt) { EXPECT_NEAR(relaxed(rt, how, reduces), alone, 1e-9); });
        };
        on(2, {.nodes = {2, 1}});
        on(3, {.nodes = {1, 3}});
        on(4, {.nodes = {2, 2}});
        on(4, {.nodes = {4, 1}});
    }
}

TEST_F(CheckedOverlap, WhatIsStaleBeforeTheLoopIsFound) {
    auto const reads_another = [](runtime& rt) {
        grid<1> const g{rt, {n}};
        array<double, 1> u{g, shadow{1}, 0.0, "u"}, v{g, shadow{1}, 0.0, "v"};
        auto of_u = reflect_init(u), of_v = reflect_init(v);
        of_v();
        loop(g.all(), [v = *v](auto i) { v(i) = 1; });
        of_u.overlap(g.inner(), [u = *u, v = *v](auto i) { u(i) = v(i - 1) + v(i + 1); });
    };
    try {
        run_threads(2, reads_another);
        ADD_FAILURE() << "nobody was told";
    } catch (error const& e) {
        EXPECT_THAT(e.what(), HasSubstr("of array \"v\" is stale"));
    }
}

} // namespace
} // namespace sode::internal::testing
