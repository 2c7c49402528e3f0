// SPDX-License-Identifier: Apache-2.0
#include <sode/sode.hpp>

#include <cstdio>

int main(int argc, char** argv) {
    sode::runtime rt{argc, argv};
    sode::grid<2> room{rt, {60, 80}};
    sode::buffered<double, 2> heat{room, sode::shadow{1}, 0.0, "heat"};

    // Dimension 0: a stove whose temperature changes, and a window. Dimension 1: walls that let nothing through.
    double stove = 100;
    auto const on_the_stove = sode::computed([&](auto const& ghost) { return 2 * stove - ghost.inner(); });
    auto halo = sode::reflect_init({.corners = true}, sode::boundary(heat, {{on_the_stove, sode::constant(-5.0)}, sode::mirror}));

    for (int t = 0; t < 500; ++t, heat.flip()) {
        stove = t < 250 ? 100 : 20;
        halo.overlap(room.all(), [a = heat.now(), b = heat.next()](auto i, auto j) {
            double sum = 0;
            for (int p = -1; p <= 1; ++p)
                for (int q = -1; q <= 1; ++q) sum += a(i + p, j + q);
            b(i, j) = sum / 9;
        });
    }
    auto const warmest = sode::reduce(room.all(), -1e9, sode::max, [a = heat.now()](auto i, auto j) { return a(i, j); });
    auto const freezing = sode::reduce(room.all(), 0, sode::sum, [a = heat.now()](auto i, auto j) { return a(i, j) < 0 ? 1 : 0; });
    if (rt.root()) std::printf("warmest %.12f, %d of 4800 points freeze\n", warmest, freezing);
}
