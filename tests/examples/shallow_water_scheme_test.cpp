// SPDX-License-Identifier: Apache-2.0
// The scheme of examples/shallow_water against what is known of its equations.
#include "shallow_water_scheme.hpp"

#include <gtest/gtest.h>

#include <functional>

namespace shallow_water {
namespace {

/// A channel of 1 m between walls, `n` x 4 cells, with the given depths along it, for `time` seconds. \return the depths afterwards
std::vector<double> channel(sode::index_t n, double time, std::function<double(double)> const& at_first, bool along_x) {
    std::vector<double> result;
    sode::run_threads(2, [&](sode::runtime& rt) {
        double const dx = 1.0 / static_cast<double>(n);
        sode::grid<2> const g{rt, along_x ? sode::index<2>{4, n} : sode::index<2>{n, 4}};
        sode::shadow const widths{reach};
        sode::buffered<double, 2> h{g, widths, 1.0}, hu{g, widths}, hv{g, widths};
        auto halo = exchange(h, hu, hv, true);
        for (auto const& [i, j] : g.local()) h.now()(i, j) = at_first((static_cast<double>(along_x ? j : i) + 0.5) * dx);
        for (double t = 0; t < time;) {
            auto const fastest = sode::reduce(g.all(), 0.0, sode::max, [w = water{h.now(), hu.now(), hv.now()}](auto i, auto j) {
                return std::max(speed(w.along_x(i, j)), speed(w.along_y(i, j)));
            });
            double const dt = std::min(courant_number * dx / fastest, time - t);
            for (double const old : {0.0, 0.5}) {
                water const from{h.now(), hu.now(), hv.now()}, to{h.next(), hu.next(), hv.next()};
                halo.overlap(g.all(), stage(from, to, dt / dx, old));
                for (auto* f : {&h, &hu, &hv}) f->flip();
            }
            t += dt;
        }
        auto const all = sode::collect(h, along_x ? sode::box<2>{{2, 0}, {3, n}} : sode::box<2>{{0, 2}, {n, 3}});
        if (rt.root()) result = all;
    });
    return result;
}

TEST(ShallowWaterScheme, WaterAtRestStaysAtRest) {
    for (double const h : channel(
             50, 1.0, [](double) { return 0.7; }, true))
        EXPECT_EQ(h, 0.7);
}

// J. J. Stoker, Water Waves (1957), 10.8: behind a dam that breaks there is a level middle state between a rarefaction and a shock.
TEST(ShallowWaterScheme, ADamBreaksAsStokerSays) {
    double const left = 2, right = 1, time = 0.05;
    // The depth where the velocities of both waves agree, by bisection.
    auto const mismatch = [&](double h) {
        double const rarefaction = 2 * (std::sqrt(gravity * left) - std::sqrt(gravity * h));
        double const shock = (h - right) * std::sqrt(0.5 * gravity * (h + right) / (h * right));
        return rarefaction - shock;
    };
    double low = right, high = left;
    for (int i = 0; i < 60; ++i) (mismatch(0.5 * (low + high)) > 0 ? low : high) = 0.5 * (low + high);
    double const u = 2 * (std::sqrt(gravity * left) - std::sqrt(gravity * low)), front = low * u / (low - right);

    constexpr sode::index_t n = 400;
    auto const dam = [&](double x) { return x < 0.5 ? left : right; };
    auto const x = channel(n, time, dam, true), y = channel(n, time, dam, false);
    EXPECT_EQ(x, y) << "the two directions are not alike";
    auto const at = [&](double where) { return x.at(static_cast<std::size_t>(where * n)); };
    EXPECT_NEAR(at(0.5 + 0.5 * front * time), low, 0.002) << "the middle state";
    EXPECT_NEAR(at(0.5 + front * time + 0.02), right, 1e-4) << "ahead of the shock";
    EXPECT_NEAR(at(0.5 + front * time - 0.02), low, 0.005) << "behind the shock";
    double const edge = std::sqrt(gravity * left) * time;
    EXPECT_NEAR(at(0.5 - edge - 0.02), left, 0.005) << "before the rarefaction";
    // In the rarefaction: c = (2 sqrt(g hl) - x / t) / 3.
    double const inside = -0.8 * edge, c = (2 * std::sqrt(gravity * left) - inside / time) / 3;
    EXPECT_NEAR(at(0.5 + inside), c * c / gravity, 0.01) << "in the rarefaction";
}

} // namespace
} // namespace shallow_water
