// SPDX-License-Identifier: Apache-2.0
// Sound in layers of rock: the acoustic wave equation, second order in time, eighth in space, so that a point depends on four
// others on each side. next() holds the step before, and each point of it is replaced by the step after.
//
//     sode run -n 4 ./acoustic -n 192 -s 400 --tiles    several steps for one pass over memory
//
// Source: B. Fornberg, Generation of finite difference formulas on arbitrarily spaced grids, Mathematics of Computation 51 (1988).
#include "support/dump.hpp"
#include "support/progress.hpp"
#include "support/usage.hpp"

#include <sode/sode.hpp>

#include <cmath>
#include <cstdio>

constexpr auto usage = R"(usage: [sode run -n RANKS] acoustic [options]
  -n SIZE       points on each side of the block (96)
  -s STEPS      time steps (200)
  --tiles       several time steps per exchange
  --dump FILE   write the pressure, 8-byte floats in row-major order
  --progress    say how far it is, even if this is no terminal
)";

constexpr sode::index_t reach = 4; // points that a point depends on, on each side

int main(int argc, char** argv) try {
    sode::runtime rt{argc, argv};
    if (!examples::understood(rt, argc, argv, usage)) return 0;
    auto const n = rt.arg("-n", 96);
    auto const steps = rt.arg("-s", 200);
    bool const many = rt.flag("--tiles");

    sode::grid<3> g{rt, {n, n, n}};
    auto const room = many ? sode::tiles{} : sode::tiles{1};
    sode::buffered<double, 3> p{g, sode::shadow{reach}, room, 0.0, "p"};
    // Ranks that take several time steps per exchange compute a little of what is their neighbours', and need the rock there.
    sode::array<double, 3> rock{g, many ? sode::shadow{reach} : sode::shadow{}, room, 0.0, "rock"};
    auto halo = sode::reflect_init(sode::boundary(p, sode::mirror)); // what comes to the walls goes back

    sode::loop(g.all(), [n, c = rock.view(), x = p.now(), y = p.next()](auto i, auto j, auto k) {
        c(i, j, k) = 5 * i < 2 * n ? 0.06 : 5 * i < 3 * n ? 0.1 : 0.16; // the square of speed times step over spacing
        double const a = static_cast<double>(4 * i - n) / 4, b = static_cast<double>(2 * j - n) / 2,
                     d = static_cast<double>(2 * k - n) / 2;
        x(i, j, k) = y(i, j, k) = std::exp(-0.05 * (a * a + b * b + d * d)); // a bang at rest
    });

    auto const step = [](auto a, auto b, auto c) {
        return [=](auto i, auto j, auto k) {
            constexpr double c0 = -205.0 / 72, c1 = 8.0 / 5, c2 = -1.0 / 5, c3 = 8.0 / 315, c4 = -1.0 / 560;
            auto const at = [&](auto d) {
                return a(i - d, j, k) + a(i + d, j, k) + a(i, j - d, k) + a(i, j + d, k) + a(i, j, k - d) + a(i, j, k + d);
            };
            double const curvature = 3 * c0 * a(i, j, k) + c1 * at(1) + c2 * at(2) + c3 * at(3) + c4 * at(4);
            b(i, j, k) = 2 * a(i, j, k) - b(i, j, k) + c(i, j, k) * curvature;
        };
    };
    examples::progress watch{rt, steps};
    if (many) {
        halo.march(steps, g.all(), step, p, sode::width(rock, 0)); // of the rock a point depends on its own element alone
        watch.step(steps);
    } else {
        for (int t = 0; t < steps; ++t, p.flip(), watch.step()) halo.overlap(g.all(), step(p.now(), p.next(), rock.view()));
    }
    auto const seconds = watch.seconds_per_step();

    auto const loudest =
        sode::reduce(g.all(), 0.0, sode::max, [a = p.now()](auto i, auto j, auto k) { return std::abs(a(i, j, k)); });
    if (rt.root())
        std::printf("%s\n%sloudest point %.12e\n%.3f ms a step\n", rt.describe().c_str(), halo.explain().c_str(), loudest,
                    1e3 * seconds);
    if (auto const file = rt.arg("--dump", ""); !file.empty()) examples::dump(rt, p, file);
} catch (std::exception const& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
}
