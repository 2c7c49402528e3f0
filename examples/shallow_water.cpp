// SPDX-License-Identifier: Apache-2.0
// Drops that fall into a basin, or a dam that breaks: the shallow water equations, three fields in one exchange.
//
//     sode run -n 4 ./shallow_water -n 512 -s 400 --walls --picture water.png --out results
//     sode run -n 4 ./shallow_water -n 2048 -s 400 --tiles    several stages for one pass over memory
#include "shallow_water_scheme.hpp"
#include "support/dump.hpp"
#include "support/picture.hpp"
#include "support/progress.hpp"
#include "support/snapshots.hpp"
#include "support/usage.hpp"
#include "support/water_colours.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>

using namespace shallow_water;
using fields = sode::buffered<double, 2>;

constexpr auto usage = R"(usage: [sode run -n RANKS] shallow_water [options]
  -n SIZE          cells on each side of the basin of 10 m (512)
  -s STEPS         time steps (400)
  --dam            a dam breaks; else drops fall
  --walls          walls around the basin; else what leaves on one side comes in on the other
  --keep STEPS     steps that a time step is kept for, once it was found (1; with --tiles 20)
  --tiles          several time steps per exchange, of those that have one time step
  --out DIR        write DIR/water-STEP.h5, and DIR/water.xdmf for ParaView
  --every STEPS    how often (50)
  --from FILE      go on from such a file
  --picture FILE   write a picture as PNG
  --preview        show a small one here, even if this is no terminal
  --dump FILE      write the depths, 8-byte floats in row-major order
  --progress       say how far it is, even if this is no terminal
)";

constexpr double basin = 10, depth = 1; // m

double depth_at_first(double y, double x, bool dam) {
    if (dam) return x + 0.15 * std::sin(2 * y) < 0.4 * basin ? 1.6 * depth : depth;
    struct drop {
        double y, x, radius, height;
    };
    double h = depth;
    for (auto const& d :
         {drop{3.1, 2.6, 0.45, 0.6}, drop{6.8, 6.9, 0.6, 0.7}, drop{2.2, 7.6, 0.3, 0.45}, drop{7.7, 2.4, 0.25, 0.4}}) {
        double const dy = (y - d.y) / d.radius, dx = (x - d.x) / d.radius;
        h += d.height * std::exp(-dy * dy - dx * dx);
    }
    return h;
}

int main(int argc, char** argv) try {
    sode::runtime rt{argc, argv};
    if (!examples::understood(rt, argc, argv, usage)) return 0;
    auto const n = rt.arg("-n", 512);
    auto const steps = rt.arg("-s", 400);
    bool const dam = rt.flag("--dam"), walls = rt.flag("--walls");
    bool const many = rt.flag("--tiles");
    auto const keep = std::max(rt.arg("--keep", many ? 20 : 1), 1);
    double const dx = basin / n;

    sode::grid<2> g{rt, {n, n}};
    sode::shadow const around{reach};
    auto const room = many ? sode::tiles{} : sode::tiles{1};
    fields h{g, around, room, depth, "h"}, hu{g, around, room, 0, "hu"}, hv{g, around, room, 0, "hv"};
    auto halo = exchange(h, hu, hv, walls);

    sode::loop(g.all(), [=, depth = h.now()](auto i, auto j) {
        depth(i, j) = depth_at_first((static_cast<double>(i) + 0.5) * dx, (static_cast<double>(j) + 0.5) * dx, dam);
    });
    examples::snapshots files{rt, dx};
    auto now = files.resume({{"h", h}, {"hu", hu}, {"hv", hv}});
    auto const save_if_due = [&] { files.write_if_due(now, {{"h", h}, {"hu", hu}, {"hv", hv}}); };
    save_if_due();

    auto const volume = [&] {
        return dx * dx * sode::reduce(g.all(), 0.0, sode::sum, [v = h.now()](auto i, auto j) { return v(i, j); });
    };
    double const at_first = volume();
    examples::progress watch{rt, steps};
    auto const later = [&](double dt, int by) {
        for (int s = 0; s < by; ++s) now.time += dt;
        now.step += by;
        save_if_due();
        watch.step(by);
    };
    for (int s = 0; s < steps; s += keep) {
        auto const fastest = sode::reduce(g.all(), 0.0, sode::max, [w = water{h.now(), hu.now(), hv.now()}](auto i, auto j) {
            return std::max(speed(w.along_x(i, j)), speed(w.along_y(i, j)));
        });
        double const dt = courant_number * dx / fastest;
        int const alike = std::min(keep, steps - s);
        if (many) { // from file to file
            int const most = rt.arg("--out", "").empty() ? alike : std::gcd(keep, rt.arg("--every", 50));
            for (int done = 0, part = 0; done < alike; done += part, later(dt, part)) {
                part = std::min(most, alike - done);
                halo.march(2 * part, g.all(), stages{dt / dx}, h, hu, hv);
            }
            continue;
        }
        for (int k = 0; k < alike; ++k, later(dt, 1))
            for (int const number : {0, 1}) {
                halo.overlap(g.all(), stages{dt / dx}(h.now(), hu.now(), hv.now(), h.next(), hu.next(), hv.next(), number));
                for (auto* f : {&h, &hu, &hv}) f->flip();
            }
    }
    auto const seconds = watch.seconds_per_step();

    auto const lowest = sode::reduce(g.all(), 1e300, sode::min, [v = h.now()](auto i, auto j) { return v(i, j); });
    auto const highest = sode::reduce(g.all(), 0.0, sode::max, [v = h.now()](auto i, auto j) { return v(i, j); });
    double const at_last = volume();
    if (rt.root())
        std::printf("%s\n%stime %.9e s\ndepth %.9e to %.9e m\nvolume %.9f m3 at first, %.9f now\n%.3f ms a step\n",
                    rt.describe().c_str(), halo.explain().c_str(), now.time, lowest, highest, at_first, at_last, 1e3 * seconds);
    examples::show(rt, h, examples::water_surface);
    if (auto const file = rt.arg("--dump", ""); !file.empty()) examples::dump(rt, h, file);
} catch (std::exception const& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
}
