// SPDX-License-Identifier: Apache-2.0
#include <sode/sode.hpp>

#include <cmath>
#include <cstdio>

int main(int argc, char** argv) {
    sode::runtime rt{argc, argv};
    sode::index_t const n = 120;
    sode::nodes<2> p{rt, {sode::any, sode::any}};
    sode::distribution<2> faces{p, {n + 1, n + 1}, {sode::balanced, sode::balanced}}; // the template: n cells have n + 1 faces

    // Pressure at cell centres; flow through the faces between rows, and through the faces between columns.
    sode::array<double, 2> pressure{sode::align(faces, {n, n}, {0, 1}), sode::shadow{1}, 0.0, "pressure"};
    sode::array<double, 2> down{sode::align(faces, {n + 1, n}, {0, 1}), sode::shadow{1}, 0.0, "down"};
    sode::array<double, 2> right{sode::align(faces, {n, n + 1}, {0, 1}), sode::shadow{1}, 0.0, "right"};
    auto exchange_pressure = sode::reflect_init(pressure);
    auto exchange_flow = sode::reflect_init(down, right); // arrays of different shapes, one message for each neighbour

    sode::loop(pressure.on({{50, 50}, {70, 70}}), [q = *pressure](auto i, auto j) { q(i, j) = 1.0; });
    for (int t = 0; t < 200; ++t) {
        exchange_pressure();
        sode::loop(down.inner({{1, 1}, {0, 0}}),
                   [v = *down, q = *pressure](auto i, auto j) { v(i, j) -= 0.5 * (q(i, j) - q(i - 1, j)); });
        sode::loop(right.inner({{0, 0}, {1, 1}}),
                   [v = *right, q = *pressure](auto i, auto j) { v(i, j) -= 0.5 * (q(i, j) - q(i, j - 1)); });
        exchange_flow();
        sode::loop(pressure.all(), [q = *pressure, d = *down, r = *right](auto i, auto j) {
            q(i, j) -= 0.5 * (d(i + 1, j) - d(i, j) + r(i, j + 1) - r(i, j));
        });
    }
    auto const sum = sode::reduce(pressure.all(), 0.0, sode::sum, [q = *pressure](auto i, auto j) { return q(i, j); });
    auto const loud =
        sode::reduce(pressure.all(), 0, sode::sum, [q = *pressure](auto i, auto j) { return std::abs(q(i, j)) > 0.1 ? 1 : 0; });
    if (rt.root()) std::printf("the pressure adds up to %.6f, and %d cells are loud\n", sum, loud);
}
