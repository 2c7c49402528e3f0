// SPDX-License-Identifier: Apache-2.0
// A program of somebody else: every kind of call into the library, and a result that every number of ranks must agree on.
#include <sode/sode.hpp>

#include <cstdio>

int main(int argc, char** argv) {
    sode::runtime rt{argc, argv};
    sode::grid<1> g{rt, {100}};
    sode::buffered<double, 1> u{g, sode::shadow{1}};
    auto halo = sode::reflect_init({.periodic = true}, u);
    sode::loop(g.all(), [x = u.now()](auto i) { x(i) = static_cast<double>(i); });
    // A hundred shifts by one element bring everything back to where it was, by way of every rank.
    for (int t = 0; t < 100; ++t, u.flip()) {
        halo();
        sode::loop(g.all(), [a = u.now(), b = u.next()](auto i) { b(i) = a(i - 1); });
    }
    auto const wrong = sode::reduce(g.all(), 0L, sode::sum, [x = u.now()](auto i) { return long{x(i) != static_cast<double>(i)}; });
    auto const sum = sode::reduce(g.all(), 0.0, sode::sum, [x = u.now()](auto i) { return x(i); });
    if (rt.root()) std::printf("%d ranks, sum %.0f\n", rt.size(), sum);
    return wrong == 0 ? 0 : 1;
}
