// SPDX-License-Identifier: Apache-2.0
#include <sode/geometry.hpp>

#include "array/placement.hpp"
#include "base/mixing.hpp"
#include "layout/cache_line.hpp"

#include <sode/error.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace sode {
using namespace internal;

namespace {

// Short rows begin with a cache line of their own, as far as that costs little memory: else the end of an edge row, which a
// neighbour reads, shares its line with the halo row behind it, which this rank writes at the same time. Long rows lose little by
// that, and strided faces gain by what it brings: the end of a row and the beginning of the next, halo and edge of both, mostly
// lie in one line (docs/decisions/0006). Blocks that are swept out of memory anyway are not padded either: there padding is
// traffic, and rows that are whole lines apart meet in few sets of the caches when a face across them is packed
// (docs/decisions/0015).
index_t padded_row(index_t row, index_t element, index_t block) noexcept {
    constexpr index_t longest_short_row = 16 * line, most_in_caches = index_t{4} << 20;
    index_t const padded = whole_lines(row);
    bool const cheap = line % element == 0 && padded - row <= row / 8;
    return cheap && row <= longest_short_row && block <= most_in_caches ? padded : row;
}

// From the first element of a rank's memory to behind the last one.
index_t brought_bytes(geometry const& g, int rank) {
    auto const part = g.allocated(rank);
    if (part[0].size() == 0) return 0;
    index_t bytes = g.element_bytes;
    for (std::size_t d = 0; d < static_cast<std::size_t>(g.dims); ++d)
        bytes += (part[d].size() - 1) * g.brought[static_cast<std::size_t>(rank)][d];
    return bytes;
}

// Of the template's first `t` indices, how many coordinate `c` of `nodes` is dealt.
index_t dealt(index_t chunk, int nodes, int c, index_t t) noexcept {
    index_t const period = chunk * nodes;
    return t / period * chunk + std::clamp<index_t>(t % period - c * chunk, 0, chunk);
}

} // namespace

index_t axis::place(index_t i) const noexcept {
    if (!cyclic()) return i;
    index_t const t = i + phase;
    auto const c = static_cast<int>(t / chunk % nodes());
    return bounds[static_cast<std::size_t>(c)] + dealt(chunk, nodes(), c, t) - dealt(chunk, nodes(), c, phase);
}

int axis::coordinate(index_t i) const noexcept {
    if (cyclic()) return static_cast<int>((i + phase) / chunk % nodes());
    // Empty blocks share their bounds with a neighbour: the last block that begins at or before `i` is the one that has it.
    return static_cast<int>(std::upper_bound(bounds.begin(), bounds.end(), i) - bounds.begin()) - 1;
}

turns axis::turns_of(int c) const noexcept {
    index_t const period = chunk * nodes();
    index_t const first = (c * chunk - phase) % period;
    return {chunk, period, first > 0 ? first - period : first};
}

void axis::deal_out(int nodes) {
    bounds = {0};
    for (int c = 0; c < nodes; ++c)
        bounds.push_back(bounds.back() + dealt(chunk, nodes, c, phase + extent) - dealt(chunk, nodes, c, phase));
}

namespace {

// What a rank with these coordinates owns along an axis.
geometry::span owned_along(axis const& a, std::array<int, max_dims> const& coordinates) {
    auto const c = a.grid_dim < 0 ? 0 : static_cast<std::size_t>(coordinates[static_cast<std::size_t>(a.grid_dim)]);
    return {a.bounds[c], a.bounds[c + 1]};
}

} // namespace

geometry::block detail::owned_part(int dims, std::array<axis, max_dims> const& axes, node_grid const& grid, int rank) {
    auto const coordinates = grid.coordinates(rank);
    geometry::block result{};
    if (coordinates[0] < 0) return result;
    for (std::size_t d = 0; d < static_cast<std::size_t>(dims); ++d) {
        result[d] = owned_along(axes[d], coordinates);
        if (result[d].size() == 0) return {};
    }
    return result;
}

int detail::cyclic_dim(int dims, std::array<axis, max_dims> const& axes) noexcept {
    for (int d = 0; d < dims; ++d)
        if (axes[static_cast<std::size_t>(d)].cyclic()) return d;
    return -1;
}

void detail::no_box(std::string const& what, int dim) {
    throw error{error_kind::usage, fmt::format("a rank's part of {} is not a box", what),
                fmt::format("dimension {} is cyclic", dim), "loop over all(), and access elements through a cyclic_view"};
}

bool geometry::cyclic() const noexcept {
    return detail::cyclic_dim(dims, axes) >= 0;
}

geometry::block geometry::owned(int rank) const {
    return detail::owned_part(dims, axes, grid, rank);
}

geometry::block geometry::allocated(int rank) const {
    auto const coordinates = grid.coordinates(rank);
    block result{};
    if (coordinates[0] < 0) return result;
    for (std::size_t d = 0; d < static_cast<std::size_t>(dims); ++d) {
        axis const& a = axes[d];
        if (a.full) { // a rank whose block is empty has all of a full shadow, too
            result[d] = {0, a.extent};
            continue;
        }
        auto const own = owned_along(a, coordinates);
        if (own.size() == 0) return {};
        result[d] = {own.lower - a.shadow_lower, own.upper + a.shadow_upper};
    }
    return result;
}

std::array<index_t, max_dims> geometry::strides(int rank) const {
    if (!brought.empty()) return brought[static_cast<std::size_t>(rank)];
    auto const part = allocated(rank);
    std::array<index_t, max_dims> result{};
    index_t block = element_bytes;
    for (auto d = static_cast<std::size_t>(dims); d-- > 0;) block *= part[d].size();
    index_t pitch = element_bytes;
    for (auto d = static_cast<std::size_t>(dims); d-- > 0;) {
        result[d] = pitch;
        pitch *= std::max(part[d].size(), room[d]);
        if (padded && d + 1 == static_cast<std::size_t>(dims)) pitch = padded_row(pitch, element_bytes, block);
    }
    return result;
}

index_t geometry::component_bytes(int rank) const {
    if (!brought.empty()) return brought_bytes(*this, rank);
    index_t const packed = strides(rank)[0] * allocated(rank)[0].size(); // rows padded
    if (components == 1 || packed < cache_reach) return packed;
    index_t const padding = ((from_component_to_component - packed) % cache_reach + cache_reach) % cache_reach;
    return packed + (padding + element_bytes - 1) / element_bytes * element_bytes;
}

index_t geometry::bytes(int rank) const {
    return components * component_bytes(rank);
}

int geometry::owner(std::array<index_t, max_dims> const& at) const {
    std::array<int, max_dims> coordinates{};
    for (std::size_t d = 0; d < static_cast<std::size_t>(dims); ++d) {
        axis const& a = axes[d];
        if (at[d] < 0 || at[d] >= a.extent)
            throw error{error_kind::usage, fmt::format("index {} of array \"{}\" does not exist", at[d], name),
                        fmt::format("dimension {} has {} elements", d, a.extent), "use global indices, counted from 0"};
        if (a.grid_dim < 0) continue;
        coordinates[static_cast<std::size_t>(a.grid_dim)] = a.coordinate(at[d]);
    }
    return grid.rank_of(coordinates);
}

std::array<index_t, max_dims> geometry::places(std::array<index_t, max_dims> const& at) const noexcept {
    std::array<index_t, max_dims> result{};
    for (std::size_t d = 0; d < static_cast<std::size_t>(dims); ++d) result[d] = axes[d].place(at[d]);
    return result;
}

index_t geometry::offset(int rank, std::array<index_t, max_dims> const& places) const {
    auto const part = allocated(rank);
    auto const pitch = strides(rank);
    index_t bytes = 0;
    for (std::size_t d = 0; d < static_cast<std::size_t>(dims); ++d) bytes += (places[d] - part[d].lower) * pitch[d];
    return bytes;
}

std::uint64_t geometry::fingerprint() const noexcept {
    std::uint64_t hash = 0x73686170;
    mix(hash, index_t{dims});
    mix(hash, element_bytes);
    mix(hash, components);
    mix(hash, index_t{padded ? 1 : 0});
    for (std::size_t d = 0; d < static_cast<std::size_t>(dims); ++d) {
        axis const& a = axes[d];
        mix(hash, a.extent);
        mix(hash, index_t{a.grid_dim});
        mix(hash, a.shadow_lower);
        mix(hash, a.shadow_upper);
        mix(hash, index_t{a.full ? 1 : 0});
        mix(hash, a.chunk);
        mix(hash, a.phase);
        mix(hash, room[d]);
        for (auto const b : a.bounds) mix(hash, b);
    }
    mix(hash, index_t{grid.dims});
    for (std::size_t d = 0; d < static_cast<std::size_t>(grid.dims); ++d) mix(hash, index_t{grid.extent[d]});
    mix(hash, grid.mapping.fingerprint());
    for (auto const& strides : brought)
        for (auto const s : strides) mix(hash, s);
    return hash;
}

} // namespace sode
