// SPDX-License-Identifier: Apache-2.0
#include <sode/sode.hpp>

#include <cstdio>

int main(int argc, char** argv) {
    sode::runtime rt{argc, argv};
    sode::grid<2> world{rt, {64, 48}};
    sode::buffered<signed char, 2> cells{world, sode::shadow{1}, 0, "cells"}; // Conway's Life
    sode::buffered<float, 2> warmth{world, sode::shadow{2}, 0.f, "warmth"};   // what living cells give off, and what spreads
    auto halo = sode::reflect_init({.corners = true, .periodic = true}, cells, sode::width(warmth, {1}));

    sode::loop(world.on({{1, 1}, {4, 4}}), [now = cells.now()](auto i, auto j) { // a glider
        now(i, j) = (i == 1 && j == 2) || (i == 2 && j == 3) || i == 3 ? 1 : 0;
    });

    for (int t = 0; t < 1000; ++t, cells.flip(), warmth.flip()) {
        halo();
        sode::loop(world.all(), [now = cells.now(), next = cells.next(), w = warmth.now(), w2 = warmth.next()](auto i, auto j) {
            int alive = 0;
            for (int di = -1; di <= 1; ++di)
                for (int dj = -1; dj <= 1; ++dj) alive += now(i + di, j + dj);
            next(i, j) = alive == 3 || (alive == 4 && now(i, j) == 1) ? 1 : 0;
            w2(i, j) = 0.24f * (w(i - 1, j) + w(i + 1, j) + w(i, j - 1) + w(i, j + 1)) + (next(i, j) == 1 ? 1.f : 0.f);
        });
    }
    auto const alive = sode::reduce(world.all(), 0, sode::sum, [now = cells.now()](auto i, auto j) { return int{now(i, j)}; });
    auto const warmest = sode::reduce(world.all(), 0.f, sode::max, [w = warmth.now()](auto i, auto j) { return w(i, j); });
    if (rt.root()) std::printf("%d cells are alive; the warmest place has %.4f\n", alive, static_cast<double>(warmest));
}
