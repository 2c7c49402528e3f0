// SPDX-License-Identifier: Apache-2.0
// Ranks that exchange without end, for faults_test to kill: each says when it has begun, and what it is told when another dies.
#include <sode/sode.hpp>

#include <cstdio>
#include <cstring>

#include <time.h>
#include <unistd.h>

namespace {

double now() {
    timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

} // namespace

int main(int argc, char** argv) {
    sode::runtime rt{argc, argv};
    sode::grid<2> g{rt, {64, 64}};
    sode::buffered<double, 2> u{g, sode::shadow{1}, 0.0, "u"};
    auto halo = sode::reflect_init({.corners = true, .periodic = true}, u);
    std::printf("begun %d %d\n", rt.rank(), static_cast<int>(getpid()));
    std::fflush(stdout);
    bool const hangs = rt.arg("--hang", -1) == rt.rank();
    double last = 0;
    try {
        for (long t = 0;; ++t, u.flip()) {
            last = now();
            if (hangs && t == 50) pause();
            halo();
            double const r =
                t % 16 == 0 ? sode::reduce(g.all(), 0.0, sode::max, [](auto i, auto) { return static_cast<double>(i); }) : 63;
            if (r != 63) return 9;
        }
    } catch (sode::error const& e) {
        // When it was told, how long the wait had been, and what.
        std::printf("told %d %.6f %.6f %s\n", rt.rank(), now(), now() - last, e.what());
        std::fflush(stdout);
        return 3;
    }
}
