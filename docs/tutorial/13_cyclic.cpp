// SPDX-License-Identifier: Apache-2.0
#include <sode/sode.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

int main(int argc, char** argv) {
    sode::runtime rt{argc, argv};
    sode::index_t const n = 200;
    sode::nodes<1> p{rt, {sode::any}};
    sode::distribution<2> t{p, {n, n}, {sode::cyclic, sode::none}}; // row i belongs to rank i mod p
    sode::array<double, 2> a{t, {}, 0.0, "a"};
    sode::peer_view const any_row{a}; // reads elements of every rank of this machine

    auto const mine = a.cyclic_view();
    sode::loop(a.all(), [mine](auto i, auto j) { mine(i, j) = i == j ? 3.0 : 1.0 / static_cast<double>(i > j ? i - j : j - i); });

    // Gaussian elimination. As it goes on fewer rows are left, and each rank still has its share of them.
    std::vector<double> pivot(n);
    for (sode::index_t k = 0; k + 1 < n; ++k) {
        rt.barrier(); // the owner of row k has finished it, and will not write it again
        for (auto j = k; j < n; ++j) pivot[j] = any_row(k, j);
        sode::loop(a.on({{k + 1, 0}, {n, 1}}), [&](auto i, auto) {
            auto const factor = mine(i, k) / pivot[k];
            for (auto j = k; j < n; ++j) mine(i, j) -= factor * pivot[j];
        });
    }
    auto const log_of_determinant =
        sode::reduce(a.on({{0, 0}, {n, 1}}), 0.0, sode::sum, [mine](auto i, auto) { return std::log(mine(i, i)); });
    if (rt.root()) std::printf("the logarithm of the determinant is %.6f\n", log_of_determinant);
}
