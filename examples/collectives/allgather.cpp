// SPDX-License-Identifier: Apache-2.0
// Every rank learns the bounds of all blocks.     sode run -n 4 ./collective_allgather
#include <sode/sode.hpp>

#include <array>
#include <cstdio>
#include <span>
#include <vector>

int main(int argc, char** argv) {
    sode::runtime rt{argc, argv};
    std::array<long, 2> mine{};
    std::vector<long> all(2 * static_cast<std::size_t>(rt.size()));
    auto tell = sode::allgather_init(rt, std::span<long const>{mine}, std::span{all});
    for (int t = 0; t < 3; ++t) {
        mine = {100L * rt.rank() + t, 100L * (rt.rank() + 1) + t};
        tell();
    }
    if (rt.root())
        for (std::size_t r = 0; r < all.size() / 2; ++r) std::printf("block %zu: %ld to %ld\n", r, all[2 * r], all[2 * r + 1]);
    return all.back() == 100L * rt.size() + 2 ? 0 : 1;
}
