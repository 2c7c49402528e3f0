// SPDX-License-Identifier: Apache-2.0
#include <sode/sode.hpp>

#include <cstdio>

int main(int argc, char** argv) try {
    sode::runtime rt{argc, argv};
    sode::grid<1> rod{rt, {100}};
    sode::array<double, 1> a{rod, sode::shadow{1}, 0.0, "a"}, b{rod, {}, 0.0, "b"};
    auto halo = sode::reflect_init(a);

    sode::loop(rod.all(), [v = *a](auto i) { v(i) = static_cast<double>(i); });
    halo();
    sode::loop(rod.all(), [v = *a](auto i) { v(i) += 1; });
    // A mistake: `a` has changed since the exchange, so the halo is what it was before.
    sode::loop(rod.inner(), [v = *a, w = *b](auto i) { w(i) = v(i + 1) - v(i - 1); });

    auto const wrong = sode::reduce(rod.inner(), 0, sode::sum, [w = *b](auto i) { return w(i) != 2 ? 1 : 0; });
    if (rt.root()) std::printf("%d differences are wrong\n", wrong);
} catch (std::exception const& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
}
