// SPDX-License-Identifier: Apache-2.0
#include <sode/sode.hpp>

#include <cstdio>
#include <numeric>
#include <vector>

// Cuts a list of costs into `parts` pieces that cost about the same, and says how long each piece is.
std::vector<sode::index_t> equal_shares(std::vector<double> const& cost, int parts) {
    auto const share = std::accumulate(cost.begin(), cost.end(), 0.0) / parts;
    std::vector<sode::index_t> widths(parts);
    double done = 0;
    for (double const c : cost) {
        auto const part = static_cast<int>((done + c / 2) / share);
        ++widths[part < parts ? part : parts - 1];
        done += c;
    }
    return widths;
}

int main(int argc, char** argv) {
    sode::runtime rt{argc, argv};
    sode::index_t const n = 1200;
    sode::nodes<1> p{rt, {sode::any}};
    sode::grid<1> ranks{rt, {rt.size()}}; // one element for each rank

    // Blocks of equally many rows. But a row further down costs more than one further up.
    sode::distribution<2> equal{p, {n, 64}, {sode::balanced, sode::none}};
    sode::array<double, 2> u{equal, {}, 0.0, "u"};
    sode::array<double, 1> cost{sode::distribution<1>{p, {n}, {sode::balanced}}, {}, 0.0, "cost"};
    sode::loop(u.all(), [v = *u](auto i, auto j) { v(i, j) = static_cast<double>(i * 64 + j); });
    sode::loop(cost.all(), [c = *cost](auto i) { c(i) = static_cast<double>(i); }); // a program would measure it

    // Every rank gets the costs of all rows, and computes the same widths from them.
    auto costs = sode::collect(cost, {{0}, {n}});
    costs.resize(n);
    sode::broadcast(rt, costs);
    auto const all = std::accumulate(costs.begin(), costs.end(), 0.0);
    auto const busiest = [&](auto const& array) {
        auto const mine = array.owned();
        auto const work = std::accumulate(costs.begin() + mine.lower[0], costs.begin() + mine.upper[0], 0.0);
        return 100 / all * sode::reduce(ranks.all(), 0.0, sode::max, [=](auto) { return work; });
    };

    // A new distribution, a new array, one copy. Exchanges of the new array are planned anew.
    sode::distribution<2> fair{p, {n, 64}, {sode::gblock(equal_shares(costs, p.extent(0))), sode::none}};
    sode::array<double, 2> w{fair, sode::shadow{{1, 1}, {0, 0}}, 0.0, "w"};
    sode::copy(w, u);
    auto halo = sode::reflect_init(w);
    halo();

    auto const wrong = sode::reduce(w.inner({{1, 1}, {0, 0}}), 0, sode::sum,
                                    [v = *w](auto i, auto j) { return v(i + 1, j) - v(i - 1, j) == 128 ? 0 : 1; });
    auto const before = busiest(u), after = busiest(w);
    if (rt.root())
        std::printf("the busiest rank had %.1f %% of the work, and has %.1f %% now; %d elements are wrong\n", before, after, wrong);
}
