// SPDX-License-Identifier: Apache-2.0
// The residual of each block goes to rank 0, which prints it; nobody else needs it.     sode run -n 4 ./collective_reduce
#include <sode/sode.hpp>

#include <cstdio>
#include <span>

int main(int argc, char** argv) {
    sode::runtime rt{argc, argv};
    double mine = 0, sum = 0;
    auto to_root = sode::reduce_init(rt, std::span<double const>{&mine, 1}, std::span{&sum, 1}, sode::sum, 0);
    for (int t = 1; t <= 5; ++t) {
        mine = 1.0 / t;
        to_root();
        if (rt.root()) std::printf("step %d: %.3f\n", t, sum);
    }
    return rt.root() && sum != rt.size() * mine ? 1 : 0;
}
