// SPDX-License-Identifier: Apache-2.0
// Rank 0 decides about the time step, and all compute with it.     sode run -n 4 ./collective_broadcast
#include <sode/sode.hpp>

#include <array>
#include <cstdio>
#include <span>

int main(int argc, char** argv) {
    sode::runtime rt{argc, argv};
    std::array<double, 2> step{}; // its length, and the time when it begins
    auto tell = sode::broadcast_init(rt, std::span{step}, 0, {.name = "time step"});
    double time = 0;
    for (int t = 0; t < 10; ++t) {
        if (rt.root()) step = {0.5 / (t + 1), time};
        tell();
        time = step[1] + step[0];
    }
    if (rt.rank() == rt.size() - 1) std::printf("rank %d is at %.4f\n", rt.rank(), time);
    return time > 1.464 && time < 1.465 ? 0 : 1;
}
