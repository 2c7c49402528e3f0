// SPDX-License-Identifier: Apache-2.0
// The transposition of a matrix whose rows are dealt out: the blocks that two ranks exchange, from layout to layout.     sode run
// -n 4 ./collective_alltoall
#include <sode/sode.hpp>

#include <cstdio>
#include <vector>

int main(int argc, char** argv) {
    sode::runtime rt{argc, argv};
    sode::index_t const each = 3, n = each * rt.size(); // rows of a rank
    std::vector<double> rows(static_cast<std::size_t>(each * n)), columns(rows.size());
    // Block r of my rows, each: 3 x 3 numbers, n from row to row. It comes in by columns, so that what arrives is transposed.
    auto const block =
        sode::datatype::contiguous(each * sizeof(double)).repeated(each, n * static_cast<sode::index_t>(sizeof(double)));
    auto const turned = sode::datatype::contiguous(sizeof(double))
                            .repeated(each, n * static_cast<sode::index_t>(sizeof(double)))
                            .repeated(each, sizeof(double));
    std::vector<sode::piece> given, got;
    for (sode::index_t r = 0; r < rt.size(); ++r) {
        given.emplace_back(&rows[static_cast<std::size_t>(each * r)], block);
        got.emplace_back(&columns[static_cast<std::size_t>(each * r)], turned);
    }
    auto transpose = sode::alltoall_init(rt, given, got);
    auto const element = [&](sode::index_t i, sode::index_t j, int t) { return static_cast<double>(1000 * i + j + 1000000 * t); };
    bool right = true;
    for (int t = 0; t < 3; ++t) {
        for (sode::index_t i = 0; i < each; ++i)
            for (sode::index_t j = 0; j < n; ++j) rows[static_cast<std::size_t>(i * n + j)] = element(each * rt.rank() + i, j, t);
        transpose();
        for (sode::index_t i = 0; i < each; ++i)
            for (sode::index_t j = 0; j < n; ++j)
                right = right && columns[static_cast<std::size_t>(i * n + j)] == element(j, each * rt.rank() + i, t);
    }
    if (rt.root()) std::printf("%s\n", right ? "transposed" : "wrong");
    return right ? 0 : 1;
}
