// SPDX-License-Identifier: Apache-2.0
// Where each rank writes into one common file: behind the bytes of the ranks before it.     sode run -n 4 ./collective_exscan
#include <sode/sode.hpp>

#include <cstdio>
#include <span>

int main(int argc, char** argv) {
    sode::runtime rt{argc, argv};
    long mine = 0, offset = 0; // of rank 0 it stays 0
    auto place = sode::exscan_init(rt, std::span<long const>{&mine, 1}, std::span{&offset, 1}, sode::sum);
    for (int file = 0; file < 3; ++file) {
        mine = 100 * (rt.rank() + 1);
        place();
    }
    std::printf("rank %d writes %ld bytes at %ld\n", rt.rank(), mine, offset);
    return offset == 50L * rt.rank() * (rt.rank() + 1) ? 0 : 1;
}
