// SPDX-License-Identifier: Apache-2.0
#include <sode/sode.hpp>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <numeric>
#include <span>
#include <vector>

int main(int argc, char** argv) {
    sode::runtime rt{argc, argv};
    sode::grid<2> plate{rt, {60, 80}};
    sode::buffered<double, 2> heat{plate, sode::shadow{1}, 0.0, "heat"};
    auto halo =
        sode::reflect_init({.corners = true}, sode::boundary(heat, {{sode::constant(100.0), sode::constant(0.0)}, sode::mirror}));

    // How many points are how warm: 100 numbers of each rank, added up again and again.
    std::vector<long> mine(100), all(100);
    auto add_up = sode::allreduce_init(rt, std::span<long const>{mine}, std::span{all}, sode::sum, {.name = "histogram"});

    for (int t = 0; t < 500; ++t, heat.flip()) {
        halo.overlap(plate.all(), [a = heat.now(), b = heat.next()](auto i, auto j) {
            b(i, j) = 0.25 * (a(i - 1, j) + a(i + 1, j) + a(i, j - 1) + a(i, j + 1));
        });
        if (t > 0) add_up.wait(); // the histogram of the step before
        std::ranges::fill(mine, 0);
        sode::loop(plate.all(), [&, b = heat.next()](auto i, auto j) { // several threads of a rank may count at once
            std::atomic_ref{mine[static_cast<std::size_t>(b(i, j))]}.fetch_add(1, std::memory_order_relaxed);
        });
        add_up.start(); // and now this one's travels, while the next step is computed
    }
    add_up.wait();
    long below = 0;
    auto const median = std::ranges::find_if(all, [&](long points) { return (below += points) >= 2400; }) - all.begin();
    auto const counted = std::accumulate(all.begin(), all.end(), 0L);
    if (rt.root()) std::printf("half of %ld points are below %td degrees\n", counted, median + 1);
}
