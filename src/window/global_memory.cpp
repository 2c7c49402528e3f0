// SPDX-License-Identifier: Apache-2.0
#include <sode/global_view.hpp>

#include "model/job.hpp"

#include <sode/window.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstring>
#include <map>
#include <vector>

namespace sode::detail {
using namespace internal;

struct global_memory::table {
    explicit table(halo_source const& of);

    [[nodiscard]] std::size_t width() const { return dims() + (shape->components > 1 ? 1 : 0); }
    [[nodiscard]] std::size_t dims() const { return static_cast<std::size_t>(shape->dims); }
    [[nodiscard]] std::size_t bytes() const { return static_cast<std::size_t>(shape->element_bytes); }

    struct element {
        std::array<index_t, max_dims> at{};
        index_t component = 0;
    };
    [[nodiscard]] element read(std::span<index_t const> indices) const;
    /// Coordinates of one that has it: along dimensions that the array does not follow, this rank's.
    [[nodiscard]] std::array<int, max_dims> coordinates_of(element const& e) const;
    [[nodiscard]] index_t offset(int rank, element const& e) const {
        return shape->offset(rank, shape->places(e.at)) + e.component * shape->component_bytes(rank);
    }
    template <class Act> void each_owner(element const& e, Act act) const;
    /// act(rank, offset in its block, number of the element) for each owner, or for one.
    template <class Act> void each(std::span<index_t const> indices, bool all_owners, Act act) const;

    std::shared_ptr<geometry const> shape;
    mutable window memory;
    std::array<int, max_dims> here{};
    std::array<bool, max_dims> free{}; ///< dimensions of the rank grid along which there are copies
};

global_memory::table::table(halo_source const& of) : shape(of.shape), memory(of) {
    here = shape->grid.coordinates(of.owner->boot->rank());
    for (std::size_t k = 0; k < static_cast<std::size_t>(shape->grid.dims); ++k) free[k] = true;
    for (std::size_t d = 0; d < dims(); ++d)
        if (int const k = shape->axes[d].grid_dim; k >= 0) free[static_cast<std::size_t>(k)] = false;
}

global_memory::table::element global_memory::table::read(std::span<index_t const> indices) const {
    element e;
    auto const leading = width() - dims();
    if (leading > 0) e.component = indices[0];
    bool exists = e.component >= 0 && e.component < shape->components;
    for (std::size_t d = 0; d < dims(); ++d) {
        e.at[d] = indices[d + leading];
        exists = exists && e.at[d] >= 0 && e.at[d] < shape->axes[d].extent;
    }
    if (exists) return e;
    std::vector<index_t> extents;
    if (leading > 0) extents.push_back(shape->components);
    for (std::size_t d = 0; d < dims(); ++d) extents.push_back(shape->axes[d].extent);
    throw error{error_kind::usage,
                fmt::format("element ({}) of array \"{}\" does not exist", fmt::join(indices, ", "), shape->name),
                fmt::format("the array has {}", fmt::join(extents, " x ")), "use global indices, counted from 0"};
}

std::array<int, max_dims> global_memory::table::coordinates_of(element const& e) const {
    std::array<int, max_dims> at{};
    for (std::size_t k = 0; k < static_cast<std::size_t>(shape->grid.dims); ++k)
        if (free[k] && here[0] >= 0) at[k] = here[k];
    for (std::size_t d = 0; d < dims(); ++d)
        if (int const k = shape->axes[d].grid_dim; k >= 0) at[static_cast<std::size_t>(k)] = shape->axes[d].coordinate(e.at[d]);
    return at;
}

template <class Act> void global_memory::table::each_owner(element const& e, Act act) const {
    auto const& grid = shape->grid;
    auto at = coordinates_of(e);
    for (std::size_t k = 0; k < static_cast<std::size_t>(grid.dims); ++k)
        if (free[k]) at[k] = 0;
    for (;;) {
        act(grid.rank_of(at));
        auto k = static_cast<std::size_t>(grid.dims);
        for (; k > 0; --k) {
            if (!free[k - 1]) continue;
            if (++at[k - 1] < grid.extent[k - 1]) break;
            at[k - 1] = 0;
        }
        if (k == 0) return;
    }
}

template <class Act> void global_memory::table::each(std::span<index_t const> indices, bool all_owners, Act act) const {
    for (std::size_t n = 0; n * width() < indices.size(); ++n) {
        auto const e = read(indices.subspan(n * width(), width()));
        if (all_owners) {
            each_owner(e, [&](int rank) { act(rank, offset(rank, e), n); });
        } else {
            int const rank = shape->grid.rank_of(coordinates_of(e));
            act(rank, offset(rank, e), n);
        }
    }
}

namespace {

/// Elements of one rank of another machine.
struct together {
    std::vector<index_t> offsets;
    std::vector<std::size_t> numbers;
};

} // namespace

global_memory::global_memory(halo_source const& of) : table_(std::make_shared<table const>(of)) {}

void global_memory::get(std::span<index_t const> indices, std::byte* values) const {
    auto const& t = *table_;
    auto const bytes = t.bytes();
    std::map<int, together> wanted;
    t.each(indices, false, [&](int rank, index_t offset, std::size_t n) {
        if (auto const* const memory = t.memory.memory(rank)) {
            std::memcpy(values + n * bytes, memory + offset, bytes);
            return;
        }
        wanted[rank].offsets.push_back(offset);
        wanted[rank].numbers.push_back(n);
    });
    std::vector<std::byte> got;
    for (auto const& [rank, w] : wanted) {
        got.resize(w.offsets.size() * bytes);
        t.memory.get(rank, w.offsets, static_cast<index_t>(bytes), got.data());
        for (std::size_t k = 0; k < w.numbers.size(); ++k)
            std::memcpy(values + w.numbers[k] * bytes, got.data() + k * bytes, bytes);
    }
}

void global_memory::put(std::span<index_t const> indices, std::byte const* values) const {
    auto const& t = *table_;
    auto const bytes = t.bytes();
    std::map<int, together> given;
    t.each(indices, true, [&](int rank, index_t offset, std::size_t n) {
        if (auto* const memory = t.memory.memory(rank)) {
            std::memcpy(memory + offset, values + n * bytes, bytes);
            return;
        }
        given[rank].offsets.push_back(offset);
        given[rank].numbers.push_back(n);
    });
    std::vector<std::byte> packed;
    for (auto const& [rank, g] : given) {
        packed.resize(g.offsets.size() * bytes);
        for (std::size_t k = 0; k < g.numbers.size(); ++k)
            std::memcpy(packed.data() + k * bytes, values + g.numbers[k] * bytes, bytes);
        t.memory.put(rank, g.offsets, static_cast<index_t>(bytes), packed.data());
    }
}

void global_memory::flush() const {
    table_->memory.flush();
}

} // namespace sode::detail
