// SPDX-License-Identifier: Apache-2.0
// Ranks that exchange without end, to be killed: each says when it has begun, and what it is told when another dies.
//     --hang RANK                             that rank stops
//     --die RANK --by kill|abort|exit|throw   that rank ends itself in the middle
//     SIGUSR2                                 ends it with status 3 at any moment (SIGUSR1 is Hydra's word for the death of another
//     rank)
//     --confused                              rank 1 makes its exchanges in another order than the others
//     --leave RANK                            that rank leaves with status 0; the others destroy an exchange that they have started
//     --march                                 ranks march, eight steps at a time
//     --column                                the same in a column that is not periodic, where ranks may hand each other rows
//     --rethrow                               what ranks are told ends main(), as in a program that catches errors around it all
#include <sode/sode.hpp>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <string>

#include <time.h>
#include <unistd.h>

namespace {

double now() {
    timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

void die(std::string const& how) {
    if (how == "kill") kill(getpid(), SIGKILL);
    if (how == "abort") std::abort();
    if (how == "exit") std::_Exit(3);
    throw std::runtime_error{"this rank was told to throw (" + how + ")"};
}

int confuse(sode::runtime& rt) {
    sode::grid<1> g{rt, {60}};
    sode::array<double, 1> a{g, sode::shadow{1}, 0.0, "a"}, b{g, sode::shadow{1}, 0.0, "b"};
    auto ha = sode::reflect_init({.periodic = true}, a), hb = sode::reflect_init({.periodic = true}, b);
    std::printf("begun %d %d\n", rt.rank(), static_cast<int>(getpid()));
    std::fflush(stdout);
    try {
        for (int t = 0; t < 3; ++t) {
            ha();
            hb();
        }
        (rt.rank() == 1 ? hb : ha)();
        (rt.rank() == 1 ? ha : hb)();
    } catch (sode::error const& e) {
        std::printf("told %d %s\n", rt.rank(), e.what());
        std::fflush(stdout);
        throw;
    }
    return 0;
}

int run(sode::runtime& rt) {
    bool const column = rt.flag("--column"), marches = column || rt.flag("--march");
    auto const g = column ? sode::grid<2>{rt, {64, 64}, {.nodes = {rt.size(), 1}}} : sode::grid<2>{rt, {64, 64}};
    sode::buffered<double, 2> u{g, sode::shadow{1}, sode::tiles{marches ? 8 : 1}, 0.0, "u"};
    auto halo = sode::reflect_init({.corners = true, .periodic = !column}, u);
    auto const mean = [](auto a, auto b) {
        return [=](auto i, auto j) { b(i, j) = 0.25 * (a(i - 1, j) + a(i + 1, j) + a(i, j - 1) + a(i, j + 1)); };
    };
    std::printf("begun %d %d\n", rt.rank(), static_cast<int>(getpid()));
    std::fflush(stdout);
    if (int const leaves = static_cast<int>(rt.arg("--leave", -1)); leaves >= 0) {
        if (rt.rank() == leaves) std::_Exit(0);
        halo.start();
        return 0;
    }
    bool const hangs = rt.arg("--hang", -1) == rt.rank();
    bool const dies = rt.arg("--die", -1) == rt.rank();
    double last = 0;
    try {
        for (long t = 0;; ++t, u.flip()) {
            last = now();
            if (hangs && t == 50) pause();
            if (dies && t == 50) die(rt.arg("--by", "throw"));
            if (marches) {
                halo.march(18, column ? g.inner() : g.all(), mean, u); // 8, 8 and 2
                continue;
            }
            halo();
            double const r =
                t % 16 == 0 ? sode::reduce(g.all(), 0.0, sode::max, [](auto i, auto) { return static_cast<double>(i); }) : 63;
            if (r != 63) return 9;
        }
    } catch (sode::error const& e) {
        // When it was told, how long the wait had been, and what.
        std::printf("told %d %.6f %.6f %s\n", rt.rank(), now(), now() - last, e.what());
        std::fflush(stdout);
        if (rt.flag("--rethrow")) throw;
        return 3;
    }
}

} // namespace

int main(int argc, char** argv) {
    std::signal(SIGUSR2, [](int) { _exit(3); });
    try {
        sode::runtime rt{argc, argv};
        return rt.flag("--confused") ? confuse(rt) : run(rt);
    } catch (std::exception const& e) {
        std::fprintf(stderr, "%s\n", e.what());
        return 3;
    }
}
