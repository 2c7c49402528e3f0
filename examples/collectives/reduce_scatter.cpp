// SPDX-License-Identifier: Apache-2.0
// Forces on particles that several ranks have computed: each owner gets the sums of its own.     sode run -n 4
// ./collective_reduce_scatter
#include <sode/sode.hpp>

#include <cstdio>
#include <span>
#include <vector>

int main(int argc, char** argv) {
    sode::runtime rt{argc, argv};
    constexpr int each = 3; // particles of a rank
    auto const all = static_cast<std::size_t>(each * rt.size());
    std::vector<double> forces(all), own(each);
    auto collect = sode::reduce_scatter_init(rt, std::span<double const>{forces}, std::span{own}, sode::sum);
    for (int t = 1; t <= 3; ++t) {
        for (std::size_t p = 0; p < all; ++p) forces[p] = t * static_cast<double>(p);
        collect();
    }
    if (rt.root()) std::printf("%g %g %g\n", own[0], own[1], own[2]);
    return own[1] == 3.0 * rt.size() * (each * rt.rank() + 1) ? 0 : 1;
}
