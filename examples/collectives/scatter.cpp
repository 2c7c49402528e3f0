// SPDX-License-Identifier: Apache-2.0
// Rank 0 has read a table; each rank gets some rows of it, and those of a lower number get more.     sode run -n 4
// ./collective_scatter
#include <sode/sode.hpp>

#include <cstdio>
#include <span>
#include <vector>

int main(int argc, char** argv) {
    sode::runtime rt{argc, argv};
    // Pieces of any size: rank r gets ranks - r rows of 4 numbers.
    auto const rows = [&](int r) { return static_cast<std::size_t>(rt.size() - r); };
    std::vector<double> table(rt.root() ? 4 * rows(0) * (rows(0) + 1) / 2 : 0), mine(4 * rows(rt.rank()));
    std::vector<sode::piece> parts;
    std::size_t at = 0;
    for (int r = 0; rt.root() && r < rt.size(); at += 4 * rows(r), ++r)
        parts.emplace_back(std::span{table}.subspan(at, 4 * rows(r)));
    auto deal = sode::scatter_init(rt, parts, std::span{mine});
    for (int t = 0; t < 3; ++t) {
        for (std::size_t i = 0; i < table.size(); ++i) table[i] = 1000.0 * t + static_cast<double>(i);
        deal();
    }
    std::printf("rank %d has %zu rows, the first number is %g\n", rt.rank(), rows(rt.rank()), mine[0]);
    std::size_t before = 0;
    for (int r = 0; r < rt.rank(); ++r) before += 4 * rows(r);
    return mine[0] == 2000.0 + static_cast<double>(before) ? 0 : 1;
}
