// SPDX-License-Identifier: Apache-2.0
// The largest stable time step of all ranks, found while the halo travels.     sode run -n 4 ./collective_allreduce
#include <sode/sode.hpp>

#include <cstdio>
#include <span>
#include <vector>

int main(int argc, char** argv) {
    sode::runtime rt{argc, argv};
    std::vector<double> mine(2), least(2);
    auto agree = sode::allreduce_init(rt, std::span<double const>{mine}, std::span{least}, sode::min);
    for (int t = 0; t < 4; ++t) {
        mine = {1.0 + rt.rank() + t, 10.0 - rt.rank()};
        agree.start();
        // ... what does not need the result ...
        agree.wait();
    }
    if (rt.root()) std::printf("%g and %g\n%s", least[0], least[1], agree.explain().c_str());
    return least[0] == 4.0 && least[1] == 11.0 - rt.size() ? 0 : 1;
}
