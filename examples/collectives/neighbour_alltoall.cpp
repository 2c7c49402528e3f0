// SPDX-License-Identifier: Apache-2.0
// Ranks in a ring: each sends something else to the left and to the right.     sode run -n 4 ./collective_neighbour_alltoall
#include <sode/sode.hpp>

#include <array>
#include <cstdio>
#include <vector>

int main(int argc, char** argv) {
    sode::runtime rt{argc, argv};
    int const left = (rt.rank() + rt.size() - 1) % rt.size(), right = (rt.rank() + 1) % rt.size();
    std::array<int, 2> to{}, from{}; // left, right
    auto const one = [](int& x) { return sode::piece{std::span{&x, 1}}; };
    // With two ranks both neighbours are the same: what belongs together has the same place in both lists.
    std::vector<sode::neighbour> const given{{left, one(to[0])}, {right, one(to[1])}};
    std::vector<sode::neighbour> const got{{right, one(from[1])}, {left, one(from[0])}};
    auto pass = sode::neighbour_alltoall_init(rt, given, got);
    for (int t = 0; t < 3; ++t) {
        to = {10 * rt.rank() + t, 10 * rt.rank() + 5 + t};
        pass();
    }
    std::printf("rank %d: %d from the left, %d from the right\n", rt.rank(), from[0], from[1]);
    return from[0] == 10 * left + 7 && from[1] == 10 * right + 2 ? 0 : 1;
}
