// SPDX-License-Identifier: Apache-2.0
// The Himeno benchmark: Poisson's equation for the pressure of an incompressible flow, by Jacobi relaxation with 19 points in
// general curvilinear coordinates (R. Himeno, RIKEN). 34 operations a point, and so many arrays that memory decides the speed.
//
//     sode run -n 4 ./himeno -g M -s 60
#include "support/dump.hpp"
#include "support/himeno_size.hpp"
#include "support/progress.hpp"
#include "support/usage.hpp"

#include <sode/sode.hpp>

#include <cstdio>

constexpr auto usage = R"(usage: [sode run -n RANKS] himeno [options]
  -g SIZE       the grid: XS 32x32x64, S 64x64x128, M 128x128x256, L 256x256x512 or XL 512x512x1024 (S)
  -s STEPS      Jacobi steps (100)
  -d NODES      ranks in each dimension, such as 2x2x1 (as suits the grid)
  --tiles       several time steps per exchange; gosa is that of the last one, as ever
  --dump FILE   write the pressure, 4-byte floats in row-major order
  --progress    say how far it is, even if this is no terminal
)";

int main(int argc, char** argv) try {
    sode::runtime rt{argc, argv};
    if (!examples::understood(rt, argc, argv, usage)) return 0;
    auto const size = examples::himeno_size(rt.arg("-g", "S"));
    auto const steps = rt.arg("-s", 100);

    sode::grid<3> g{rt, size.points, {.nodes = examples::nodes_of(rt.arg("-d", ""))}};
    // Where several steps are taken at a time, ranks compute a little of what is their neighbours', and need the coefficients
    // there.
    bool const many = rt.flag("--tiles");
    auto const room = many ? sode::tiles{} : sode::tiles{1};
    auto const around = many ? sode::shadow{1} : sode::shadow{};
    sode::buffered<float, 3> pressure{g, sode::shadow{1}, room, 0.F, "pressure"};
    sode::bundle<float, 3, 4> upper{g, {1.F, 1.F, 1.F, 1.F / 6}, around, room, "a"};
    sode::bundle<float, 3, 3> mixed{g, {}, around, room, "b"}, lower{g, {1.F, 1.F, 1.F}, around, room, "c"};
    sode::array<float, 3> bnd{g, around, room, 1.F, "bnd"}, wrk1{g, around, room, 0.F, "wrk1"};
    auto halo = sode::reflect_init({.corners = true}, pressure); // 19 points: edges travel too

    sode::loop(g.all(), [last = g.extent(0) - 1, x = pressure.now(), y = pressure.next()](auto i, auto j, auto k) {
        x(i, j, k) = y(i, j, k) = static_cast<float>(i * i) / static_cast<float>(last * last);
    });
    auto const jacobi = [](auto p, auto q, auto a, auto b, auto c, auto m, auto w) {
        return [=](auto i, auto j, auto k) {
            float const s = a(0, i, j, k) * p(i + 1, j, k) + a(1, i, j, k) * p(i, j + 1, k) + a(2, i, j, k) * p(i, j, k + 1) +
                            b(0, i, j, k) * (p(i + 1, j + 1, k) - p(i + 1, j - 1, k) - p(i - 1, j + 1, k) + p(i - 1, j - 1, k)) +
                            b(1, i, j, k) * (p(i, j + 1, k + 1) - p(i, j - 1, k + 1) - p(i, j + 1, k - 1) + p(i, j - 1, k - 1)) +
                            b(2, i, j, k) * (p(i + 1, j, k + 1) - p(i - 1, j, k + 1) - p(i + 1, j, k - 1) + p(i - 1, j, k - 1)) +
                            c(0, i, j, k) * p(i - 1, j, k) + c(1, i, j, k) * p(i, j - 1, k) + c(2, i, j, k) * p(i, j, k - 1) +
                            w(i, j, k);
            float const change = (s * a(3, i, j, k) - p(i, j, k)) * m(i, j, k);
            q(i, j, k) = p(i, j, k) + 0.8F * change;
            return change * change;
        };
    };
    double gosa = 0;
    examples::progress watch{rt, steps};
    if (many) {
        gosa = halo.march_reduce(steps, g.inner(), 0.0, sode::sum, jacobi, pressure, upper, mixed, lower, bnd, wrk1);
        watch.step(steps);
    } else {
        for (int t = 0; t < steps; ++t, pressure.flip(), watch.step())
            gosa = halo.overlap_reduce(g.inner(), 0.0, sode::sum,
                                       jacobi(pressure.now(), pressure.next(), *upper, *mixed, *lower, *bnd, *wrk1));
    }
    auto const seconds = watch.seconds_per_step();

    if (rt.root()) {
        std::printf("%s\n%sgosa %.9e\n", rt.describe().c_str(), halo.explain().c_str(), gosa);
        if (steps > 0) std::printf("%.1f MFLOPS\n%.3f ms a step\n", size.operations() / seconds * 1e-6, 1e3 * seconds);
    }
    if (auto const file = rt.arg("--dump", ""); !file.empty()) examples::dump(rt, pressure, file);
} catch (std::exception const& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
}
