// SPDX-License-Identifier: Apache-2.0
#include <sode/sode.hpp>

#include <cmath>
#include <cstdio>

int main(int argc, char** argv) {
    sode::runtime rt{argc, argv};
    sode::index_t const n = 200;

    sode::grid<2> plate{rt, {n, n}};
    sode::buffered<double, 2> u{plate, sode::shadow{1}};
    auto halo = sode::reflect_init(u);

    sode::loop(plate.face(0, 0), [a = u.now(), b = u.next()](auto i, auto j) { a(i, j) = b(i, j) = 1.0; });

    auto const relax = [](auto now, auto next) {
        return [=](auto i, auto j) {
            next(i, j) = 0.25 * (now(i - 1, j) + now(i + 1, j) + now(i, j - 1) + now(i, j + 1));
            return std::abs(next(i, j) - now(i, j));
        };
    };
    double change = 1;
    int steps = 0;
    for (; change > 1e-4; ++steps, u.flip()) change = halo.overlap_reduce(plate.inner(), 0.0, sode::max, relax(u.now(), u.next()));
    if (rt.root()) std::printf("no point changes by more than 1e-4 after %d steps\n", steps);
}
