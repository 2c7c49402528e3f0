// SPDX-License-Identifier: Apache-2.0
#include <sode/sode.hpp>

#include <cstdio>

int main(int argc, char** argv) {
    sode::runtime rt{argc, argv};
    sode::grid<2> g{rt, {1024, 1024}, {.nodes = {2, sode::any}}}; // 2 x 2, if there are 4 ranks
    sode::array<double, 2> u{g, sode::shadow{1}, 0.0, "u"};
    auto const halo = sode::reflect_init({.corners = true, .periodic = {false, true}}, u);
    if (rt.root()) std::printf("%s\n%s", rt.describe().c_str(), halo.explain().c_str());
}
