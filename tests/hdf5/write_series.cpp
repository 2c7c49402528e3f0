// SPDX-License-Identifier: Apache-2.0
// write_series FOLDER FIRST LAST [--after STEP] [--dies STEP]: steps FIRST to LAST of two series, going on behind one of an earlier
// run; rank 1 is killed when it comes to a step.
#include <sode/series.hpp>
#include <sode/sode.hpp>

#include <csignal>
#include <cstdio>
#include <cstdlib>

int main(int argc, char** argv) try {
    sode::runtime rt{argc, argv};
    if (argc < 4) throw std::runtime_error{"usage: write_series FOLDER FIRST LAST [--after STEP] [--dies STEP]"};
    std::string const folder = argv[1];
    sode::index_t const first = std::atoll(argv[2]), last = std::atoll(argv[3]);
    std::optional<sode::index_t> after;
    if (rt.flag("--after")) after = rt.arg("--after", sode::index_t{0});
    auto const dies = rt.arg("--dies", last + 1);

    sode::grid<2> const flat{rt, {5, 7}};
    sode::array<double, 2> u{flat, sode::shadow{1}};
    sode::array<short, 2> n{flat};
    sode::series plane{rt, folder + "/plane & <co>", {.origin = {-1, 0.5}, .spacing = {0.25, 2}, .after = after}};

    sode::grid<3> const room{rt, {4, 3, 6}};
    sode::bundle<float, 3, 3> v{room};
    sode::series solid{rt, folder + "/solid", {.after = after}};

    for (auto step = first; step <= last; ++step) {
        if (step == dies && rt.rank() == 1) std::raise(SIGKILL);
        sode::loop(flat.all(), [step, x = *u, y = *n](auto i, auto j) {
            x(i, j) = static_cast<double>(step * 1000 + i * 7 + j);
            y(i, j) = static_cast<short>(i - j);
        });
        sode::loop(room.all(), [w = *v](auto k, auto j, auto i) {
            for (int c = 0; c < 3; ++c) w(c, k, j, i) = static_cast<float>(100 * c + 18 * k + 6 * j + i);
        });
        sode::moment const now{.time = 0.5 * static_cast<double>(step), .step = step};
        plane.write({{"u", u}, {"n", n}}, now);
        solid.write({{"v", v}}, now);
    }
} catch (std::exception const& e) {
    std::fprintf(stderr, "write_series: %s\n", e.what());
    return 1;
}
