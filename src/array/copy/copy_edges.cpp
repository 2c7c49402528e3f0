// SPDX-License-Identifier: Apache-2.0
#include "array/copy/copy_edges.hpp"

#include "array/block_buffer.hpp"
#include "pattern/choose_way.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>

namespace sode::internal {
namespace {

using coordinates = std::array<int, max_dims>;

int coordinate_along(geometry const& g, std::size_t d, coordinates const& at) {
    int const k = g.axes[d].grid_dim;
    return k < 0 ? 0 : at[static_cast<std::size_t>(k)];
}

strand strand_of(copy_side const& s, std::size_t d, int coordinate) {
    return {&s.shape->axes[d], coordinate, s.picked[d]};
}

// Whether the node there has the one element of each dimension that does not count.
bool has_single_ones(copy_side const& s, coordinates const& at) {
    for (std::size_t d = 0; d < static_cast<std::size_t>(s.shape->dims); ++d) {
        axis const& a = s.shape->axes[d];
        if (s.picked[d].size() == 1 && a.grid_dim >= 0 && a.coordinate(s.picked[d].lower) != coordinate_along(*s.shape, d, at))
            return false;
    }
    return true;
}

// Where the chosen strips lie on one side.
layout place(copy_side const& s, int rank, std::span<std::size_t const> dims, coordinates const& at,
             std::vector<strip> const& choice) {
    std::array<stretch, max_dims> along;
    auto const all = static_cast<std::size_t>(s.shape->dims);
    for (std::size_t d = 0; d < all; ++d) along[d] = {.place = s.shape->axes[d].place(s.picked[d].lower)};
    for (std::size_t i = 0; i < dims.size(); ++i)
        along[dims[i]] = stretch_of(strand_of(s, dims[i], coordinate_along(*s.shape, dims[i], at)), choice[i]);
    // Both sides name their elements in one order, so that they can be copied one after the other.
    auto const here = site_of(*s.shape, rank);
    auto there = here;
    std::array<stretch, max_dims> in_order;
    for (std::size_t k = 0; k < all; ++k) {
        auto const d = static_cast<std::size_t>(s.order[k]);
        there.lower[k] = here.lower[d];
        there.strides[k] = here.strides[d];
        in_order[k] = along[d];
    }
    return layout_of(there, std::span{in_order}.first(all));
}

} // namespace

copy_edges::copy_edges(copy_spec const& spec)
    : edge_set(spec, {}), spec_(spec), to_dims_(counting_dims(spec.to)), from_dims_(counting_dims(spec.from)),
      known_(to_dims_.size()) {
    for (std::size_t d = 0; d < static_cast<std::size_t>(spec.from.shape->dims); ++d)
        if (int const k = spec.from.shape->axes[d].grid_dim; k >= 0) decided_[static_cast<std::size_t>(k)] = true;
}

// Of the copies of an element, the coordinates of the one that `target` takes.
copy_edges::coordinates copy_edges::wanted_copy(int target) const {
    auto const& grid = spec_.from.shape->grid;
    auto wanted = grid.coordinates(target);
    if (wanted[0] < 0)
        for (std::size_t k = 0; k < static_cast<std::size_t>(grid.dims); ++k) wanted[k] = target % grid.extent[k];
    return wanted;
}

bool copy_edges::serves(coordinates const& source, int target) const {
    auto const wanted = wanted_copy(target);
    for (std::size_t k = 0; k < static_cast<std::size_t>(spec_.from.shape->grid.dims); ++k)
        if (!decided_[k] && source[k] != wanted[k]) return false;
    return true;
}

copy_edges::strips const& copy_edges::common(std::size_t dim, int source_coordinate, int target_coordinate) const {
    auto const key = static_cast<std::uint64_t>(source_coordinate) << 32U | static_cast<std::uint32_t>(target_coordinate);
    auto const [at, is_new] = known_[dim].try_emplace(key);
    if (is_new)
        at->second = common_strips(strand_of(spec_.from, from_dims_[dim], source_coordinate),
                                   strand_of(spec_.to, to_dims_[dim], target_coordinate));
    return at->second;
}

bool copy_edges::meet(int source, int target, std::vector<strips const*>& found) const {
    found.clear();
    if (elements_of(spec_.to) == 0) return false;
    if (spec_.in_place && source == target) return false;
    auto const cs = spec_.from.shape->grid.coordinates(source), ct = spec_.to.shape->grid.coordinates(target);
    if (cs[0] < 0 || ct[0] < 0 || !serves(cs, target)) return false;
    if (!has_single_ones(spec_.from, cs) || !has_single_ones(spec_.to, ct)) return false;
    for (std::size_t i = 0; i < to_dims_.size(); ++i) {
        found.push_back(
            &common(i, coordinate_along(*spec_.from.shape, from_dims_[i], cs), coordinate_along(*spec_.to.shape, to_dims_[i], ct)));
        if (found.back()->empty()) return false;
    }
    return true;
}

void copy_edges::add_items(int source, int target, std::vector<edge>& list) const {
    std::vector<strips const*> found;
    if (!meet(source, target, found)) return;
    std::vector<strips> by_dim;
    for (auto const* s : found) by_dim.push_back(*s);
    auto const cs = spec_.from.shape->grid.coordinates(source), ct = spec_.to.shape->grid.coordinates(target);
    auto const from = block_buffer(spec_.from, source, spec_.one_array ? target_array : source_array);
    auto const to = block_buffer(spec_.to, target, target_array);
    for_each_choice(by_dim, [&](std::vector<strip> const& choice) {
        list.push_back({.source = source,
                        .target = target,
                        .from = from,
                        .source_layout = place(spec_.from, source, from_dims_, cs, choice),
                        .to = to,
                        .target_layout = place(spec_.to, target, to_dims_, ct, choice)});
        choose_way(list.back(), spec_, spec_.from.shape->shared());
    });
}

// Ascending, itself included. Along each dimension of the other side's rank grid only some coordinates can have a part in it.
std::vector<int> copy_edges::partners(int rank, bool as_source) const {
    auto const& mine = as_source ? spec_.from : spec_.to;
    auto const& theirs = as_source ? spec_.to : spec_.from;
    auto const& grid = theirs.shape->grid;
    auto const here = mine.shape->grid.coordinates(rank);
    if (here[0] < 0) return {};
    std::array<std::vector<int>, max_dims> possible;
    auto const dims = static_cast<std::size_t>(grid.dims);
    for (std::size_t k = 0; k < dims; ++k) {
        possible[k].resize(static_cast<std::size_t>(grid.extent[k]));
        std::iota(possible[k].begin(), possible[k].end(), 0);
    }
    auto const keep = [&](int k, auto has) {
        std::erase_if(possible[static_cast<std::size_t>(k)], [&](int c) { return !has(c); });
    };
    for (std::size_t d = 0; d < static_cast<std::size_t>(theirs.shape->dims); ++d) {
        axis const& a = theirs.shape->axes[d];
        if (theirs.picked[d].size() == 1 && a.grid_dim >= 0)
            keep(a.grid_dim, [&, c = a.coordinate(theirs.picked[d].lower)](int there) { return there == c; });
    }
    auto const& their_dims = as_source ? to_dims_ : from_dims_;
    auto const& my_dims = as_source ? from_dims_ : to_dims_;
    for (std::size_t i = 0; i < their_dims.size(); ++i)
        if (int const k = theirs.shape->axes[their_dims[i]].grid_dim; k >= 0)
            keep(k, [&, at = coordinate_along(*mine.shape, my_dims[i], here)](int there) {
                return !common(i, as_source ? at : there, as_source ? there : at).empty();
            });
    if (!as_source)
        for (std::size_t k = 0; k < dims; ++k)
            if (!decided_[k]) keep(static_cast<int>(k), [&, c = wanted_copy(rank)[k]](int there) { return there == c; });

    std::vector<int> list;
    std::vector<strips const*> found;
    std::array<std::size_t, max_dims> at{};
    bool const none = std::any_of(possible.begin(), possible.begin() + grid.dims, [](auto const& p) { return p.empty(); });
    for (bool more = !none; more;) {
        coordinates there{};
        for (std::size_t k = 0; k < dims; ++k) there[k] = possible[k][at[k]];
        int const other = grid.rank_of(there);
        if (as_source ? meet(rank, other, found) : meet(other, rank, found)) list.push_back(other);
        more = false;
        for (std::size_t k = dims; k-- > 0 && !more;) {
            more = ++at[k] < possible[k].size();
            if (!more) at[k] = 0;
        }
    }
    std::sort(list.begin(), list.end());
    return list;
}

void copy_edges::from(int rank, outgoing& result) const {
    result.edges.clear();
    for (int const target : partners(rank, true)) add_items(rank, target, result.edges);
    result.assign_places();
}

void copy_edges::locate(edge& e) const {
    if (e.source == e.target) return;
    auto const all = sources(e.target);
    e.slot = e.first_slot = static_cast<int>(std::lower_bound(all.begin(), all.end(), e.source) - all.begin());
}

std::vector<int> copy_edges::sources(int rank) const {
    auto list = partners(rank, false);
    std::erase(list, rank);
    return list;
}

std::vector<int> copy_edges::targets(int rank) const {
    auto list = partners(rank, true);
    std::erase(list, rank);
    return list;
}

int copy_edges::slots(int rank) const {
    return static_cast<int>(std::max(sources(rank).size(), targets(rank).size()));
}

} // namespace sode::internal
