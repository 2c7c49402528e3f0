// SPDX-License-Identifier: Apache-2.0
#include <sode/peer_view.hpp>

#include "array/site.hpp"
#include "model/job.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace sode::detail {
using namespace internal;

namespace {

// What ranks tell each other: where the two halves lie in their arenas.
struct notice {
    std::uint64_t fingerprint = 0;
    std::array<std::uint64_t, 2> place{};
    std::array<block_place, 2> block{};
};

} // namespace

struct peer_memory::table {
    struct block {
        std::array<std::byte const*, 2> half{}; // null: not on this machine, or nothing there
        site lies;
    };

    // A copy that this rank can load of the element with these places; -1 if there is none. Its own comes first.
    [[nodiscard]] int holder(std::array<int, max_dims> at) const;
    [[nodiscard]] std::byte const* address(int rank, std::array<index_t, max_dims> const& places, index_t component) const;
    [[nodiscard]] std::array<int, max_dims> coordinates_of(std::array<index_t, max_dims> const& element) const;
    [[nodiscard]] bool exists(std::array<index_t, max_dims> const& element, index_t component) const;

    halo_source source; // keeps the own memory alive, and knows which half is now
    int rank = 0;
    std::array<int, max_dims> here{};  // own coordinates
    std::array<bool, max_dims> free{}; // dimensions of the rank grid along which there are copies
    std::vector<block> blocks;         // by rank
    machine_map machines;
};

bool peer_memory::table::exists(std::array<index_t, max_dims> const& element, index_t component) const {
    auto const& g = *source.shape;
    bool inside = component >= 0 && component < g.components;
    for (std::size_t d = 0; d < static_cast<std::size_t>(g.dims); ++d)
        inside = inside && element[d] >= 0 && element[d] < g.axes[d].extent;
    return inside;
}

// Along free dimensions those of this rank.
std::array<int, max_dims> peer_memory::table::coordinates_of(std::array<index_t, max_dims> const& element) const {
    auto const& g = *source.shape;
    std::array<int, max_dims> at{};
    for (std::size_t k = 0; k < static_cast<std::size_t>(g.grid.dims); ++k)
        if (free[k] && here[0] >= 0) at[k] = here[k];
    for (std::size_t d = 0; d < static_cast<std::size_t>(g.dims); ++d)
        if (int const k = g.axes[d].grid_dim; k >= 0) at[static_cast<std::size_t>(k)] = g.axes[d].coordinate(element[d]);
    return at;
}

int peer_memory::table::holder(std::array<int, max_dims> at) const {
    auto const& grid = source.shape->grid;
    auto const loadable = [&](int r) { return blocks[static_cast<std::size_t>(r)].half[0] != nullptr; };
    if (int const r = grid.rank_of(at); loadable(r)) return r;
    for (std::size_t k = 0; k < static_cast<std::size_t>(grid.dims); ++k)
        if (free[k]) at[k] = 0;
    for (;;) {
        if (int const r = grid.rank_of(at); loadable(r)) return r;
        auto k = static_cast<std::size_t>(grid.dims);
        for (; k > 0; --k) {
            if (!free[k - 1]) continue;
            if (++at[k - 1] < grid.extent[k - 1]) break;
            at[k - 1] = 0;
        }
        if (k == 0) return -1;
    }
}

std::byte const* peer_memory::table::address(int r, std::array<index_t, max_dims> const& places, index_t component) const {
    auto const& b = blocks[static_cast<std::size_t>(r)];
    index_t offset = component * b.lies.component_bytes;
    for (std::size_t d = 0; d < static_cast<std::size_t>(b.lies.dims); ++d)
        offset += (places[d] - b.lies.lower[d]) * b.lies.strides[d];
    return b.half[source.half ? static_cast<std::size_t>(*source.half) : 0] + offset;
}

peer_memory::peer_memory(halo_source const& of) {
    auto& j = *of.owner;
    auto const& g = *of.shape;
    auto t = std::make_shared<table>();
    t->source = of;
    t->rank = j.boot->rank();
    t->here = g.grid.coordinates(t->rank);
    for (std::size_t k = 0; k < static_cast<std::size_t>(g.grid.dims); ++k) t->free[k] = true;
    for (std::size_t d = 0; d < static_cast<std::size_t>(g.dims); ++d)
        if (int const k = g.axes[d].grid_dim; k >= 0) t->free[static_cast<std::size_t>(k)] = false;

    notice mine{.fingerprint = g.fingerprint() + (of.half ? 1U : 0U)};
    for (std::size_t i = 0; i < 2; ++i)
        if (auto* const memory = of.memory[i].get()) {
            mine.place[i] = j.memory->offset(memory);
            mine.block[i] = j.memory->block_of(memory);
            j.freed.expose(memory);
        }
    auto const ranks = static_cast<std::size_t>(j.boot->size());
    std::vector<notice> all(ranks);
    j.boot->allgather(&mine, sizeof mine, all.data());
    j.freed.collective_done();
    t->machines = j.ranks->machines();
    for (std::size_t r = 0; r < ranks; ++r) {
        int const rank = static_cast<int>(r);
        if (all[r].fingerprint != mine.fingerprint)
            throw error{
                error_kind::usage, fmt::format("ranks {} and {} create a peer_view of different arrays \"{}\"", t->rank, r, g.name),
                "the array must have the same shape on every rank", "create the peer_view from the same array on every rank"};
        auto& b = t->blocks.emplace_back();
        if (g.bytes(rank) == 0 || (rank != t->rank && !j.memory->contains(rank))) continue;
        b.lies = site_of(g, rank);
        for (std::size_t i = 0; i < (of.half ? 2U : 1U); ++i) {
            j.memory->open(rank, all[r].block[i]);
            b.half[i] = rank == t->rank ? of.memory[i].get() : j.memory->at(rank, all[r].place[i]);
        }
    }
    table_ = std::move(t);
}

std::byte const* peer_memory::find(std::span<index_t const> element, index_t component) const {
    std::array<index_t, max_dims> at{};
    std::copy(element.begin(), element.end(), at.begin());
    if (!table_->exists(at, component)) return nullptr;
    int const holder = table_->holder(table_->coordinates_of(at));
    return holder < 0 ? nullptr : table_->address(holder, table_->source.shape->places(at), component);
}

std::byte const* peer_memory::at(std::span<index_t const> element, index_t component) const {
    if (auto const* const found = find(element, component)) return found;
    auto const& g = *table_->source.shape;
    std::vector<index_t> indices;
    if (g.components > 1) indices.push_back(component);
    indices.insert(indices.end(), element.begin(), element.end());
    auto const name = fmt::format("element ({}) of array \"{}\"", fmt::join(indices, ", "), g.name);
    std::array<index_t, max_dims> at{};
    std::copy(element.begin(), element.end(), at.begin());
    if (!table_->exists(at, component)) {
        std::vector<index_t> extents;
        if (g.components > 1) extents.push_back(g.components);
        for (int d = 0; d < g.dims; ++d) extents.push_back(g.axes[static_cast<std::size_t>(d)].extent);
        throw error{error_kind::usage, fmt::format("{} does not exist", name),
                    fmt::format("the array has {}", fmt::join(extents, " x ")), "use global indices, counted from 0"};
    }
    auto const owner = static_cast<std::size_t>(g.owner(at));
    throw error{error_kind::usage, fmt::format("{} cannot be read on rank {}", name, table_->rank),
                fmt::format("the owner, rank {}, is on machine {}, and this rank is on machine {}", owner,
                            table_->machines.of(static_cast<int>(owner)), table_->machines.of(table_->rank)),
                "call reaches() first, or fetch the element by an exchange or by copy()"};
}

} // namespace sode::detail
