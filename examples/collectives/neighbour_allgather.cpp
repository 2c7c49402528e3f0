// SPDX-License-Identifier: Apache-2.0
// Each rank tells the next two how much work it has left.     sode run -n 4 ./collective_neighbour_allgather
#include <sode/sode.hpp>

#include <array>
#include <cstdio>
#include <vector>

int main(int argc, char** argv) {
    sode::runtime rt{argc, argv};
    double work = 0;
    std::array<double, 2> of_others{};
    std::vector<int> next;
    std::vector<sode::neighbour> before;
    for (int k = 1; k <= 2; ++k) {
        next.push_back((rt.rank() + k) % rt.size());
        before.push_back({(rt.rank() + 2 * rt.size() - k) % rt.size(), std::span{&of_others[static_cast<std::size_t>(k - 1)], 1}});
    }
    auto tell = sode::neighbour_allgather_init(rt, std::span{&work, 1}, next, before);
    for (int t = 0; t < 3; ++t) {
        work = 100.0 * rt.rank() + t;
        tell();
    }
    std::printf("rank %d: %g and %g\n", rt.rank(), of_others[0], of_others[1]);
    return of_others[0] == 100.0 * before[0].rank + 2 && of_others[1] == 100.0 * before[1].rank + 2 ? 0 : 1;
}
