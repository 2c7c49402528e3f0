// SPDX-License-Identifier: Apache-2.0
#include <sode/series.hpp>
#include <sode/sode.hpp>

#include <cstdio>
#include <filesystem>

int main(int argc, char** argv) try {
    sode::runtime rt{argc, argv};
    sode::grid<2> plate{rt, {100, 100}};
    sode::buffered<double, 2> u{plate, sode::shadow{1}};
    auto halo = sode::reflect_init(u);
    sode::loop(plate.face(0, 0), [a = u.now(), b = u.next()](auto i, auto j) { a(i, j) = b(i, j) = 1.0; });

    // Where an earlier run left off. All ranks look at the same file, so all come to the same conclusion.
    sode::moment now;
    auto const restart = rt.arg("--restart", "");
    if (!restart.empty()) now = sode::read(restart, {{"u", u}});
    sode::series out{rt, "plate/u", {.spacing = {0.01, 0.01}, .after = now.step}};

    auto const jacobi = [](auto a, auto b) {
        return [=](auto i, auto j) { b(i, j) = 0.25 * (a(i - 1, j) + a(i + 1, j) + a(i, j - 1) + a(i, j + 1)); };
    };
    auto const last = now.step + 200;
    while (now.step < last) {
        halo.overlap(plate.inner(), jacobi(u.now(), u.next()));
        u.flip();
        now = {.time = now.time + 0.25, .step = now.step + 1};
        if (now.step % 100 == 0) out.write({{"u", u}}, now);
    }
    auto const warm = sode::reduce(plate.all(), 0, sode::sum, [a = u.now()](auto i, auto j) { return a(i, j) > 0.1 ? 1 : 0; });
    if (rt.root()) std::printf("step %lld: %d points are warmer than 0.1\n", static_cast<long long>(now.step), warm);
} catch (std::exception const& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
}
