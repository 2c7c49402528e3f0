// SPDX-License-Identifier: Apache-2.0
#include "array/halo/wall_steps.hpp"

#include "array/block_buffer.hpp"
#include "base/position.hpp"
#include "model/chooser.hpp"

#include <algorithm>

namespace sode::internal {
namespace {

using detail::wall_kind;
using image_origin = halo_walls::image::origin;

// One element again and again, as many times as it goes into `bytes`.
layout again_and_again(std::int64_t element, std::int64_t bytes) {
    layout l;
    l.block = element;
    l.loops.push_back({bytes / element, 0});
    return normalised(std::move(l));
}

} // namespace

wall_steps::wall_steps(halo_spec const& spec, halo_edges const& edges, int rank, plan_builder& build)
    : spec_(spec), rank_(rank), build_(build), walls_(spec, edges, rank), fills_(walls_.fills()), awaited_(walls_.awaited()) {}

void wall_steps::emit(std::uint32_t stream, bool waiting) {
    for (auto const& f : fills_)
        if (f.waits == waiting) emit(stream, f);
}

std::uint32_t wall_steps::array_of(halo_walls::part const& of) {
    return build_.add(block_buffer(spec_.fields[pos(of.field)], rank_, static_cast<std::uint32_t>(of.field)));
}

void wall_steps::emit(std::uint32_t stream, halo_walls::fill const& f) {
    auto const target = walls_.at_home(f.of, halo_walls::walk_of(f.ghosts));
    auto const array = array_of(f.of);
    if (f.rule->kind == wall_kind::computed) {
        auto part = f.of; // a function is told of one component at a time
        for (part.count = 1; part.first < f.of.first + f.of.count; ++part.first) {
            auto& calls = build_.target().calls;
            calls.push_back({.array = static_cast<std::uint32_t>(f.of.field),
                             .reads = walls_.at_home(part, halo_walls::walk_of(walls_.looked_at(f))),
                             .writes = walls_.at_home(part, halo_walls::walk_of(f.ghosts))});
            auto& d = build_.emit(stream, operation::call);
            d.dst = d.src = array;
            d.argument = static_cast<std::uint32_t>(calls.size() - 1);
        }
    } else if (f.rule->kind == wall_kind::constant) {
        auto const value = constant(*f.rule);
        build_.copy(stream, operation::copy, array, build_.add(value),
                    compile(again_and_again(value.bytes, target.bytes()), target));
    } else {
        auto program = compile(walls_.at_home(f.of, walls_.source_of(f)), target);
        auto& d = build_.copy(stream, f.rule->negative ? operation::negate : operation::copy, array, array, std::move(program));
        if (f.rule->negative) d.argument = spec_.fields[pos(f.of.field)].element;
    }
}

buffer wall_steps::constant(detail::wall_rule const& rule) {
    auto& all = build_.target().constants;
    auto const bytes = static_cast<std::int64_t>(rule.value.size());
    auto at = std::search(all.begin(), all.end(), rule.value.begin(), rule.value.end());
    constexpr std::ptrdiff_t unit = 8;
    while (at != all.end() && (at - all.begin()) % unit != 0)
        at = std::search(at + 1, all.end(), rule.value.begin(), rule.value.end());
    if (at == all.end()) {
        all.resize((all.size() + unit - 1) / unit * unit);
        at = all.insert(all.end(), rule.value.begin(), rule.value.end());
    }
    return {.host = rank_, .role = buffer_role::constant, .offset = at - all.begin(), .bytes = bytes};
}

void wall_steps::record() {
    auto& p = build_.target();
    for (auto const& i : walls_.images(false)) {
        auto const field = static_cast<std::uint32_t>(i.of.field);
        delivery d{.source_rank = i.source,
                   .source_array = field,
                   .source = {},
                   .target_array = field,
                   .target = walls_.at_home(i.of, i.here),
                   .negated = i.negative,
                   .constant = i.from == image_origin::constant};
        if (d.constant) {
            auto const value = constant(*i.constant);
            d.source = again_and_again(value.bytes, d.target.bytes());
            d.source.offset = value.offset;
        } else {
            d.source = walls_.at(i.source, i.of, i.there, rank_);
        }
        p.deliveries.push_back(std::move(d));
    }
    for (auto const& f : fills_) {
        if (f.waits) continue;
        std::int64_t bytes = 0;
        for (auto const& other : fills_)
            if (other.of.field == f.of.field && other.of.first == f.of.first && other.dim == f.dim && other.side == f.side)
                bytes += walls_.at_home(other.of, halo_walls::walk_of(other.ghosts)).bytes();
        note(f, bytes);
    }
}

void wall_steps::note(halo_walls::fill const& f, std::int64_t bytes) {
    auto const& shape = *spec_.fields[pos(f.of.field)].shape;
    auto const ghosts = classify(walls_.at_home(f.of, halo_walls::walk_of(f.ghosts)));
    bool const backwards = f.rule->kind != wall_kind::constant && f.rule->kind != wall_kind::computed;
    auto const from = backwards ? classify(walls_.at_home(f.of, walls_.source_of(f))) : ghosts;
    edge_features e{};
    e.row_bytes = std::min(ghosts.row_bytes, from.row_bytes);
    e.rows = bytes / std::max<std::int64_t>(e.row_bytes, 1);
    e.pitch = ghosts.pitch;
    e.bytes = bytes;
    e.apart = distance::near;
    e.shared = true;
    edge_note n{.peer = -1,
                .dims = static_cast<std::uint8_t>(shape.dims),
                .field = static_cast<std::uint8_t>(f.of.field),
                .kind = pattern_of(e, spec_.costs),
                .rows = e.rows,
                .row_bytes = e.row_bytes,
                .chosen = name_of(*f.rule),
                .expected = ways::pull.cost(e, spec_.costs),
                .runner_up = {},
                .outside = true};
    n.direction[pos(f.dim)] = f.side == 0 ? -1 : 1;
    build_.target().notes.push_back(n);
}

std::vector<plan_calls::function> wall_functions(halo_spec const& spec, int rank) {
    std::vector<plan_calls::function> list;
    halo_edges const edges{spec};
    halo_walls const walls{spec, edges, rank};
    for (auto const& f : walls.fills()) {
        if (f.rule->kind != wall_kind::computed) continue;
        auto const& g = *spec.fields[pos(f.of.field)].shape;
        auto const owned = g.owned(rank), allocated = g.allocated(rank);
        detail::ghost_box box{.dim = f.dim, .side = f.side, .strides = g.strides(rank)};
        auto const& inside = owned[pos(f.dim)];
        box.edge = f.side == 0 ? inside.lower : inside.upper - 1;
        for (int d = 0; d < g.dims; ++d) {
            auto const k = pos(d);
            box.origin[k] = allocated[k].lower;
            box.lower[k] = f.ghosts[k].lower;
            box.upper[k] = f.ghosts[k].upper;
            if (spec.wraps(f.of.field, d)) box.period[k] = g.axes[k].extent;
        }
        for (index_t c = f.of.first; c < f.of.first + f.of.count; ++c) {
            box.component = c;
            list.emplace_back([box, apart = c * g.component_bytes(rank), set = f.rule->function](std::byte* array) mutable {
                box.first = array + apart;
                set->fill(box);
            });
        }
    }
    return list;
}

} // namespace sode::internal
