// SPDX-License-Identifier: Apache-2.0
#include <sode/sode.hpp>

#include <cstdio>

int main(int argc, char** argv) {
    sode::runtime rt{argc, argv};   // this rank's membership in the job
    sode::grid<1> line{rt, {1000}}; // the indices 0 to 999, a block of them for each rank
    sode::array<double, 1> squares{line};

    sode::loop(line.all(), [v = *squares](auto i) { v(i) = static_cast<double>(i * i); });

    auto const sum = sode::reduce(line.all(), 0.0, sode::sum, [v = *squares](auto i) { return v(i); });
    if (rt.root()) std::printf("the squares of 0 to 999 add up to %.0f\n", sum);
}
