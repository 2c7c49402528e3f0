// SPDX-License-Identifier: Apache-2.0
// A barrier that a rank can enter, and go on working until the others are there.     sode run -n 4 ./collective_barrier
#include <sode/sode.hpp>

#include <cstdio>

int main(int argc, char** argv) {
    sode::runtime rt{argc, argv};
    auto all_here = sode::barrier_init(rt);
    long done_meanwhile = 0;
    for (int phase = 0; phase < 3; ++phase) {
        all_here.start();
        while (!all_here.test()) ++done_meanwhile; // something useful
        all_here.wait();
    }
    if (rt.root()) std::printf("%d phases, and %s meanwhile\n", 3, done_meanwhile > 0 ? "something was done" : "nobody was late");
    return 0;
}
