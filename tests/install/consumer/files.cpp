// SPDX-License-Identifier: Apache-2.0
// A program of somebody else that keeps its arrays in a file.
#include <sode/series.hpp>
#include <sode/sode.hpp>

#include <cstdio>

int main(int argc, char** argv) {
    sode::runtime rt{argc, argv};
    sode::grid<2> g{rt, {10, 10}};
    sode::array<double, 2> u{g}, v{g};
    sode::loop(g.all(), [u = *u](auto i, auto j) { u(i, j) = static_cast<double>(10 * i + j); });
    sode::series out{rt, "consumer/steps"};
    out.write({{"u", u}}, {.time = 1, .step = 1});
    sode::read(out.file(1), {{"u", v}});
    auto const sum = sode::reduce(g.all(), 0.0, sode::sum, [v = *v](auto i, auto j) { return v(i, j); });
    if (rt.root()) std::printf("%d ranks, sum %.0f\n", rt.size(), sum);
}
