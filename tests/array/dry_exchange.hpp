// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "array/halo/halo_spec.hpp"
#include "array/random_halo.hpp"

#include <memory>

/// Exchanges of ranks that need not exist: what plans are built from.
namespace sode::internal::testing {

/// An exchange of some arrays on `ranks` ranks that need not exist.
struct dry_exchange {
    std::vector<std::unique_ptr<geometry>> shapes;
    halo_spec spec;
};

inline std::unique_ptr<geometry> shape_of(sode::detail::mapping const& m, index_t element,
                                          std::array<index_t, max_dims> const& lower, std::array<index_t, max_dims> const& upper) {
    auto g = std::make_unique<geometry>();
    g->dims = m.dims;
    g->axes = m.axes;
    g->grid = m.grid;
    g->element_bytes = element;
    g->name = "u";
    for (std::size_t d = 0; d < max_dims; ++d) g->axes[d].shadow_lower = lower[d], g->axes[d].shadow_upper = upper[d];
    return g;
}

/// `narrow`: blocks may be narrower than halos.
inline dry_exchange random_exchange(generator& g, int ranks, way const* forced, bool narrow = true) {
    dry_exchange x;
    int const dims = static_cast<int>(pick(g, 1, ranks > 8 ? 3 : 4));
    int const fields = static_cast<int>(pick(g, 1, 2));
    std::array<index_t, max_dims> lower{}, upper{};
    index_t most = 1;
    for (int d = 0; d < dims; ++d) {
        auto const k = static_cast<std::size_t>(d);
        lower[k] = pick(g, 0, 2), upper[k] = pick(g, 0, 2);
        most = std::max({most, lower[k], upper[k]});
        x.spec.periodic[k] = chance(g, 40);
    }
    auto const shape = make_shape(g, sode::detail::place{0, ranks}, dims, narrow && chance(g, 30) ? 1 : most);
    for (int f = 0; f < fields; ++f) {
        x.shapes.push_back(shape_of(shape.map, f == 0 ? 8 : 4, lower, upper));
        bool const buffered = chance(g, 50);
        x.spec.fields.push_back({.shape = x.shapes.back().get(),
                                 .lower = lower,
                                 .upper = upper,
                                 .buffered = buffered,
                                 .group = buffered ? x.spec.groups : 0});
        x.spec.groups += buffered ? 1 : 0;
    }
    x.spec.name = "halo of \"u\"";
    x.spec.machines = ranks;
    x.spec.corners = chance(g, 60);
    x.spec.credits = chance(g, 25);
    x.spec.forced = forced;
    std::vector<measured_pair> pairs;
    for (int r = 0; r + 1 < ranks; r += 2) pairs.push_back({r, r + 1, classify(chance(g, 50) ? 100.0 : 400.0)});
    x.spec.distances = distance_table{pairs};
    if (chance(g, 40)) { // several machines, not all of the same size, their ranks not always side by side
        int const machines = static_cast<int>(pick(g, 1, ranks));
        std::vector<int> machine_of;
        for (int r = 0; r < ranks; ++r)
            machine_of.push_back(static_cast<int>(chance(g, 70) ? r * machines / ranks : pick(g, 0, machines - 1)));
        x.spec.machines = machine_of;
        if (chance(g, 50)) x.spec.costs.network.byte = x.spec.costs.network.host_byte = 0; // gaps cost nothing
    }
    x.spec.check();
    return x;
}

/// The everyday exchange: a box of 3 dimensions, all 26 neighbours, periodic.
inline dry_exchange cube(int ranks, std::vector<node_extent> const& nodes, bool buffered, way const* forced, index_t width = 1) {
    dry_exchange x;
    sode::detail::place const where{0, ranks};
    auto const grid = sode::detail::make_node_grid(ranks, nodes, {});
    std::vector<index_t> extents;
    for (auto const& n : nodes) extents.push_back(4 * n.value());
    auto const map =
        sode::detail::distribute(where, grid, extents, std::vector<distribution_format>(nodes.size(), distribution_format{block}));
    std::array<index_t, max_dims> w{};
    for (std::size_t d = 0; d < nodes.size(); ++d) w[d] = width;
    x.shapes.push_back(shape_of(map, 8, w, w));
    x.spec.fields.push_back({.shape = x.shapes.back().get(), .lower = w, .upper = w, .buffered = buffered});
    x.spec.groups = buffered ? 1 : 0;
    x.spec.machines = ranks;
    x.spec.corners = true;
    x.spec.periodic.fill(true);
    x.spec.forced = forced;
    x.spec.name = "halo of \"u\"";
    return x;
}

} // namespace sode::internal::testing
