// SPDX-License-Identifier: Apache-2.0
#include <sode/sode.hpp>

#include <cstdio>
#include <vector>

int main(int argc, char** argv) {
    sode::runtime rt{argc, argv};
    sode::index_t const n = 120, rows = n / rt.size(); // of a matrix of n x n each rank has some rows, in memory of its own
    std::vector<double> matrix(rows * n), transposed(rows * n);
    for (sode::index_t i = 0; i < rows; ++i)
        for (sode::index_t j = 0; j < n; ++j) matrix[i * n + j] = static_cast<double>((rt.rank() * rows + i) * n + j);

    // A square block to each rank. It leaves column by column, and arrives row by row.
    auto const column = sode::datatype::contiguous(8).repeated(rows, 8 * n);
    auto const columns = column.repeated(rows, 8);
    auto const lines = sode::datatype::contiguous(8 * rows).repeated(rows, 8 * n);
    std::vector<sode::message_end> ends;
    for (int peer = 0; peer < rt.size(); ++peer) {
        ends.push_back(sode::send_init(&matrix[peer * rows], columns, peer));
        ends.push_back(sode::recv_init(&transposed[peer * rows], lines, peer));
    }
    auto transpose = sode::exchange_init(rt, ends, {.name = "transpose"}); // planned once
    for (int t = 0; t < 10; ++t) transpose();                              // run many times

    sode::grid<1> ranks{rt, {rt.size()}};
    auto const right = sode::reduce(ranks.all(), 0, sode::sum, [&](auto) {
        int found = 0;
        for (sode::index_t i = 0; i < rows; ++i)
            for (sode::index_t j = 0; j < n; ++j)
                found += transposed[i * n + j] == static_cast<double>(j * n + rt.rank() * rows + i);
        return found;
    });
    if (rt.root()) std::printf("%d of %d elements are in their places\n", right, static_cast<int>(n * n));
}
