// SPDX-License-Identifier: Apache-2.0
#include "array/halo/reverse_plan.hpp"

#include "array/halo/halo_plan.hpp"
#include "array/halo/reverse_edges.hpp"
#include "array/site.hpp"
#include "pattern/plan_edges.hpp"

#include <algorithm>

namespace sode::internal {
namespace {

// What may be combined into: the block but for its inside, in pieces that do not overlap.
std::vector<geometry::block> rim_of(geometry const& g, int rank, halo_margin const& m) {
    std::vector<geometry::block> slabs;
    auto rest = g.owned(rank);
    for (std::size_t d = 0; d < static_cast<std::size_t>(g.dims) && rest[0].size() > 0; ++d) {
        auto low = rest, high = rest;
        low[d].upper = std::min(rest[d].lower + m.lower[d], rest[d].upper);
        high[d].lower = std::max(rest[d].upper - m.upper[d], low[d].upper);
        for (auto const& s : {low, high})
            if (s[d].size() > 0) slabs.push_back(s);
        rest[d] = {low[d].upper, high[d].lower};
        if (rest[d].size() == 0) break;
    }
    return slabs;
}

} // namespace

std::uint64_t reverse_spec::fingerprint() const noexcept {
    std::uint64_t hash = halo->fingerprint() ^ 0x72657665727365;
    for (auto const e : elements) hash = hash * 0x100000001b3 + combiner(op, e);
    return hash;
}

plan build_reverse(reverse_spec const& spec, int rank) {
    reverse_edges const edges{spec};
    plan_builder build{edges.terms().name, rank, edges.terms().ranks()};
    // The block's own values are never lost.
    auto const margin = margin_of(*spec.halo, rank);
    for (std::uint32_t f = 0; f < spec.halo->fields.size(); ++f) {
        auto const& g = *spec.halo->fields[f].shape;
        for (auto const& slab : rim_of(g, rank, margin)) {
            auto const own = layout_of(g, rank, slab);
            build.target().deliveries.push_back(
                {.source_rank = rank, .source_array = f, .source = own, .target_array = f, .target = own});
        }
    }
    steps_beside none;
    return plan_edges(edges, build, none);
}

std::vector<array_model> reverse_models(reverse_spec const& spec, int rank) {
    std::vector<array_model> list;
    for (auto const& f : spec.halo->fields) {
        auto const& g = *f.shape;
        auto const all = layout_of(g, rank, g.allocated(rank));
        list.push_back({.ordinal = static_cast<std::uint32_t>(list.size()),
                        .bytes = g.bytes(rank),
                        .buffered = f.buffered,
                        .owned = all,
                        .readable = all,
                        .early = f.buffered ? all : layout{},
                        .shared = g.shared()});
    }
    return list;
}

} // namespace sode::internal
