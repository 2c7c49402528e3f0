// SPDX-License-Identifier: Apache-2.0
#include "hdf5/rows.hpp"

#include <algorithm>
#include <cstring>

namespace sode::files {
namespace {

std::size_t dims_of(geometry const& g) noexcept {
    return static_cast<std::size_t>(g.dims);
}

} // namespace

std::vector<geometry::block> owned_boxes(geometry const& g, int rank) {
    auto const b = g.owned(rank);
    if (elements(g, b) == 0) return {};
    std::vector<geometry::block> boxes{b};
    auto const at = g.grid.coordinates(rank);
    for (std::size_t d = 0; d < dims_of(g); ++d) {
        axis const& a = g.axes[d];
        if (!a.cyclic()) continue;
        std::vector<geometry::block> pieces;
        for (auto piece : boxes)
            a.turns_of(at[static_cast<std::size_t>(a.grid_dim)]).for_each(0, a.extent, [&](index_t lower, index_t upper) {
                piece[d] = {lower, upper};
                pieces.push_back(piece);
            });
        boxes = std::move(pieces);
    }
    return boxes;
}

std::vector<geometry::block> boxes_to_give(geometry const& g, int rank) {
    auto boxes = owned_boxes(g, rank);
    std::erase_if(boxes, [&](geometry::block const& b) {
        place first{};
        for (std::size_t d = 0; d < dims_of(g); ++d) first[d] = b[d].lower;
        return g.owner(first) != rank;
    });
    return boxes;
}

index_t elements(geometry const& g, geometry::block const& b) noexcept {
    index_t n = 1;
    for (std::size_t d = 0; d < dims_of(g); ++d) n *= b[d].size();
    return n;
}

void for_each_row(geometry const& g, geometry::block const& b, std::function<void(place const&)> const& row) {
    if (elements(g, b) == 0) return;
    auto const last = dims_of(g) - 1;
    place at{};
    for (std::size_t d = 0; d <= last; ++d) at[d] = b[d].lower;
    for (;;) {
        row(at);
        auto d = last;
        while (d-- > 0) {
            if (++at[d] < b[d].upper) break;
            at[d] = b[d].lower;
        }
        if (d == static_cast<std::size_t>(-1)) return;
    }
}

void for_each_slab(geometry const& g, geometry::block b, index_t most, std::function<void(geometry::block const&)> const& slab) {
    // Cut the first dimension that has anything to cut; what is behind it stays whole, or is cut in its turn.
    auto const all = elements(g, b);
    if (all <= most) {
        if (all > 0) slab(b);
        return;
    }
    std::size_t d = 0;
    while (b[d].size() == 1) ++d;
    auto const step = std::max<index_t>(1, most / (all / b[d].size()));
    for (auto const whole = b[d]; b[d].lower < whole.upper; b[d].lower = b[d].upper) {
        b[d].upper = std::min(b[d].lower + step, whole.upper);
        for_each_slab(g, b, most, slab);
    }
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

index_t file_index(geometry const& g, place const& at) noexcept {
    index_t element = 0;
    for (std::size_t d = 0; d < dims_of(g); ++d) element = element * g.axes[d].extent + at[d];
    return element;
}

} // namespace sode::files
