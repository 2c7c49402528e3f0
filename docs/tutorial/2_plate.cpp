// SPDX-License-Identifier: Apache-2.0
#include <sode/sode.hpp>

#include <algorithm>
#include <cstdio>
#include <fstream>

int main(int argc, char** argv) {
    sode::runtime rt{argc, argv};
    auto const n = rt.arg("-n", 200); // `-n 500` on the command line; else 200

    sode::grid<2> plate{rt, {n, n}};
    sode::buffered<double, 2> u{plate, sode::shadow{1}}; // now and next, each with one layer of neighbours' points around its block
    auto halo = sode::reflect_init(u);

    sode::loop(plate.face(0, 0), [a = u.now(), b = u.next()](auto i, auto j) { a(i, j) = b(i, j) = 1.0; }); // the upper edge is hot

    for (int t = 0; t < 2000; ++t, u.flip()) {
        halo(); // neighbours' points of now(): fetched
        sode::loop(plate.inner(), [a = u.now(), b = u.next()](auto i, auto j) {
            b(i, j) = 0.25 * (a(i - 1, j) + a(i + 1, j) + a(i, j - 1) + a(i, j + 1));
        });
    }

    // A picture in shades of grey, a few rows at a time, so that no rank needs memory for all of it.
    std::ofstream file;
    if (rt.root()) {
        file.open(rt.arg("--picture", "plate.pgm"), std::ios::binary);
        file << "P5 " << n << ' ' << n << " 255\n";
    }
    for (sode::index_t i = 0; i < n; i += 50) {
        auto const rows = sode::collect(u, {{i, 0}, {std::min<sode::index_t>(i + 50, n), n}});
        for (double const v : rows)
            file.put(static_cast<char>(static_cast<unsigned char>(255 * v))); // on the other ranks, `rows` is empty
    }
    auto const warm = sode::reduce(plate.all(), 0, sode::sum, [a = u.now()](auto i, auto j) { return a(i, j) > 0.5 ? 1 : 0; });
    if (rt.root()) std::printf("%d of %d points are warmer than half\n", warm, n * n);
}
