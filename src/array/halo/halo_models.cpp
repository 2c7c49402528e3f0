// SPDX-License-Identifier: Apache-2.0
#include "array/halo/halo_edges.hpp"
#include "array/halo/halo_plan.hpp"
#include "array/halo/halo_walls.hpp"
#include "array/site.hpp"

#include <algorithm>

namespace sode::internal {

halo_margin margin_of(halo_spec const& spec, int rank) {
    halo_margin m;
    halo_edges const edges{spec};
    for (int slot = 0; slot < edges.slots(); ++slot)
        for (bool as_source : {false, true}) {
            if (!edges.takes_part(rank, slot, as_source)) continue;
            auto const& dir = edges.at(slot);
            auto const& f = spec.fields[static_cast<std::size_t>(dir.field)];
            for (std::size_t d = 0; d < max_dims; ++d) {
                index_t const layers = std::max(f.lower[d], f.upper[d]);
                // A neighbour that reads in direction -1 lies above.
                int const towards = as_source ? -dir.step[d] : dir.step[d];
                if (towards < 0) m.lower[d] = std::max(m.lower[d], layers);
                if (towards > 0) m.upper[d] = std::max(m.upper[d], layers);
            }
        }
    halo_walls const walls{spec, edges, rank};
    for (int f = 0; f < static_cast<int>(spec.fields.size()); ++f)
        for (int d = 0; d < spec.fields[static_cast<std::size_t>(f)].shape->dims; ++d)
            for (int side : {0, 1})
                if (walls.has_wall(f, d, side)) {
                    auto const k = static_cast<std::size_t>(d);
                    auto const& field = spec.fields[static_cast<std::size_t>(f)];
                    auto& layers = side == 0 ? m.lower[k] : m.upper[k];
                    layers = std::max({layers, field.lower[k], field.upper[k], walls.depth(f, d, side)});
                }
    return m;
}

std::vector<array_model> halo_models(halo_spec const& spec, int rank) {
    std::vector<array_model> list;
    auto const m = margin_of(spec, rank);
    for (auto const& f : spec.fields) {
        auto const& g = *f.shape;
        auto inside = g.owned(rank);
        for (std::size_t d = 0; d < static_cast<std::size_t>(g.dims); ++d) {
            inside[d].lower += m.lower[d];
            inside[d].upper -= m.upper[d];
        }
        list.push_back({.ordinal = static_cast<std::uint32_t>(list.size()),
                        .bytes = g.bytes(rank),
                        .buffered = f.buffered,
                        .owned = layout_of(g, rank, g.owned(rank)),
                        .readable = layout_of(g, rank, g.allocated(rank)),
                        .early = f.buffered ? layout_of(g, rank, inside) : layout{},
                        .shared = spec.shares(f),
                        .memory = f.on_device ? memory_kind::device : memory_kind::host});
    }
    return list;
}

} // namespace sode::internal
