// SPDX-License-Identifier: Apache-2.0
#include <sode/sode.hpp>

#include <cmath>
#include <cstdio>

int main(int argc, char** argv) {
    sode::runtime rt{argc, argv};
    sode::grid<2> plate{rt, {256, 256}};
    sode::buffered<double, 2> u{plate, sode::shadow{1}, sode::tiles{}, 0.0, "u"}; // room for several steps
    auto halo = sode::reflect_init(u);
    sode::loop(plate.face(0, 0), [a = u.now(), b = u.next()](auto i, auto j) { a(i, j) = b(i, j) = 1.0; });

    auto const step = [](auto a, auto b) { // from now to next; returns what is reduced
        return [=](auto i, auto j) {
            b(i, j) = 0.25 * (a(i - 1, j) + a(i + 1, j) + a(i, j - 1) + a(i, j + 1));
            return std::abs(b(i, j) - a(i, j));
        };
    };
    halo.march(1000, plate.inner(), step, u);
    auto const change = halo.march_reduce(1000, plate.inner(), 0.0, sode::max, step, u);
    if (rt.root()) std::printf("after 2000 steps the largest change is %.6e\n", change);
}
