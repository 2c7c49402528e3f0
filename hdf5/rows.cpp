// SPDX-License-Identifier: Apache-2.0
#include "hdf5/rows.hpp"

#include <algorithm>
#include <cstring>

namespace sode::internal::files {
namespace {

std::size_t dims_of(geometry const& g) noexcept {
    return static_cast<std::size_t>(g.dims);
}

std::vector<geometry::span> runs_of(axis const& a, int coordinate) {
    if (a.cyclic()) {
        std::vector<geometry::span> runs;
        a.turns_of(coordinate).for_each(0, a.extent, [&](index_t lower, index_t upper) { runs.push_back({lower, upper}); });
        return runs;
    }
    auto const c = static_cast<std::size_t>(coordinate);
    if (a.bounds[c] == a.bounds[c + 1]) return {};
    return {{a.bounds[c], a.bounds[c + 1]}};
}

geometry::span overlap(geometry::span const& a, geometry::span const& b) noexcept {
    return {std::max(a.lower, b.lower), std::min(a.upper, b.upper)};
}

} // namespace

std::optional<share> owned_share(geometry const& g, int rank) {
    auto const coordinates = g.grid.coordinates(rank);
    if (coordinates[0] < 0) return std::nullopt;
    share s{.shape = &g, .runs = {}};
    for (std::size_t d = 0; d < dims_of(g); ++d) {
        auto const& a = g.axes[d];
        s.runs[d] = runs_of(a, a.grid_dim < 0 ? 0 : coordinates[static_cast<std::size_t>(a.grid_dim)]);
        if (s.runs[d].empty()) return std::nullopt;
    }
    return s;
}

std::optional<share> given_share(geometry const& g, int rank) {
    auto s = owned_share(g, rank);
    if (!s) return s;
    place first{};
    for (std::size_t d = 0; d < dims_of(g); ++d) first[d] = s->runs[d].front().lower;
    if (g.owner(first) != rank) s.reset();
    return s;
}

void for_each_row(share const& s, std::function<void(place const&, index_t)> const& row) {
    auto const last = dims_of(*s.shape) - 1;
    place at{};
    // One dimension after the other, each by its runs.
    auto const descend = [&](auto const& self, std::size_t d) -> void {
        for (auto const& run : s.runs[d]) {
            if (d == last) {
                at[d] = run.lower;
                row(at, run.size());
                continue;
            }
            for (at[d] = run.lower; at[d] < run.upper; ++at[d]) self(self, d + 1);
        }
    };
    descend(descend, 0);
}

void for_each_slab(share const& s, index_t most, std::function<void(geometry::block const&, share const&)> const& slab) {
    auto const& g = *s.shape;
    auto const last = dims_of(g) - 1;
    geometry::block box{};
    // Cuts the first dimension that has anything to cut; what is behind it stays whole, or is cut in its turn.
    auto const cut = [&](auto const& self, geometry::block b) -> void {
        auto const all = elements(g, b);
        if (all <= most) {
            share part{.shape = &g, .runs = {}};
            for (std::size_t d = 0; d <= last; ++d)
                for (auto const& run : s.runs[d])
                    if (auto const both = overlap(run, b[d]); both.size() > 0) part.runs[d].push_back(both);
            if (!part.runs[last].empty()) slab(b, part);
            return;
        }
        std::size_t d = 0;
        while (b[d].size() == 1) ++d;
        index_t behind = 1; // elements of one index of that dimension
        for (auto k = d + 1; k <= last; ++k) behind *= std::max<index_t>(b[k].size(), 1);
        auto const step = std::max<index_t>(1, most / behind);
        for (auto const whole = b[d]; b[d].lower < whole.upper; b[d].lower = b[d].upper) {
            b[d].upper = std::min(b[d].lower + step, whole.upper);
            self(self, b);
        }
    };
    auto const choose = [&](auto const& self, std::size_t d) -> void {
        if (d == last) { // the gaps between runs are read, too: they cost less than reading the runs one by one
            box[d] = {s.runs[d].front().lower, s.runs[d].back().upper};
            cut(cut, box);
            return;
        }
        for (auto const& run : s.runs[d]) {
            box[d] = run;
            self(self, d + 1);
        }
    };
    choose(choose, 0);
}

index_t element_of(geometry const& g, geometry::block const& box, place const& at) noexcept {
    index_t element = 0;
    for (std::size_t d = 0; d < dims_of(g); ++d) element = element * box[d].size() + at[d] - box[d].lower;
    return element;
}

geometry::block whole(geometry const& g) noexcept {
    geometry::block all{};
    for (std::size_t d = 0; d < dims_of(g); ++d) all[d] = {0, g.axes[d].extent};
    return all;
}

index_t elements(geometry const& g, geometry::block const& box) noexcept {
    index_t n = 1;
    for (std::size_t d = 0; d < dims_of(g); ++d) n *= box[d].size();
    return n;
}

row_copy::row_copy(geometry const& g, int rank, std::byte* memory) noexcept
    : shape_(&g), rank_(rank), memory_(memory), stride_(g.strides(rank)[dims_of(g) - 1]) {}

std::byte* row_copy::address(index_t component, place const& at) const {
    return memory_ + component * shape_->component_bytes(rank_) + shape_->offset(rank_, shape_->places(at));
}

void row_copy::pack(index_t component, place const& at, index_t count, std::byte* to) const {
    auto const size = static_cast<std::size_t>(shape_->element_bytes);
    auto const* from = address(component, at);
    if (stride_ == shape_->element_bytes) {
        std::memcpy(to, from, static_cast<std::size_t>(count) * size);
        return;
    }
    for (index_t i = 0; i < count; ++i, to += size, from += stride_) std::memcpy(to, from, size);
}

void row_copy::unpack(index_t component, place const& at, index_t count, std::byte const* from) const {
    auto const size = static_cast<std::size_t>(shape_->element_bytes);
    auto* to = address(component, at);
    if (stride_ == shape_->element_bytes) {
        std::memcpy(to, from, static_cast<std::size_t>(count) * size);
        return;
    }
    for (index_t i = 0; i < count; ++i, to += stride_, from += size) std::memcpy(to, from, size);
}

} // namespace sode::internal::files
