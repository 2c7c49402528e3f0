// SPDX-License-Identifier: Apache-2.0
#include "array/halo/halo_walls.hpp"

#include "base/position.hpp"

#include <algorithm>
#include <numeric>

namespace sode::internal {
namespace {

using detail::wall_kind;

bool copies_elements(wall_kind k) noexcept {
    return k == wall_kind::nearest || k == wall_kind::mirror || k == wall_kind::mirror_at_point;
}

// Along one dimension: where ghost elements [lower, upper) outside are copied from. `edge`: the outermost index inside.
void turn_back(detail::wall_rule const& rule, index_t edge, geometry::span const& ghosts, index_t& first, std::int8_t& step) {
    first = rule.kind == wall_kind::nearest ? edge : 2 * edge - ghosts.lower;
    if (rule.kind == wall_kind::mirror) first += ghosts.lower < edge ? -1 : 1;
    step = rule.kind == wall_kind::nearest ? 0 : -1;
}

} // namespace

index_t depth_of(detail::wall_rule const& rule, index_t layers) noexcept {
    switch (rule.kind) {
    case wall_kind::nearest: return 1;
    case wall_kind::mirror: return layers;
    case wall_kind::mirror_at_point: return layers + 1;
    case wall_kind::computed: return rule.depth;
    default: return 0;
    }
}

std::string_view name_of(detail::wall_rule const& rule) noexcept {
    switch (rule.kind) {
    case wall_kind::untouched: return "untouched";
    case wall_kind::constant: return "constant";
    case wall_kind::nearest: return "nearest";
    case wall_kind::mirror: return rule.negative ? "-mirror" : "mirror";
    case wall_kind::mirror_at_point: return rule.negative ? "-mirror at point" : "mirror at point";
    case wall_kind::computed: return "computed";
    case wall_kind::periodic: return "periodic";
    }
    return "unknown";
}

index_t halo_walls::layers(int field, int dim, int side) const {
    auto const& f = spec_.fields[pos(field)];
    return side == 0 ? f.lower[pos(dim)] : f.upper[pos(dim)];
}

detail::wall_rule const* halo_walls::rule_of(part const& of, int dim, int side) const {
    auto const* w = spec_.fields[pos(of.field)].wall_at(dim, side);
    if (!w) return nullptr;
    auto const& rule = (*w)[w->size() == 1 ? 0 : static_cast<std::size_t>(of.first)];
    return rule.kind == wall_kind::untouched ? nullptr : &rule;
}

halo_walls::beyond halo_walls::what_is(part const& of, int dim, int side) const {
    if (layers(of.field, dim, side) == 0) return beyond::nothing;
    halo_edges::direction towards{.field = of.field};
    towards.step[pos(dim)] = side == 0 ? -1 : 1;
    if (auto const s = edges_.source_of(towards, rank_)) return s->rank == rank_ ? beyond::itself : beyond::neighbour;
    return rule_of(of, dim, side) ? beyond::wall : beyond::nothing;
}

bool halo_walls::has_wall(int field, int dim, int side) const {
    auto const all = parts();
    return std::ranges::any_of(all, [&](part const& of) { return of.field == field && what_is(of, dim, side) == beyond::wall; });
}

index_t halo_walls::depth(int field, int dim, int side) const {
    index_t most = 0;
    for (auto const& of : parts())
        if (of.field == field && what_is(of, dim, side) == beyond::wall)
            most = std::max(most, depth_of(*rule_of(of, dim, side), layers(field, dim, side)));
    return most;
}

// The components of a field together, unless some side tells them apart.
std::vector<halo_walls::part> halo_walls::parts() const {
    std::vector<part> list;
    for (int f = 0; f < static_cast<int>(spec_.fields.size()); ++f) {
        auto const& field = spec_.fields[pos(f)];
        if (!field.walls || field.shape->owned(rank_)[0].size() == 0) continue;
        bool const each = std::any_of(field.walls->begin(), field.walls->end(),
                                      [](auto const& sides) { return sides[0].size() > 1 || sides[1].size() > 1; });
        index_t const count = each ? 1 : field.shape->components;
        for (index_t c = 0; c < field.shape->components; c += count) list.push_back({f, c, count});
    }
    return list;
}

std::vector<halo_walls::fill> halo_walls::fills() const {
    std::vector<fill> list;
    for (auto const& of : parts())
        for (int d = 0; d < spec_.fields[pos(of.field)].shape->dims; ++d)
            for (int side : {0, 1})
                if (what_is(of, d, side) == beyond::wall) add_fills(of, d, side, list);
    std::stable_partition(list.begin(), list.end(), [](fill const& f) { return !f.waits; });
    return list;
}

void halo_walls::add_fills(part const& of, int dim, int side, std::vector<fill>& list) const {
    auto const& g = *spec_.fields[pos(of.field)].shape;
    // Everything that is there along the other dimensions, and what of that is there before others have brought anything.
    auto all = g.owned(rank_);
    auto& outside = all[pos(dim)];
    index_t const n = layers(of.field, dim, side);
    outside = side == 0 ? geometry::span{outside.lower - n, outside.lower} : geometry::span{outside.upper, outside.upper + n};
    auto early = all;
    for (int k = 0; k < g.dims && spec_.corners; ++k)
        for (int s : {0, 1}) {
            if (k == dim) continue;
            auto const there = what_is(of, k, s);
            if (there == beyond::nothing || (there == beyond::wall && k > dim)) continue;
            for (auto* b : {&all, &early}) {
                if (there == beyond::neighbour && b == &early) continue;
                if (s == 0)
                    (*b)[pos(k)].lower -= layers(of.field, k, s);
                else
                    (*b)[pos(k)].upper += layers(of.field, k, s);
            }
        }
    fill f{.of = of, .dim = dim, .side = side, .rule = rule_of(of, dim, side), .ghosts = early};
    list.push_back(f);
    f.waits = true;
    for (int k = 0; k < g.dims; ++k)
        for (int s : {0, 1}) {
            f.ghosts = all;
            auto& cut = f.ghosts[pos(k)];
            if (s == 0)
                cut.upper = early[pos(k)].lower;
            else
                cut.lower = early[pos(k)].upper;
            if (cut.size() > 0) list.push_back(f);
            if (s == 1) all[pos(k)] = early[pos(k)];
        }
}

std::vector<int> halo_walls::awaited() const {
    std::vector<int> list;
    for (auto const& f : fills()) {
        if (!f.waits || f.rule->kind == wall_kind::constant) continue;
        auto const& g = *spec_.fields[pos(f.of.field)].shape;
        auto const owned = g.owned(rank_);
        // Every direction in which the box reaches into a neighbour's elements, and not into what was filled before.
        std::vector<halo_edges::direction> towards{{.field = f.of.field}};
        for (int d = 0; d < g.dims; ++d) {
            if (d == f.dim) continue;
            auto const k = pos(d);
            std::vector<halo_edges::direction> next;
            for (auto way : towards) {
                if (f.ghosts[k].lower < owned[k].upper && f.ghosts[k].upper > owned[k].lower) next.push_back(way);
                for (int side : {0, 1}) {
                    bool const reaches = side == 0 ? f.ghosts[k].lower < owned[k].lower : f.ghosts[k].upper > owned[k].upper;
                    if (!reaches || what_is(f.of, d, side) == beyond::wall) continue;
                    way.step[k] = side == 0 ? -1 : 1;
                    next.push_back(way);
                }
            }
            towards = std::move(next);
        }
        for (auto const& way : towards)
            if (auto const s = edges_.source_of(way, rank_); s && s->rank != rank_) list.push_back(s->rank);
    }
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    return list;
}

wall_walk halo_walls::walk_of(geometry::block const& b) {
    wall_walk w;
    for (std::size_t d = 0; d < max_dims; ++d) w.first[d] = b[d].lower, w.count[d] = b[d].size(), w.step[d] = 1;
    return w;
}

wall_walk halo_walls::source_of(fill const& f) const {
    auto w = walk_of(f.ghosts);
    auto const owned = spec_.fields[pos(f.of.field)].shape->owned(rank_);
    auto const& inside = owned[pos(f.dim)];
    turn_back(*f.rule, f.side == 0 ? inside.lower : inside.upper - 1, f.ghosts[pos(f.dim)], w.first[pos(f.dim)],
              w.step[pos(f.dim)]);
    return w;
}

geometry::block halo_walls::looked_at(fill const& f) const {
    auto b = f.ghosts;
    auto const owned = spec_.fields[pos(f.of.field)].shape->owned(rank_);
    auto const& inside = owned[pos(f.dim)];
    b[pos(f.dim)] = f.side == 0 ? geometry::span{inside.lower, inside.lower + f.rule->depth}
                                : geometry::span{inside.upper - f.rule->depth, inside.upper};
    return b;
}

std::vector<halo_walls::image> halo_walls::images(bool apart) const {
    std::vector<image> list;
    for (auto const& of : parts()) {
        int const dims = spec_.fields[pos(of.field)].shape->dims;
        int combinations = 1;
        for (int d = 0; d < dims; ++d) combinations *= 3;
        for (int c = 0; c < combinations; ++c) {
            std::array<std::int8_t, max_dims> step{};
            int outside = 0;
            bool there = true, walled = false;
            for (int d = dims - 1, rest = c; d >= 0; --d, rest /= 3) {
                step[pos(d)] = static_cast<std::int8_t>(rest % 3 - 1);
                if (step[pos(d)] == 0) continue;
                ++outside;
                auto const what = what_is(of, d, step[pos(d)] < 0 ? 0 : 1);
                there = there && what != beyond::nothing;
                walled = walled || what == beyond::wall;
            }
            if (there && walled && (outside == 1 || spec_.corners)) add_images(of, step, apart, list);
        }
    }
    return list;
}

void halo_walls::add_images(part const& of, std::array<std::int8_t, max_dims> const& step, bool apart,
                            std::vector<image>& list) const {
    auto const& g = *spec_.fields[pos(of.field)].shape;
    auto const owned = g.owned(rank_);
    auto box = owned;
    halo_edges::direction brought{.field = of.field}; // what of it lies at a neighbour
    std::array<detail::wall_rule const*, max_dims> rules{};
    for (int d = 0; d < g.dims; ++d) {
        auto const k = pos(d);
        if (step[k] == 0) continue;
        int const side = step[k] < 0 ? 0 : 1;
        index_t const n = layers(of.field, d, side);
        box[k] =
            side == 0 ? geometry::span{owned[k].lower - n, owned[k].lower} : geometry::span{owned[k].upper, owned[k].upper + n};
        if (what_is(of, d, side) == beyond::wall)
            rules[k] = rule_of(of, d, side);
        else
            brought.step[k] = step[k];
    }
    image i{.of = of, .step = step, .source = rank_, .there = walk_of(box), .here = walk_of(box)};
    int layered = -1; // the dimension whose layers all have the same source
    // What the last dimension makes of what those before it have made.
    for (int d = g.dims - 1; d >= 0 && i.from == image::origin::element; --d) {
        auto const k = pos(d);
        if (!rules[k]) continue;
        if (copies_elements(rules[k]->kind)) {
            turn_back(*rules[k], step[k] < 0 ? owned[k].lower : owned[k].upper - 1, box[k], i.there.first[k], i.there.step[k]);
            i.negative ^= rules[k]->negative;
            i.copied_by = name_of(*rules[k]);
            if (i.there.step[k] == 0 && i.here.count[k] > 1) layered = d;
            continue;
        }
        i.from = rules[k]->kind == wall_kind::constant ? image::origin::constant : image::origin::call;
        i.constant = rules[k];
    }
    if (i.from == image::origin::element && std::any_of(brought.step.begin(), brought.step.end(), [](auto s) { return s != 0; })) {
        auto const s = edges_.source_of(brought, rank_);
        if (!s) return;
        i.source = s->rank;
        for (std::size_t k = 0; k < max_dims; ++k) i.there.first[k] += s->wrap[k];
    }
    if (!apart || layered < 0) return list.push_back(i);
    // One image for each combination of such layers.
    std::vector<image> pieces{i};
    for (std::size_t k = 0; k < max_dims; ++k) {
        if (i.there.step[k] != 0 || i.here.count[k] <= 1) continue;
        std::vector<image> next;
        for (auto p : pieces) {
            p.here.count[k] = p.there.count[k] = 1;
            for (index_t n = 0; n < i.here.count[k]; ++n, ++p.here.first[k]) next.push_back(p);
        }
        pieces = std::move(next);
    }
    list.insert(list.end(), pieces.begin(), pieces.end());
}

layout halo_walls::at(int rank, part const& of, wall_walk const& w, int ordered_by) const {
    auto const& g = *spec_.fields[pos(of.field)].shape;
    auto const strides = g.strides(rank);
    auto const order_of = g.strides(ordered_by);
    auto const allocated = g.allocated(rank);
    std::vector<std::size_t> order(pos(g.dims));
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return order_of[a] > order_of[b]; });
    layout l;
    l.block = g.element_bytes;
    if (g.components > 1) {
        auto const apart = g.component_bytes(rank);
        l.offset = of.first * apart;
        l.loops.push_back({of.count, apart});
    }
    for (auto const d : order) {
        l.offset += (w.first[d] - allocated[d].lower) * strides[d];
        l.loops.push_back({w.count[d], w.step[d] * strides[d]});
    }
    return normalised(std::move(l));
}

} // namespace sode::internal
