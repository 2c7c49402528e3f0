// SPDX-License-Identifier: Apache-2.0
#include "channel/moves.hpp"

#include <algorithm>

namespace sode::internal {
namespace {

// A copy between a user's array and something else, before it becomes a descriptor.
struct array_copy {
    copy_program program;
    buffer array;
};

std::vector<array_copy> with_twins_fused(std::vector<array_copy> list) {
    constexpr index_t longest_row = 32;
    std::vector<array_copy> result;
    std::vector<bool> taken(list.size());
    for (std::size_t i = 0; i < list.size(); ++i) {
        if (taken[i]) continue;
        array_copy mine = std::move(list[i]);
        for (std::size_t j = i + 1; j < list.size() && mine.program.block <= longest_row && mine.program.loop_count > 0; ++j) {
            if (taken[j] || list[j].array.ordinal != mine.array.ordinal) continue;
            if (auto both = fuse(mine.program, list[j].program)) {
                mine.program = *both;
                taken[j] = true;
                break;
            }
        }
        result.push_back(std::move(mine));
    }
    return result;
}

void combine(plan_builder& b, std::uint32_t stream, edge const& e, buffer const& where, layout const& box) {
    auto const from = b.add(where), to = b.add(e.to);
    int const peer = where.role == buffer_role::scratch || e.source == e.target ? -1 : e.source;
    auto const reduce = [&](std::uint32_t source, layout const& l, int other) {
        b.copy(stream, operation::reduce, to, source, compile(l, e.target_layout), other).argument = e.combiner;
    };
    if (!e.negated) return reduce(from, box, peer);
    auto const turned = b.add(private_place(b, e.features.bytes));
    auto const packed = contiguous(0, e.features.bytes);
    b.copy(stream, operation::negate, turned, from, compile(box, packed), peer).argument = e.element;
    reduce(turned, packed, -1);
}

layout place_of(edge const& e, std::int64_t first) {
    return contiguous(e.place - first, e.features.bytes);
}

bool stays_in_its_array(edge const& e) {
    return e.source == e.target && e.from.ordinal == e.to.ordinal;
}

} // namespace

void gather(plan_builder& b, std::uint32_t stream, edge_span edges, buffer const& target, std::int64_t first) {
    if (edges.empty()) return;
    auto const into = b.add(target);
    std::vector<array_copy> list;
    for (auto const* e : edges) list.push_back({compile(e->source_layout, place_of(*e, first)), e->from});
    for (auto& c : with_twins_fused(std::move(list))) b.copy(stream, operation::pack, into, b.add(c.array), std::move(c.program));
}

void scatter(plan_builder& b, std::uint32_t stream, edge_span edges, buffer const& source, int peer, std::int64_t first) {
    std::vector<array_copy> list;
    for (auto const* e : edges)
        if (e->combines)
            combine(b, stream, *e, source, place_of(*e, first));
        else
            list.push_back({compile(place_of(*e, first), e->target_layout), e->to});
    if (list.empty()) return;
    auto const from = b.add(source);
    for (auto& c : with_twins_fused(std::move(list)))
        b.copy(stream, operation::unpack, b.add(c.array), from, std::move(c.program), peer);
}

void fetch(plan_builder& b, std::uint32_t stream, edge_span edges) {
    std::vector<array_copy> own;
    for (auto const* e : edges)
        if (e->combines)
            combine(b, stream, *e, e->from, e->source_layout);
        else if (stays_in_its_array(*e))
            own.push_back({compile(e->source_layout, e->target_layout), e->to});
        else
            b.copy(stream, operation::copy, b.add(e->to), b.add(e->from), compile(e->source_layout, e->target_layout),
                   e->source == e->target ? -1 : e->source);
    for (auto& c : with_twins_fused(std::move(own))) {
        auto const array = b.add(c.array);
        b.copy(stream, operation::copy, array, array, std::move(c.program));
    }
}

void store(plan_builder& b, std::uint32_t stream, edge_span edges) {
    for (auto const* e : edges)
        b.copy(stream, operation::copy, b.add(e->to), b.add(e->from), compile(e->source_layout, e->target_layout), e->target);
}

} // namespace sode::internal
