// SPDX-License-Identifier: Apache-2.0
#include "array/copy/copy_plan.hpp"

#include "array/copy/copy_edges.hpp"
#include "array/site.hpp"
#include "pattern/plan_edges.hpp"

namespace sode::internal {
namespace {

array_model model_of(copy_side const& s, int rank, std::uint32_t ordinal) {
    auto const& g = *s.shape;
    return {.ordinal = ordinal,
            .bytes = g.bytes(rank),
            .buffered = s.buffered,
            .owned = layout_of(g, rank, g.owned(rank)),
            .readable = layout_of(g, rank, g.owned(rank)),
            .shared = g.shared()};
}

} // namespace

plan build_copy(copy_spec const& spec, int rank) {
    return plan_edges(copy_edges{spec}, rank);
}

std::vector<array_model> copy_models(copy_spec const& spec, int rank) {
    if (spec.in_place) {
        auto all = model_of(spec.from, rank, copy_edges::target_array);
        if (all.bytes > 0) all.readable = layout_of(*spec.to.shape, rank, spec.to.shape->owned(rank));
        return {all};
    }
    std::vector<array_model> list{model_of(spec.to, rank, copy_edges::target_array)};
    if (!spec.one_array) list.push_back(model_of(spec.from, rank, copy_edges::source_array));
    return list;
}

} // namespace sode::internal
