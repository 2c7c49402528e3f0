// SPDX-License-Identifier: Apache-2.0
// Heat in a rod whose one end is kept at 100 degrees:     sode run -n 4 ./first
#include <sode/sode.hpp>

#include <cstdio>

int main(int argc, char** argv) {
    sode::runtime rt{argc, argv}; // one rank: alone, or one of those that `sode run` started

    sode::grid<1> rod{rt, {1000}};                        // 1000 points, a block of them for each rank
    sode::buffered<double, 1> heat{rod, sode::shadow{1}}; // now and next, and room for one point of each neighbour
    auto halo = sode::reflect_init(heat);                 // how to fetch those points: planned once

    sode::loop(rod.face(0, 0), [a = heat.now(), b = heat.next()](auto i) { a(i) = b(i) = 100.0; });

    auto const step = [](auto a, auto b) { // indices are global: no rank knows its place
        return [=](auto i) { b(i) = a(i) + 0.4 * (a(i - 1) - 2.0 * a(i) + a(i + 1)); };
    };
    for (int t = 0; t < 10000; ++t, heat.flip()) // fetch and compute at the same time
        halo.overlap(rod.inner(), step(heat.now(), heat.next()));

    auto const warm = sode::reduce(rod.all(), 0, sode::sum, [a = heat.now()](auto i) { return a(i) > 1.0 ? 1 : 0; });
    if (rt.root()) std::printf("%d of 1000 points are warm\n", warm);
}
