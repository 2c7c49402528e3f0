// SPDX-License-Identifier: Apache-2.0
// Laplace's equation on a plate by Jacobi steps: one hot edge, three cold ones.
//
//     sode run -n 4 ./laplace -n 1024 -s 1000 --picture laplace.png
//     sode run -n 4 ./laplace -n 4096 -s 1000 --tiles    several steps for one pass over memory
#include "support/picture.hpp"
#include "support/progress.hpp"
#include "support/usage.hpp"

#include <sode/sode.hpp>

#include <cmath>
#include <cstdio>

constexpr auto usage = R"(usage: [sode run -n RANKS] laplace [options]
  -n SIZE          elements on each side of the plate (1024)
  -s STEPS         Jacobi steps (1000)
  --tiles          several time steps per exchange
  --picture FILE   write a heat map as PNG
  --preview        show a small one here, even if this is no terminal
  --progress       say how far it is, even if this is no terminal
)";

// The edges stay as they are; warm rings inside are where the solution is sought from, and fade as it is found.
double at_first(sode::index_t n, sode::index_t i, sode::index_t j) {
    if (i == 0) return 1.0;
    if (i == n - 1 || j == 0 || j == n - 1) return 0.0;
    double const y = 2.0 * static_cast<double>(i) / static_cast<double>(n - 1) - 1.0;
    double const x = 2.0 * static_cast<double>(j) / static_cast<double>(n - 1) - 1.0;
    double const r = std::sqrt(x * x + y * y);
    return 0.5 * std::exp(-3.0 * r * r) * (1.0 + std::cos(31.4 * r));
}

int main(int argc, char** argv) try {
    sode::runtime rt{argc, argv};
    if (!examples::understood(rt, argc, argv, usage)) return 0;
    auto const n = rt.arg("-n", 1024);
    auto const steps = rt.arg("-s", 1000);
    auto const room = rt.flag("--tiles") ? sode::tiles{} : sode::tiles{1};

    sode::grid<2> g{rt, {n, n}};
    sode::buffered<double, 2> u{g, sode::shadow{1}, room, 0.0, "u"};
    auto halo = sode::reflect_init(u);
    sode::loop(g.all(), [n, x = u.now(), y = u.next()](auto i, auto j) { x(i, j) = y(i, j) = at_first(n, i, j); });

    auto const jacobi = [](auto a, auto b) {
        return [=](auto i, auto j) { b(i, j) = 0.25 * (a(i - 1, j) + a(i + 1, j) + a(i, j - 1) + a(i, j + 1)); };
    };
    examples::progress watch{rt, steps};
    if (rt.flag("--tiles"))
        halo.march(steps, g.inner(),
                   sode::every{100,
                               [&, done = 0](auto t) mutable {
                                   watch.step(static_cast<int>(t) - done);
                                   done = static_cast<int>(t);
                               }},
                   jacobi, u);
    else
        for (int t = 0; t < steps; ++t, u.flip(), watch.step()) halo.overlap(g.inner(), jacobi(u.now(), u.next()));
    auto const seconds = watch.seconds_per_step();

    auto const residual = sode::reduce(g.inner(), 0.0, sode::max,
                                       [a = u.now(), b = u.next()](auto i, auto j) { return std::abs(a(i, j) - b(i, j)); });
    if (rt.root())
        std::printf("%s\n%sresidual %.6e\n%.3f ms a step\n", rt.describe().c_str(), halo.explain().c_str(), residual,
                    1e3 * seconds);
    examples::show(rt, u);
} catch (std::exception const& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
}
