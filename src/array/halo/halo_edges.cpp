// SPDX-License-Identifier: Apache-2.0
#include "array/halo/halo_edges.hpp"

#include "array/block_buffer.hpp"
#include "base/position.hpp"
#include "channel/device_costs.hpp"
#include "model/chooser.hpp"

#include <sode/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <numeric>
#include <utility>

namespace sode::internal {
namespace {

// All step vectors of a field: one dimension at a time, or every combination when corners travel too.
void add_directions(std::vector<halo_edges::direction>& list, int field, halo_spec const& spec) {
    int const dims = spec.fields[pos(field)].shape->dims;
    std::array<int, max_dims> below{}, above{};
    int combinations = 1;
    for (int d = 0; d < dims; ++d) {
        below[pos(d)] = spec.blocks_reached(field, d, 0), above[pos(d)] = spec.blocks_reached(field, d, 1);
        combinations *= below[pos(d)] + 1 + above[pos(d)];
    }
    for (int c = 0; c < combinations; ++c) {
        halo_edges::direction dir{.field = field};
        int moving = 0;
        int rest = c;
        for (int d = dims - 1; d >= 0; --d) {
            int const steps = below[pos(d)] + 1 + above[pos(d)], step = rest % steps - below[pos(d)];
            rest /= steps;
            if (step != 0) ++moving;
            dir.step[pos(d)] = static_cast<std::int8_t>(step);
        }
        if (moving > 0 && (moving == 1 || spec.corners)) list.push_back(dir);
    }
}

std::array<std::uint8_t, max_dims> longest_stride_first(std::array<index_t, max_dims> const& strides, int dims) {
    std::array<std::uint8_t, max_dims> order{};
    std::iota(order.begin(), order.end(), std::uint8_t{0});
    std::stable_sort(order.begin(), std::next(order.begin(), dims), [&](auto a, auto b) { return strides[a] > strides[b]; });
    return order;
}

} // namespace

halo_edges::halo_edges(halo_spec const& spec)
    : edge_set(spec, {.credits = spec.credits,
                      .neighbours = !spec.on_device(),
                      .machine_messages = !spec.on_device(),
                      .on_device = spec.on_device(),
                      .device_messages = spec.device_messages,
                      .puts = !spec.on_device() && (spec.puts_only || spec.forced == &ways::put),
                      .awaited = spec.has_walls()}),
      spec_(spec), forced_(spec.forced_way()), chains_(spec.fields.size()) {
    for (int f = 0; f < static_cast<int>(spec.fields.size()); ++f) {
        add_directions(directions_, f, spec);
        geometry const& g = *spec.fields[pos(f)].shape;
        for (int d = 0; d < g.dims; ++d) {
            axis const& a = g.axes[pos(d)];
            chain& ch = chains_[pos(f)][pos(d)];
            int const n = static_cast<int>(a.bounds.size()) - 1;
            std::vector<int> owners;
            for (int c = 0; c < n; ++c)
                if (a.bounds[pos(c + 1)] > a.bounds[pos(c)]) owners.push_back(c);
            ch.before.assign(pos(n), -1);
            ch.behind.assign(pos(n), -1);
            int const m = static_cast<int>(owners.size());
            for (int i = 0; i < m; ++i) {
                bool const wraps = spec.wraps(f, d);
                if (i > 0 || wraps) ch.before[pos(owners[pos(i)])] = owners[pos((i + m - 1) % m)];
                if (i + 1 < m || wraps) ch.behind[pos(owners[pos(i)])] = owners[pos((i + 1) % m)];
            }
        }
    }
    networks_ = face_networks{between_wired_machines(), spec.costs};
}

// What all ranks give to ranks of other machines, where interfaces reach them: the same for whoever asks.
std::vector<network_edge> halo_edges::between_wired_machines() const {
    std::vector<network_edge> all;
    if (!spec_.wired || forced_) return all;
    for (int rank = 0; rank < spec_.ranks(); ++rank)
        for (int k = 0; k < slots(); ++k) {
            direction const& dir = at(k);
            site const& here = site_of(dir.field, rank);
            auto const there = follow(dir, here, true);
            if (!there || !spec_.by_wire(rank, there->rank)) continue;
            edge e{.source = rank, .target = there->rank, .slot = k};
            measure(e, *there, here);
            if (!e.features.stored) continue; // arrays that others cannot store into
            all.push_back({.source = spec_.machines.of(rank),
                           .target = spec_.machines.of(e.target),
                           .face = halo_spec::class_of(dir.step),
                           .bytes = e.features.bytes,
                           .rows = e.features.rows,
                           .row_bytes = e.features.row_bytes});
        }
    return all;
}

std::optional<halo_edges::link> halo_edges::follow(direction const& dir, site const& from, bool to_target) const {
    if (from.empty()) return std::nullopt;
    auto const& field = spec_.fields[pos(dir.field)];
    geometry const& g = *field.shape;
    auto to = from.coordinates;
    link l;
    for (int d = 0; d < g.dims; ++d) {
        auto const k = pos(d);
        int const step = dir.step[k];
        if (step == 0) continue;
        axis const& a = g.axes[k];
        auto const size = [&](int c) { return a.bounds[pos(c + 1)] - a.bounds[pos(c)]; };
        int const here = a.grid_dim < 0 ? 0 : from.coordinates[pos(a.grid_dim)];
        // The source lies below its target where the target looks down.
        bool const downwards = (step < 0) != to_target;
        auto const& next = downwards ? chains_[pos(dir.field)][k].before : chains_[pos(dir.field)][k].behind;
        int there = here;
        for (int left = std::abs(step); left > 0; --left) {
            int const before = std::exchange(there, next[pos(there)]);
            if (there < 0) return std::nullopt;
            if (downwards ? there >= before : there <= before) l.wrap[k] += step < 0 ? a.extent : -a.extent;
            if (left > 1) l.nearer[k] += size(there);
        }
        l.layers[k] = std::min((step < 0 ? field.lower[k] : field.upper[k]) - l.nearer[k], size(to_target ? here : there));
        if (l.layers[k] <= 0) return std::nullopt;
        if (a.grid_dim >= 0) to[pos(a.grid_dim)] = there;
    }
    l.rank = g.grid.rank_of(to);
    return l;
}

halo_edges::site const& halo_edges::site_of(int field, int rank) const {
    for (auto const& s : sites_)
        if (s.rank == rank && s.field == field) return s;
    geometry const& g = *spec_.fields[pos(field)].shape;
    auto& s = sites_[next_site_++ % sites_.size()];
    s = {.field = field,
         .rank = rank,
         .coordinates = g.grid.coordinates(rank),
         .owned = g.owned(rank),
         .allocated = g.allocated(rank),
         .strides = g.strides(rank),
         .component_bytes = g.components > 1 ? g.component_bytes(rank) : 0};
    s.order = longest_stride_first(s.strides, g.dims);
    return s;
}

void halo_edges::from(int rank, outgoing& result) const {
    auto& all = result.edges;
    all.clear();
    all.reserve(directions_.size());
    std::vector<link> links(directions_.size());
    std::vector<int> order; // slots by target: edges are too large to be sorted themselves
    order.reserve(directions_.size());
    for (int k = 0; k < slots(); ++k)
        if (auto const l = follow(at(k), site_of(at(k).field, rank), true)) links[pos(k)] = *l, order.push_back(k);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return links[pos(a)].rank < links[pos(b)].rank; });
    for (int const k : order) {
        auto& e = all.emplace_back();
        e.source = rank;
        e.target = links[pos(k)].rank;
        e.slot = k;
        measure(e, links[pos(k)], site_of(at(k).field, rank));
    }
    for (std::size_t first = 0, last = 0; first < all.size(); first = last) {
        while (last < all.size() && all[last].target == all[first].target) ++last;
        choose_ways(std::span{all}.subspan(first, last - first));
    }
    result.assign_places();
}

void halo_edges::choose_ways(std::span<edge> of_one_target) const {
    auto& first = of_one_target.front();
    bool const self = first.source == first.target, forced_in_line = forced_ == &ways::in_line;
    if (!self && spec_.share_memory(first.source, first.target) && (!forced_ || forced_in_line)) {
        std::int64_t together = 0;
        for (auto const& e : of_one_target) together += e.features.bytes;
        if (forced_in_line && together > most_in_line)
            throw error{error_kind::usage, fmt::format("{} cannot use channel inline", spec_.name),
                        fmt::format("rank {} sends {} bytes to rank {}, and a cache line holds {} bytes", first.source, together,
                                    first.target, most_in_line),
                        "select another channel, or let the model choose"};
        for (auto& e : of_one_target) e.features.together = together;
    }
    bool const packs_anyway = spec_.forced == &ways::reference || spec_.forced == &ways::mpi_machine;
    if (of_one_target.size() == 1 && !spec_.on_device() && first.features.apart == distance::other_machine && !packs_anyway) {
        first.features.span = span_of(first);
        if (!travels_as_it_lies(first.features, spec_.costs)) first.features.span = 0;
    }
    if (!self && spec_.on_device()) cut_faces(of_one_target);
    auto const* const own_way = spec_.on_device() ? &ways::device_pull : &ways::pull;
    for (auto& e : of_one_target) {
        bool const there =
            e.features.apart != distance::other_machine || networks_.by_interface(halo_spec::class_of(at(e.slot).step));
        auto const* const by_engine = e.features.stored && !forced_ && there ? &ways::put : nullptr;
        e.chosen = choose(e.features, spec_.costs, self ? own_way : by_engine ? by_engine : forced_);
        auto& c = e.chosen;
        if (by_engine) c.forced = false, c.runner_up = c.third = nullptr; // there is nothing else that it can do
        auto const alike = halo_spec::class_of(at(e.slot).step);
        if ((spec_.second_best >> alike & 1U) != 0 && could_go(e, c.runner_up)) {
            std::swap(c.how, c.runner_up);
            std::swap(c.expected, c.instead);
        } else if ((spec_.third_best >> alike & 1U) != 0 && could_go(e, c.third)) {
            std::swap(c.how, c.third);
            std::swap(c.expected, c.third_expected);
        }
    }
    // Those of one ring are cut alike.
    std::int64_t most = 0;
    for (auto const& e : of_one_target)
        if (e.chosen.how->place() == found_in::ring) most = std::max(most, e.features.segment);
    for (auto& e : of_one_target)
        if (e.chosen.how->place() == found_in::ring) e.features.segment = most;
}

void halo_edges::locate(edge& e) const {
    direction const& dir = at(e.slot);
    auto const& field = spec_.fields[pos(dir.field)];
    auto const array = [&](int host) { return block_buffer(field, host, static_cast<std::uint32_t>(dir.field)); };
    e.from = array(e.source);
    e.to = array(e.target);
    e.source_layout = source_layout(e);
    e.target_layout = target_layout(e);
    e.step = dir.step;
    e.dims = static_cast<std::uint8_t>(field.shape->dims);
    e.field = static_cast<std::uint8_t>(dir.field);
}

void halo_edges::into(int rank, std::vector<edge>& result) const {
    result.clear();
    for (int k = 0; k < slots(); ++k) {
        auto const from = source_of(at(k), rank);
        if (!from) continue;
        edge e{.source = from->rank, .target = rank, .slot = k};
        measure(e, *from, site_of(at(k).field, e.source));
        result.push_back(std::move(e));
    }
    std::stable_sort(result.begin(), result.end(), [](edge const& a, edge const& b) { return a.source < b.source; });
}

bool halo_edges::could_go(edge const& e, way const* other) noexcept {
    auto const& c = e.chosen;
    return e.source != e.target && !c.forced && other && c.how->place() != found_in::line && other->place() != found_in::line;
}

std::optional<halo_edges::link> halo_edges::source_of(direction const& d, int target) const {
    return follow(d, site_of(d.field, target), false);
}

bool halo_edges::takes_part(int rank, int slot, bool as_source) const {
    return follow(at(slot), site_of(at(slot).field, rank), as_source).has_value();
}

std::vector<int> halo_edges::others(int rank, bool as_source) const {
    std::vector<int> list;
    for (auto const& dir : directions_)
        if (auto const l = follow(dir, site_of(dir.field, rank), as_source); l && l->rank != rank) list.push_back(l->rank);
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    return list;
}

void halo_edges::measure(edge& e, link const& along, site const& source) const {
    direction const& dir = at(e.slot);
    halo_field const& field = spec_.fields[pos(dir.field)];
    geometry const& g = *field.shape;
    edge_features& f = e.features;
    f.row_bytes = g.element_bytes;
    f.rows = g.components;
    f.pitch = 0;
    bool merging = true;
    for (int d = g.dims - 1; d >= 0; --d) {
        auto const k = source.order[pos(d)];
        if (source.allocated[k].size() == 1) continue; // whatever its stride
        index_t const n = dir.step[k] == 0 ? source.owned[k].size() : along.layers[k];
        merging = merging && source.strides[k] == f.row_bytes;
        if (merging)
            f.row_bytes *= n;
        else {
            if (f.pitch == 0) f.pitch = source.strides[k];
            f.rows *= n;
        }
    }
    if (f.rows > 1 && f.pitch == 0) f.pitch = source.component_bytes;
    f.bytes = f.rows * f.row_bytes;
    f.apart = spec_.apart(e.source, e.target);
    f.acknowledged = !field.buffered || spec_.credits;
    f.shared = spec_.shares(field) || e.source == e.target;
    f.on_device = field.on_device;
    f.far_devices = f.on_device && f.apart != distance::other_machine && spec_.are_far(e.source, e.target);
    f.mpi_takes = f.on_device && f.apart == distance::other_machine && spec_.device_messages;
    f.stored = style().puts && f.shared && e.source != e.target &&
               (f.apart != distance::other_machine || spec_.by_wire(e.source, e.target));
    if (f.on_device) return;
    if (!crosses_pages(f, spec_.costs) && forced_ != &ways::stage_chunks) return;
    auto const back = mirror(e);
    if (!back) return;
    f.chunks = chunks_of(e, *back);
    e.back = back->slot;
}

// What may cross the bus in segments. All of a pair go in one message, but each by a way of its own inside a machine.
void halo_edges::cut_faces(std::span<edge> of_one_target) const {
    std::int64_t together = 0;
    for (auto const& e : of_one_target) together += e.features.bytes;
    for (auto& e : of_one_target) {
        bool const in_message = e.features.apart == distance::other_machine;
        e.features.segment = device_cost::segment_of(e.features, in_message ? together : e.features.bytes, spec_.costs);
    }
}

// The edge that goes the other way: from the target of `e`, and as far into its halo as `e` into this one's.
std::optional<edge> halo_edges::mirror(edge const& e) const {
    direction const& dir = at(e.slot);
    halo_field const& f = spec_.fields[pos(dir.field)];
    for (std::size_t d = 0; d < max_dims; ++d)
        if (dir.step[d] != 0 && f.lower[d] != f.upper[d]) return std::nullopt;
    auto const opposite = std::find_if(directions_.begin(), directions_.end(), [&](direction const& other) {
        bool found = other.field == dir.field;
        for (std::size_t d = 0; d < max_dims; ++d) found = found && other.step[d] == -dir.step[d];
        return found;
    });
    if (opposite == directions_.end() || e.source == e.target) return std::nullopt;
    return edge{.source = e.target, .target = e.source, .slot = static_cast<int>(opposite - directions_.begin())};
}

// Both ends must come to the same number, so all four layouts are looked at, whichever end asks.
std::int64_t halo_edges::chunks_of(edge const& e, edge const& back) const {
    auto const from = source_layout(e), to = target_layout(e), back_from = source_layout(back), back_to = target_layout(back);
    for (auto const* l : {&from, &to, &back_from, &back_to})
        if (l->loops.empty() || l->loops.front().count != from.loops.front().count || l->bytes() != from.bytes()) return 0;
    if (from.loops.front().stride != back_to.loops.front().stride || to.loops.front().stride != back_from.loops.front().stride)
        return 0;
    std::int64_t const count = from.loops.front().count, each = from.bytes() / count;
    std::int64_t rows = std::clamp<std::int64_t>(spec_.costs.chunk_bytes / each, 1, count);
    while (count % rows != 0) --rows;
    return count / rows;
}

// Whether nothing else of this exchange lies between the rows of an edge, and everything that does is our own.
bool halo_edges::keeps_still(edge const& e) const {
    direction const& dir = at(e.slot);
    halo_field const& f = spec_.fields[pos(dir.field)];
    geometry const& g = *f.shape;
    if (!g.brought.empty()) return false;
    auto const count = target_box(e).count;
    site const& there = site_of(dir.field, e.target);
    bool inside = g.components > 1; // of a loop
    for (int n = 0; n < g.dims; ++n) {
        auto const d = there.order[pos(n)];
        auto const moves = [&](direction const& other) { return other.field == dir.field && other.step[d] != 0; };
        bool const filled = f.wall_at(d, 0) || f.wall_at(d, 1); // outside the domain, by the same exchange
        if (inside && count[d] < there.allocated[d].size() &&
            (g.axes[d].full || filled || std::any_of(directions_.begin(), directions_.end(), moves)))
            return false;
        inside = inside || count[d] > 1;
    }
    return true;
}

std::int64_t halo_edges::span_of(edge const& e) const {
    auto const from = source_layout(e), to = target_layout(e);
    if (from.loops.empty() || from.block != to.block || from.loops != to.loops || !keeps_still(e)) return 0;
    auto const [first, last] = from.extent();
    return last - first;
}

halo_edges::ghost_box halo_edges::target_box(edge const& e) const {
    direction const& dir = at(e.slot);
    auto const from = source_of(dir, e.target);
    auto const& owned = site_of(dir.field, e.target).owned;
    ghost_box b;
    for (int d = 0; d < spec_.fields[pos(dir.field)].shape->dims; ++d) {
        auto const k = pos(d);
        int const step = dir.step[k];
        b.count[k] = step == 0 ? owned[k].size() : from ? from->layers[k] : 0;
        b.lower[k] = step < 0 ? owned[k].lower - b.count[k] : step > 0 ? owned[k].upper : owned[k].lower;
        if (from) b.lower[k] += step < 0 ? -from->nearer[k] : from->nearer[k], b.wrap[k] = from->wrap[k];
    }
    return b;
}

// Both ends go through the box in the order in which it lies at the source.
layout halo_edges::box(edge const& e, int rank, ghost_box const& b) const {
    int const field = at(e.slot).field;
    geometry const& g = *spec_.fields[pos(field)].shape;
    auto const order = site_of(field, e.source).order;
    site const& here = site_of(field, rank);
    layout l;
    l.block = g.element_bytes;
    l.loops.reserve(pos(g.dims) + 1);
    if (g.components > 1) l.loops.push_back({g.components, here.component_bytes});
    for (std::size_t k = 0; k < pos(g.dims); ++k) {
        auto const d = order[k];
        l.offset += (b.lower[d] - here.allocated[d].lower) * here.strides[d];
        l.loops.push_back({b.count[d], here.strides[d]});
    }
    return normalised(std::move(l));
}

layout halo_edges::target_layout(edge const& e) const {
    return box(e, e.target, target_box(e));
}

layout halo_edges::source_layout(edge const& e) const {
    auto b = target_box(e);
    for (std::size_t d = 0; d < max_dims; ++d) b.lower[d] += b.wrap[d];
    return box(e, e.source, b);
}

} // namespace sode::internal
