// SPDX-License-Identifier: Apache-2.0
#include <sode/sode.hpp>

#include <cmath>
#include <cstdio>

int main(int argc, char** argv) {
    sode::runtime rt{argc, argv};
    sode::grid<2> plate{rt, {100, 100}};
    sode::buffered<double, 2> u{plate, sode::shadow{1}};
    auto halo = sode::reflect_init(u);
    sode::loop(plate.face(0, 0), [a = u.now(), b = u.next()](auto i, auto j) { a(i, j) = b(i, j) = 1.0; });

    auto const relax = [](auto a, auto b) { // one Jacobi step, and by how much it changes each point
        return [=](auto i, auto j) {
            b(i, j) = 0.25 * (a(i - 1, j) + a(i + 1, j) + a(i, j - 1) + a(i, j + 1));
            return std::abs(b(i, j) - a(i, j));
        };
    };
    int steps = 0;
    for (double change = 1; change > 1e-4; ++steps, u.flip())
        change = halo.overlap_reduce(plate.inner(), 0.0, sode::max, relax(u.now(), u.next()));
    if (rt.root()) std::printf("no point changes by more than 1e-4 after %d steps\n", steps);
}
