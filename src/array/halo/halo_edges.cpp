// SPDX-License-Identifier: Apache-2.0
#include "array/halo/halo_edges.hpp"

#include "channel/mpi/message.hpp"

#include <sode/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>

namespace sode {
namespace {

std::size_t pos(int i) noexcept {
    return static_cast<std::size_t>(i);
}

// All step vectors of a field: one dimension at a time, or every combination when corners travel too.
void add_directions(std::vector<halo_edges::direction>& list, int field, halo_spec const& spec) {
    auto const& f = spec.fields[pos(field)];
    int const dims = f.shape->dims;
    std::array<bool, max_dims> moves{};
    for (int d = 0; d < dims; ++d) {
        axis const& a = f.shape->axes[pos(d)];
        bool const spread = a.grid_dim >= 0 && a.bounds.size() > 2;
        moves[pos(d)] = (spread || spec.periodic[pos(d)]) && (f.lower[pos(d)] > 0 || f.upper[pos(d)] > 0);
    }
    int combinations = 1;
    for (int d = 0; d < dims; ++d) combinations *= 3;
    for (int c = 0; c < combinations; ++c) {
        halo_edges::direction dir{.field = field};
        int moving = 0;
        bool possible = true;
        int rest = c;
        for (int d = dims - 1; d >= 0; --d, rest /= 3) {
            int const step = rest % 3 - 1;
            if (step == 0) continue;
            ++moving;
            possible = possible && moves[pos(d)] && (step < 0 ? f.lower[pos(d)] : f.upper[pos(d)]) > 0;
            dir.step[pos(d)] = static_cast<std::int8_t>(step);
        }
        if (possible && moving > 0 && (moving == 1 || spec.corners)) list.push_back(dir);
    }
}

std::array<std::uint8_t, max_dims> longest_stride_first(std::array<index_t, max_dims> const& strides, int dims) {
    std::array<std::uint8_t, max_dims> order{};
    std::iota(order.begin(), order.end(), std::uint8_t{0});
    std::stable_sort(order.begin(), std::next(order.begin(), dims), [&](auto a, auto b) { return strides[a] > strides[b]; });
    return order;
}

std::optional<method> forced_in(halo_spec const& spec) {
    auto const forced = forced_over(spec.nodes, spec.forced);
    return forced == method::reference && !spec.shares_fields() ? method::stage : forced;
}

} // namespace

halo_edges::halo_edges(halo_spec const& spec) : spec_(spec), forced_(forced_in(spec)), chains_(spec.fields.size()) {
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
                bool const wraps = spec.periodic[pos(d)];
                if (i > 0 || wraps) ch.before[pos(owners[pos(i)])] = owners[pos((i + m - 1) % m)];
                if (i + 1 < m || wraps) ch.behind[pos(owners[pos(i)])] = owners[pos((i + 1) % m)];
            }
        }
    }
}

bool halo_edges::neighbour(direction const& dir, std::array<int, max_dims> const& from, bool to_target, int& rank,
                           std::array<index_t, max_dims>& wrap) const {
    geometry const& g = *spec_.fields[pos(dir.field)].shape;
    auto to = from;
    for (int d = 0; d < g.dims; ++d) {
        int const step = dir.step[pos(d)];
        wrap[pos(d)] = 0;
        if (step == 0) continue;
        axis const& a = g.axes[pos(d)];
        int const here = a.grid_dim < 0 ? 0 : from[pos(a.grid_dim)];
        // The source lies below its target where the target looks down.
        bool const downwards = (step < 0) != to_target;
        int const there =
            downwards ? chains_[pos(dir.field)][pos(d)].before[pos(here)] : chains_[pos(dir.field)][pos(d)].behind[pos(here)];
        if (there < 0) return false;
        if (downwards ? there >= here : there <= here) wrap[pos(d)] = step < 0 ? a.extent : -a.extent;
        if (a.grid_dim >= 0) to[pos(a.grid_dim)] = there;
    }
    rank = g.grid.rank_of(to);
    return true;
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
    result.items.clear();
    result.stage_bytes = 0;
    for (int k = 0; k < slots(); ++k) {
        direction const& dir = at(k);
        site const& here = site_of(dir.field, rank);
        item i{.slot = k, .source = rank};
        if (here.empty() || !neighbour(dir, here.coordinates, true, i.target, i.wrap)) continue;
        measure(i, here);
        result.items.push_back(i);
    }
    std::stable_sort(result.items.begin(), result.items.end(), [](item const& a, item const& b) { return a.target < b.target; });
    for (auto first = result.items.begin(); first != result.items.end();) {
        auto last = first;
        std::int64_t together = 0;
        for (; last != result.items.end() && last->target == first->target; ++last) together += last->features.bytes;
        bool const by_memory = spec_.share_memory(rank, first->target);
        bool const forced_in_line = forced_ == method::in_line && first->target != rank && by_memory;
        if (forced_in_line && together > most_in_line)
            throw error{
                error_kind::usage, fmt::format("{} cannot travel in line", spec_.name),
                fmt::format("rank {} sends {} bytes to rank {}, and a line holds {}", rank, together, first->target, most_in_line),
                "force another channel, or none"};
        bool const fits = together <= most_in_line && first->target != rank && by_memory && (!forced_ || forced_in_line);
        bool const packs_anyway = spec_.forced == method::reference || spec_.forced == method::node_message;
        if (std::next(first) == last && first->features.apart == distance::other_node && !packs_anyway)
            first->features.span = span_of(*first);
        std::int64_t in_payload = 0;
        for (auto i = first; i != last; ++i) {
            i->first_slot = first->slot;
            i->together = together;
            if (fits) {
                choice const next = choose(i->features, spec_.costs, std::nullopt);
                i->chosen = {method::in_line, predict(i->features, method::in_line, spec_.costs), next.how, next.expected_us,
                             forced_.has_value()};
                i->stage_offset = in_payload;
                in_payload += i->features.bytes;
                continue;
            }
            i->chosen = choose(i->features, spec_.costs, i->target == rank ? std::optional{method::pull} : forced_);
        }
        first = last;
    }
    // What goes by wide copies lies together, so that no wide copy runs over what others have packed in between.
    for (auto how : {method::stage, method::stage_wide, method::stage_chunks})
        for (auto& i : result.items)
            if (i.chosen.how == how) {
                i.stage_offset = result.stage_bytes;
                result.stage_bytes += stage_room(i.features.bytes);
            }
}

void halo_edges::into(int rank, std::vector<item>& result) const {
    result.clear();
    for (int k = 0; k < slots(); ++k) {
        direction const& dir = at(k);
        site const& here = site_of(dir.field, rank);
        item i{.slot = k, .target = rank};
        if (here.empty() || !neighbour(dir, here.coordinates, false, i.source, i.wrap)) continue;
        measure(i, site_of(dir.field, i.source));
        result.push_back(i);
    }
    std::stable_sort(result.begin(), result.end(), [](item const& a, item const& b) { return a.source < b.source; });
}

bool halo_edges::takes_part(int rank, int slot, bool as_source) const {
    site const& here = site_of(at(slot).field, rank);
    std::array<index_t, max_dims> wrap{};
    int other = -1;
    return !here.empty() && neighbour(at(slot), here.coordinates, as_source, other, wrap);
}

std::vector<int> halo_edges::others(int rank, bool as_source) const {
    std::vector<int> list;
    std::array<index_t, max_dims> wrap{};
    for (auto const& dir : directions_) {
        site const& here = site_of(dir.field, rank);
        int other = -1;
        if (!here.empty() && neighbour(dir, here.coordinates, as_source, other, wrap) && other != rank) list.push_back(other);
    }
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    return list;
}

void halo_edges::measure(item& i, site const& s) const {
    direction const& dir = at(i.slot);
    halo_field const& f = spec_.fields[pos(dir.field)];
    geometry const& g = *f.shape;
    edge_features& e = i.features;
    e.row_bytes = g.element_bytes;
    e.rows = g.components;
    e.pitch = 0;
    bool merging = true;
    for (int d = g.dims - 1; d >= 0; --d) {
        auto const k = s.order[pos(d)];
        if (s.allocated[k].size() == 1) continue; // whatever its stride
        index_t const n = dir.step[k] == 0 ? s.owned[k].size() : dir.step[k] < 0 ? f.lower[k] : f.upper[k];
        merging = merging && s.strides[k] == e.row_bytes;
        if (merging)
            e.row_bytes *= n;
        else {
            if (e.pitch == 0) e.pitch = s.strides[k];
            e.rows *= n;
        }
    }
    if (e.rows > 1 && e.pitch == 0) e.pitch = s.component_bytes;
    e.bytes = e.rows * e.row_bytes;
    e.apart = i.source == i.target                     ? distance::near
              : spec_.share_memory(i.source, i.target) ? between(spec_.distances, i.source, i.target)
                                                       : distance::other_node;
    e.acknowledged = !f.buffered || spec_.credits;
    e.shared = g.shared() || i.source == i.target;
    if (crosses_pages(e, spec_.costs) || forced_ == method::stage_chunks) e.chunks = chunks_of(i);
}

std::optional<halo_edges::item> halo_edges::mirror(item const& i) const {
    direction const& dir = at(i.slot);
    halo_field const& f = spec_.fields[pos(dir.field)];
    for (std::size_t d = 0; d < max_dims; ++d)
        if (dir.step[d] != 0 && f.lower[d] != f.upper[d]) return std::nullopt;
    auto const opposite = std::find_if(directions_.begin(), directions_.end(), [&](direction const& other) {
        bool found = other.field == dir.field;
        for (std::size_t d = 0; d < max_dims; ++d) found = found && other.step[d] == -dir.step[d];
        return found;
    });
    if (opposite == directions_.end() || i.source == i.target) return std::nullopt;
    item back{.slot = static_cast<int>(opposite - directions_.begin()), .source = i.target, .target = i.source};
    for (std::size_t d = 0; d < max_dims; ++d) back.wrap[d] = -i.wrap[d];
    return back;
}

// Both ends must come to the same number, so all four layouts are looked at, whichever end asks.
std::int64_t halo_edges::chunks_of(item const& i) const {
    auto const back = mirror(i);
    if (!back) return 0;
    auto const from = source_layout(i), to = target_layout(i), back_from = source_layout(*back), back_to = target_layout(*back);
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
bool halo_edges::keeps_still(item const& i) const {
    direction const& dir = at(i.slot);
    halo_field const& f = spec_.fields[pos(dir.field)];
    geometry const& g = *f.shape;
    if (!g.brought.empty()) return false;
    std::array<index_t, max_dims> lower{}, count{};
    target_box(i, lower, count);
    site const& there = site_of(dir.field, i.target);
    bool inside = g.components > 1; // of a loop
    for (int n = 0; n < g.dims; ++n) {
        auto const d = there.order[pos(n)];
        auto const moves = [&](direction const& other) { return other.field == dir.field && other.step[d] != 0; };
        if (inside && count[d] < there.allocated[d].size() &&
            (g.axes[d].full || std::any_of(directions_.begin(), directions_.end(), moves)))
            return false;
        inside = inside || count[d] > 1;
    }
    return true;
}

std::int64_t halo_edges::span_of(item const& i) const {
    auto const from = source_layout(i), to = target_layout(i);
    if (from.loops.empty() || from.block != to.block || from.loops != to.loops || !keeps_still(i)) return 0;
    auto const [first, last] = from.extent();
    return last - first;
}

void halo_edges::target_box(item const& i, std::array<index_t, max_dims>& lower, std::array<index_t, max_dims>& count) const {
    direction const& dir = at(i.slot);
    halo_field const& f = spec_.fields[pos(dir.field)];
    auto const& owned = site_of(dir.field, i.target).owned;
    for (int d = 0; d < f.shape->dims; ++d) {
        auto const k = pos(d);
        int const step = dir.step[k];
        lower[k] = step < 0 ? owned[k].lower - f.lower[k] : step > 0 ? owned[k].upper : owned[k].lower;
        count[k] = step < 0 ? f.lower[k] : step > 0 ? f.upper[k] : owned[k].size();
    }
}

// Both ends go through the box in the order in which it lies at the source.
layout halo_edges::box(item const& i, int rank, std::array<index_t, max_dims> const& lower,
                       std::array<index_t, max_dims> const& count) const {
    int const field = at(i.slot).field;
    geometry const& g = *spec_.fields[pos(field)].shape;
    auto const order = site_of(field, i.source).order;
    site const& here = site_of(field, rank);
    layout l;
    l.block = g.element_bytes;
    l.loops.reserve(pos(g.dims) + 1);
    if (g.components > 1) l.loops.push_back({g.components, here.component_bytes});
    for (std::size_t k = 0; k < pos(g.dims); ++k) {
        auto const d = order[k];
        l.offset += (lower[d] - here.allocated[d].lower) * here.strides[d];
        l.loops.push_back({count[d], here.strides[d]});
    }
    return normalised(std::move(l));
}

layout halo_edges::target_layout(item const& i) const {
    std::array<index_t, max_dims> lower{}, count{};
    target_box(i, lower, count);
    return box(i, i.target, lower, count);
}

layout halo_edges::source_layout(item const& i) const {
    std::array<index_t, max_dims> lower{}, count{};
    target_box(i, lower, count);
    for (std::size_t d = 0; d < max_dims; ++d) lower[d] += i.wrap[d];
    return box(i, i.source, lower, count);
}

} // namespace sode
