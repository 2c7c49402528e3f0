// SPDX-License-Identifier: Apache-2.0
// Laplace's equation on a plate by Jacobi steps: one hot edge, three cold ones.
//
//     sode run -n 4 ./laplace -n 1024 -s 1000
#include <sode/sode.hpp>

#include <cmath>
#include <cstdio>

int main(int argc, char** argv) {
    sode::runtime rt{argc, argv};
    auto const n = rt.arg("-n", 1024);
    auto const steps = rt.arg("-s", 1000);

    sode::grid<2> g{rt, {n, n}};
    sode::buffered<double, 2> u{g, sode::shadow{1}, 0.0, "u"};
    auto halo = sode::reflect_init(u);
    sode::loop(g.face(0, 0), [x = u.now(), y = u.next()](auto i, auto j) { x(i, j) = y(i, j) = 1.0; });

    auto const jacobi = [](auto a, auto b) {
        return [=](auto i, auto j) { b(i, j) = 0.25 * (a(i - 1, j) + a(i + 1, j) + a(i, j - 1) + a(i, j + 1)); };
    };
    for (int t = 0; t < steps; ++t, u.flip()) halo.overlap(g.inner(), jacobi(u.now(), u.next()));

    auto const residual = sode::reduce(g.inner(), 0.0, sode::max,
                                       [a = u.now(), b = u.next()](auto i, auto j) { return std::abs(a(i, j) - b(i, j)); });
    if (rt.root()) std::printf("residual %.6e\n%s\n", residual, halo.explain().c_str());
}
