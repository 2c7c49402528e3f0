// SPDX-License-Identifier: Apache-2.0
#include "array/halo/check_walls.hpp"

#include "array/halo/halo_walls.hpp"

#include <sode/error.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace sode::internal {
namespace {

using detail::wall_kind;

// The block next to the wall: of the first coordinate that owns anything, or of the last one.
index_t block_at(axis const& a, int side) {
    auto const n = a.bounds.size() - 1;
    for (std::size_t i = 0; i < n; ++i) {
        auto const c = side == 0 ? i : n - 1 - i;
        if (auto const size = a.bounds[c + 1] - a.bounds[c]; size > 0) return size;
    }
    return 0;
}

std::string name_of_side(int dim, int side) {
    return fmt::format("the {} side of dimension {}", side == 0 ? "low" : "high", dim);
}

void check_wall(halo_field const& f, int dim, int side) {
    auto const* w = f.wall_at(dim, side);
    if (!w) return;
    auto const& g = *f.shape;
    auto const d = static_cast<std::size_t>(dim);
    index_t const layers = side == 0 ? f.lower[d] : f.upper[d], block = block_at(g.axes[d], side);
    if (w->size() != 1 && static_cast<index_t>(w->size()) != g.components)
        throw error{error_kind::usage,
                    fmt::format("array \"{}\" has {} conditions at {}", g.name, w->size(), name_of_side(dim, side)),
                    fmt::format("the array has {} {}", g.components, g.components == 1 ? "component" : "components"),
                    "pass one condition for each component to sode::components"};
    for (auto const& rule : *w) {
        if (rule.kind == wall_kind::periodic)
            throw error{error_kind::usage, fmt::format("only some components of array \"{}\" are periodic", g.name),
                        "all components of a bundle must have the same neighbours", "make all components periodic, or none"};
        if (rule.kind == wall_kind::computed && rule.depth < 0)
            throw error{
                error_kind::usage,
                fmt::format("the function at {} of array \"{}\" has a depth of {}", name_of_side(dim, side), g.name, rule.depth),
                "a depth must be 0 or more", "give sode::computed a depth of 0 or more"};
        auto const needed = depth_of(rule, layers);
        if (layers > 0 && needed > block && block > 0)
            throw error{error_kind::usage,
                        fmt::format("condition \"{}\" of array \"{}\" needs {} inner elements at {}", name_of(rule), g.name, needed,
                                    name_of_side(dim, side)),
                        fmt::format("the block at this side has {} elements, because {} elements are split over {} nodes", block,
                                    g.axes[d].extent, g.axes[d].bounds.size() - 1),
                        "use fewer nodes in this dimension, or fewer layers"};
    }
}

} // namespace

bool is_periodic(detail::wall const& w) noexcept {
    return w.size() == 1 && w.front().kind == wall_kind::periodic;
}

void check_walls(halo_spec const& spec, int field) {
    auto const& f = spec.fields[static_cast<std::size_t>(field)];
    if (!f.walls) return;
    for (int d = 0; d < f.shape->dims; ++d) {
        auto const& [low, high] = (*f.walls)[static_cast<std::size_t>(d)];
        if (is_periodic(low) != is_periodic(high))
            throw error{error_kind::usage,
                        fmt::format("array \"{}\" is periodic on only one side of dimension {}", f.shape->name, d),
                        "a periodic dimension connects its two sides", "make both sides periodic, or neither"};
        if (spec.periodic[static_cast<std::size_t>(d)] && (!low.empty() || !high.empty()) && !is_periodic(low))
            throw error{error_kind::usage,
                        fmt::format("array \"{}\" has a boundary condition in dimension {}, which is periodic", f.shape->name, d),
                        "reflect_options::periodic applies to all fields",
                        "remove the condition, or use sode::periodic for the fields that are periodic"};
        for (int side : {0, 1}) check_wall(f, d, side);
    }
}

} // namespace sode::internal
