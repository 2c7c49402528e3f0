// SPDX-License-Identifier: Apache-2.0
// How many particles the ranks up to this one have: the end of its part of a numbering.     sode run -n 4 ./collective_scan
#include <sode/sode.hpp>

#include <cstdio>
#include <span>

int main(int argc, char** argv) {
    sode::runtime rt{argc, argv};
    long mine = 0, end = 0;
    auto number = sode::scan_init(rt, std::span<long const>{&mine, 1}, std::span{&end, 1}, sode::sum);
    for (int t = 0; t < 3; ++t) {
        mine = 10 + rt.rank() + t;
        number();
    }
    std::printf("rank %d has numbers %ld to %ld\n", rt.rank(), end - mine, end - 1);
    long const ranks = rt.rank() + 1;
    return end == 12 * ranks + ranks * (ranks - 1) / 2 ? 0 : 1;
}
