// SPDX-License-Identifier: Apache-2.0
#include "model/tile_forecast.hpp"

#include "base/position.hpp"

#include <algorithm>
#include <map>

namespace sode::internal {
namespace {

/// One block of a grid, and the directions in which it has neighbours.
class neighbourhood {
public:
    neighbourhood(block_grid const& g, int number) : g_(g), number_(number), at_(g.blocks.size()), elements_(g.blocks.size()) {
        for (int d = g.dims(), rest = number; d-- > 0; rest /= g.blocks[pos(d)]) {
            at_[pos(d)] = rest % g.blocks[pos(d)];
            elements_[pos(d)] = g.block(d, at_[pos(d)]);
        }
    }

    /// Calls f(target, direction) for each neighbour, direction by dimension -1, 0 or 1.
    template <class F> void for_each(F const& f) const {
        std::vector<int> way(at_.size());
        walk(0, 0, way, f);
    }
    [[nodiscard]] std::int64_t elements(int d) const noexcept { return elements_[pos(d)]; }
    [[nodiscard]] int number() const noexcept { return number_; }

private:
    template <class F> void walk(int d, int target, std::vector<int>& way, F const& f) const {
        if (d == g_.dims()) {
            if (std::ranges::any_of(way, [](int w) { return w != 0; })) f(target, way);
            return;
        }
        int const n = g_.blocks[pos(d)];
        for (int w : {-1, 0, 1}) {
            int const next = at_[pos(d)] + w;
            if (w != 0 && (n == 1 || ((next < 0 || next >= n) && !g_.periodic))) continue;
            way[pos(d)] = w;
            walk(d + 1, target * n + (next + n) % n, way, f);
        }
        way[pos(d)] = 0;
    }

    block_grid const& g_;
    int number_;
    std::vector<int> at_;
    std::vector<std::int64_t> elements_;
};

// Rows of a box, as long as what lies side by side in memory: through dimensions that are whole.
network_edge box_of(block_grid const& g, neighbourhood const& from, std::vector<int> const& way) {
    std::int64_t all = 1, row = 1;
    bool runs_on = true;
    int face = -1, cut = -1;
    for (int d = 0; d < g.dims(); ++d) {
        cut += g.blocks[pos(d)] > 1 ? 1 : 0;
        if (face < 0 && way[pos(d)] != 0) face = 2 * cut + (way[pos(d)] < 0 ? 0 : 1);
    }
    for (int d = g.dims(); d-- > 0;) {
        auto const here = way[pos(d)] == 0 ? from.elements(d) : g.width;
        all *= here;
        if (runs_on) row *= here;
        runs_on = runs_on && g.blocks[pos(d)] == 1;
    }
    return {.source = from.number(),
            .face = face,
            .bytes = all * g.element_bytes,
            .rows = row > 0 ? all / row : 0,
            .row_bytes = row * g.element_bytes};
}

// Elements that step `s` of `steps` computes along a dimension, on the machine with most of them.
std::int64_t most_elements(block_grid const& g, int d, std::int64_t around) {
    std::int64_t most = 0;
    int const n = g.blocks[pos(d)];
    for (int c = 0; c < n; ++c) {
        int const sides = n == 1 ? 0 : g.periodic ? 2 : (c > 0 ? 1 : 0) + (c + 1 < n ? 1 : 0);
        most = std::max(most, g.block(d, c) + sides * around);
    }
    return most;
}

} // namespace

std::vector<network_edge> edges_before(block_grid const& g, std::int64_t steps) {
    if (steps <= 1) return edges_of(g);
    auto wide = g;
    wide.width *= steps;
    std::vector<network_edge> list;
    for (int k = 0; k < g.size(); ++k) {
        neighbourhood const from{wide, k};
        from.for_each([&](int target, std::vector<int> const& way) {
            auto e = box_of(wide, from, way);
            if (e.bytes == 0) return;
            e.target = target;
            e.bytes *= 2;
            e.rows *= 2;
            list.push_back(e);
        });
    }
    return list;
}

std::int64_t most_steps(block_grid const& g) noexcept {
    std::int64_t most = std::int64_t{1} << 20;
    for (int d = 0; d < g.dims(); ++d)
        if (g.blocks[pos(d)] > 1) most = std::min(most, g.block(d, g.blocks[pos(d)] - 1) / g.width);
    return std::max<std::int64_t>(most, 1);
}

tile_forecast forecast_tiles(block_grid const& g, std::int64_t steps, point_times const& point, std::span<network const> networks) {
    auto const share = 1 / static_cast<double>(steps);
    tile_forecast all{.steps = steps};
    auto const edges = edges_before(g, steps);
    std::map<int, std::pair<std::int64_t, std::int64_t>> of_machine;
    for (auto const& e : edges) {
        auto& [messages, bytes] = of_machine[e.source];
        ++messages;
        bytes += e.bytes;
    }
    for (auto const& [machine, sent] : of_machine) {
        all.messages = std::max(all.messages, static_cast<double>(sent.first) * share);
        all.bytes = std::max(all.bytes, static_cast<double>(sent.second) * share);
    }
    for (std::int64_t s = 1; s <= steps; ++s) {
        double points = 1;
        for (int d = 0; d < g.dims(); ++d) points *= static_cast<double>(most_elements(g, d, (steps - s) * g.width));
        all.points += points * share;
    }
    constexpr double us = 1e-3; // nanoseconds
    all.computing_us = all.points * point.of(steps) * us;
    if (!edges.empty()) all.exchange_us = choose_networks(edges, networks).expected_us * share;
    return all;
}

} // namespace sode::internal
