// SPDX-License-Identifier: Apache-2.0
#include <sode/sode.hpp>

#include <cstdio>
#include <vector>

int main(int argc, char** argv) {
    sode::runtime rt{argc, argv};
    sode::grid<2> g{rt, {60, 40}};

    auto const [first, end] =
        g.local(); // this rank's points, for a program that keeps them itself: column by column, as Fortran does
    auto const rows = end[0] - first[0] + 2, columns = end[1] - first[1] + 2;
    std::vector<float> depth(rows * columns);
    auto const at = [&, first = first](auto i, auto j) -> float& { return depth[(i - first[0] + 1) + (j - first[1] + 1) * rows]; };

    auto mine = sode::attach(g, depth.data(), sode::strides{1, rows}, sode::shadow{1});
    auto halo = sode::reflect_init(mine);

    sode::loop(g.all(), [&](auto i, auto j) { at(i, j) = static_cast<float>(i * j); });
    halo();
    auto const steep =
        sode::reduce(g.inner(), 0, sode::sum, [&](auto i, auto j) { return at(i + 1, j) - at(i - 1, j) > 40 ? 1 : 0; });
    if (rt.root()) std::printf("%d points are steep\n", steep);
}
