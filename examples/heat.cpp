// SPDX-License-Identifier: Apache-2.0
// Heat in a block of metal on a hot plate, by explicit steps with 7 points: hot below, cold above, nothing passes the sides.
//
//     sode run -n 4 ./heat -n 256 -s 1000 --tiles    several steps for one pass over memory
#include "support/dump.hpp"
#include "support/progress.hpp"
#include "support/usage.hpp"

#include <sode/sode.hpp>

#include <cmath>
#include <cstdio>

constexpr auto usage = R"(usage: [sode run -n RANKS] heat [options]
  -n SIZE       cells on each side of the block (128)
  -s STEPS      time steps (500)
  --tiles       several time steps per exchange
  --dump FILE   write the temperatures, 8-byte floats in row-major order
  --progress    say how far it is, even if this is no terminal
)";

constexpr double hot = 1, cold = 0; // temperatures
constexpr double rate = 0.15;       // of a step, times the diffusivity, over the square of a cell: at most 1 / 6

int main(int argc, char** argv) try {
    sode::runtime rt{argc, argv};
    if (!examples::understood(rt, argc, argv, usage)) return 0;
    auto const n = rt.arg("-n", 128);
    auto const steps = rt.arg("-s", 500);
    bool const many = rt.flag("--tiles");

    sode::grid<3> g{rt, {n, n, n}};
    sode::buffered<double, 3> u{g, sode::shadow{1}, many ? sode::tiles{} : sode::tiles{1}, cold, "u"};
    auto halo = sode::reflect_init(sode::boundary(u, {{sode::constant(hot), sode::constant(cold)}, sode::mirror, sode::mirror}));

    auto const step = [](auto a, auto b) { // from now to next; returns how fast it changes
        return [=](auto i, auto j, auto k) {
            double const here = a(i, j, k);
            double const change = rate * (a(i - 1, j, k) + a(i + 1, j, k) + a(i, j - 1, k) + a(i, j + 1, k) + a(i, j, k - 1) +
                                          a(i, j, k + 1) - 6 * here);
            b(i, j, k) = here + change;
            return std::abs(change);
        };
    };
    double change = 0; // of the last step, where it is largest
    examples::progress watch{rt, steps};
    if (many) {
        change = halo.march_reduce(steps, g.all(), 0.0, sode::max, step, u);
        watch.step(steps);
    } else {
        for (int t = 0; t < steps; ++t, u.flip(), watch.step()) {
            auto const body = step(u.now(), u.next());
            if (t + 1 < steps)
                halo.overlap(g.all(), body);
            else
                change = halo.overlap_reduce(g.all(), 0.0, sode::max, body);
        }
    }
    auto const seconds = watch.seconds_per_step();

    auto const mean =
        sode::reduce(g.all(), 0.0, sode::sum, [a = u.now()](auto i, auto j, auto k) { return a(i, j, k); }) / (1.0 * n * n * n);
    if (rt.root())
        std::printf("%s\n%smean temperature %.12f\nlast change %.12e\n%.3f ms a step\n", rt.describe().c_str(),
                    halo.explain().c_str(), mean, change, 1e3 * seconds);
    if (auto const file = rt.arg("--dump", ""); !file.empty()) examples::dump(rt, u, file);
} catch (std::exception const& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
}
