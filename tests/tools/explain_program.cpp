// SPDX-License-Identifier: Apache-2.0
// Prints what would be chosen for a face of every pattern, and which profile says so.
#include <sode/sode.hpp>

#include <cstdio>

int main(int argc, char** argv) try {
    sode::runtime rt{argc, argv};
    sode::nodes<3> p{rt, {1, 1, sode::any}};
    sode::distribution<3> t{p, {64, 64, 64}, {sode::block, sode::block, sode::block}};
    sode::array<double, 3> u{sode::align(t, {64, 64, 64}, {0, 1, 2}), sode::shadow{1}, 0.0, "u"};
    auto halo = sode::reflect_init(u);
    halo();
    if (rt.root()) std::printf("%s\n%s", rt.describe().c_str(), halo.explain().c_str());
} catch (std::exception const& e) {
    std::fprintf(stderr, "explain_program: %s\n", e.what());
    return 3;
}
