// SPDX-License-Identifier: Apache-2.0
#include "array/site.hpp"

namespace sode::internal {

site site_of(geometry const& g, int rank) {
    site s{.dims = g.dims,
           .strides = g.strides(rank),
           .element_bytes = g.element_bytes,
           .components = g.components,
           .component_bytes = g.component_bytes(rank)};
    auto const block = g.allocated(rank);
    for (std::size_t d = 0; d < static_cast<std::size_t>(g.dims); ++d) s.lower[d] = block[d].lower;
    return s;
}

layout layout_of(site const& s, std::span<stretch const> along) {
    layout l;
    l.block = s.element_bytes;
    if (s.components > 1) l.loops.push_back({s.components, s.component_bytes});
    for (std::size_t d = 0; d < along.size(); ++d) {
        auto const& a = along[d];
        l.offset += (a.place - s.lower[d]) * s.strides[d];
        l.loops.push_back({a.count, a.recurs * s.strides[d]});
        l.loops.push_back({a.length, a.step * s.strides[d]});
    }
    return normalised(std::move(l));
}

layout layout_of(geometry const& g, int rank, geometry::block const& places) {
    std::array<stretch, max_dims> along;
    auto const dims = static_cast<std::size_t>(g.dims);
    for (std::size_t d = 0; d < dims; ++d) {
        if (places[d].size() == 0) return {};
        along[d] = {.place = places[d].lower, .length = places[d].size()};
    }
    return layout_of(site_of(g, rank), std::span{along}.first(dims));
}

} // namespace sode::internal
