// SPDX-License-Identifier: Apache-2.0
// A program whose rank 1 dies while others have exchanges of devices under way: enqueued many steps ahead.
#include <sode/sode.hpp>

#include <csignal>
#include <cstdio>
#include <exception>
#include <string>

#include <unistd.h>

namespace {

void run(int argc, char** argv) {
    sode::runtime rt{argc, argv};
    sode::grid<2> g{rt, {64, 64}};
    sode::buffered<double, 2, sode::device> u{g, sode::shadow{1}, 1.0, "u"};
    auto halo = sode::reflect_init({.periodic = true, .channel = rt.arg("-c", "")}, u);
    sode::stream s{rt};
    for (int t = 0; t < 200; ++t, u.flip()) {
        if (rt.rank() == 1 && t == 100) {
            s.synchronize();
            std::puts("rank 1 is gone");
            std::fflush(stdout);
            ::kill(::getpid(), SIGKILL);
        }
        halo.enqueue(s);
        sode::loop(s, u.all(), [a = u.now(), b = u.next()](auto i, auto j) { b(i, j) = (a(i - 1, j) + a(i + 1, j)) / 2; });
    }
    s.synchronize();
}

} // namespace

int main(int argc, char** argv) {
    try {
        run(argc, argv);
        return 0;
    } catch (std::exception const& e) {
        std::fprintf(stderr, "%s\n", e.what());
        return 1;
    }
}
