// SPDX-License-Identifier: Apache-2.0
#include "array/halo/halo_edges.hpp"
#include "array/halo/halo_plan.hpp"
#include "array/site.hpp"

#include <algorithm>

namespace sode {

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
                        .early = f.buffered ? layout_of(g, rank, inside) : layout{}});
    }
    return list;
}

} // namespace sode
