// SPDX-License-Identifier: Apache-2.0
#include "array/brought.hpp"
#include "array/device_moves.hpp"
#include "array/placement.hpp"
#include "array/smallest_block.hpp"
#include "array/tile_room.hpp"
#include "base/misuse.hpp"
#include "layout/cache_line.hpp"
#include "model/job.hpp"

#include <sode/error.hpp>
#include <sode/field.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace sode::detail {
using namespace internal;

namespace {

geometry describe(mapping const& where, shadow const& widths, field::kind const& elements, index_t room, std::string name) {
    geometry g;
    g.dims = where.dims;
    g.axes = where.axes;
    g.grid = where.grid;
    g.element_bytes = static_cast<index_t>(elements.bytes);
    g.components = elements.components;
    g.name = std::move(name);
    g.room = elements.room;
    for (int d = 0; d < g.dims; ++d) {
        auto const l = widths.at(d, g.dims);
        auto& a = g.axes[static_cast<std::size_t>(d)];
        if (a.cyclic() && (l.lower > 0 || l.upper > 0 || l.whole))
            throw error{error_kind::usage,
                        l.whole ? fmt::format("dimension {} has a full shadow", d)
                                : fmt::format("dimension {} has a shadow of {}:{} elements", d, l.lower, l.upper),
                        "the dimension is cyclic, and cyclic dimensions cannot have a shadow",
                        "give this dimension a shadow of 0, or distribute this dimension in blocks"};
        auto const times = has_tile_room(g.axes, g.dims, static_cast<std::size_t>(d)) ? room : 1;
        a.shadow_lower = l.lower * times;
        a.shadow_upper = l.upper * times;
        a.full = l.whole && a.grid_dim >= 0; // a dimension that is not split is everywhere as it is
    }
    return g;
}

// Halo layers for how many steps at a time: as many as have been asked for, if the blocks have so many elements.
index_t room_for(mapping const& where, shadow const& widths, index_t steps) {
    if (steps < 0)
        throw error{error_kind::usage, fmt::format("time tiles have {} steps", steps), "a tile must have at least one step",
                    "write sode::tiles{}, or sode::tiles{k} with k of 1 or more"};
    if (steps == 1) return 1;
    constexpr index_t in_a_plane = 16, in_space = 8;
    index_t room = steps > 0 ? steps : in_a_plane;
    for (int d = 0; d < where.dims; ++d) {
        auto const l = widths.at(d, where.dims);
        auto const most = std::max(l.lower, l.upper);
        if (most == 0) continue;
        if (steps == 0 && where.dims > 2) room = std::min(room, std::max<index_t>(in_space / most, 2));
        auto const& a = where.axes[static_cast<std::size_t>(d)];
        if (has_tile_room(where.axes, where.dims, static_cast<std::size_t>(d))) room = std::min(room, smallest_block(a) / most);
    }
    return std::max<index_t>(room, 1);
}

// Offsets are computed without looking for overflow everywhere else; here is where they would begin to be wrong.
void require_countable(geometry const& g, int rank) {
    auto const part = g.allocated(rank);
    index_t bytes = 0;
    bool too_many = __builtin_mul_overflow(g.element_bytes, g.components, &bytes);
    for (int d = 0; d < g.dims; ++d) {
        auto const& span = part[static_cast<std::size_t>(d)];
        index_t width = 0;
        too_many =
            too_many || __builtin_sub_overflow(span.upper, span.lower, &width) || __builtin_mul_overflow(bytes, width, &bytes);
    }
    if (too_many || bytes > (index_t{1} << 56))
        throw error{error_kind::usage, fmt::format("array \"{}\" has more bytes on rank {} than can be addressed", g.name, rank),
                    "the limit is 2^56 bytes", "use smaller extents or more ranks"};
}

void require_no_full_shadow(geometry const& g) {
    for (int d = 0; d < g.dims; ++d)
        if (g.axes[static_cast<std::size_t>(d)].full)
            throw error{error_kind::usage, fmt::format("array \"{}\" has a full shadow in dimension {}", g.name, d),
                        "the array is in device memory, and exchanges on devices do not support full shadows",
                        "keep a copy of the whole dimension in a host array"};
}

// Looked at for all ranks, so that all complain, or none.
void require_room(geometry const& g) {
    for (int r : g.grid.ranks()) {
        auto const part = g.allocated(r);
        for (std::size_t d = 0; d < static_cast<std::size_t>(g.dims); ++d)
            if (g.room[d] > 0 && part[d].size() > g.room[d])
                throw error{
                    error_kind::usage,
                    fmt::format("array \"{}\" has no room for {} elements in dimension {}", g.name, part[d].size(), d),
                    fmt::format("the block of rank {} with its shadow has this length, and the array has room for {} elements", r,
                                g.room[d]),
                    "create the array with room for the largest block"};
    }
}

// A device's memory is not our caches': there the first element that a rank owns begins a line, and that is all.
std::size_t lead_of(geometry const& g) noexcept {
    if (line % g.element_bytes != 0) return 0;
    index_t const before = g.axes[static_cast<std::size_t>(g.dims - 1)].shadow_lower * g.element_bytes;
    return static_cast<std::size_t>((line - before % line) % line);
}

std::shared_ptr<std::byte> allocate_device_block(job& j, geometry const& g, int rank) {
    auto const lead = lead_of(g);
    auto const block = allocate_on_device(j, lead + static_cast<std::size_t>(g.bytes(rank)));
    return {block, block.get() + lead};
}

void require_job(sode::detail::place const& where) {
    if (!where.job)
        throw error{error_kind::usage, "an array cannot be created in a dry run",
                    "a dry run has no job, and therefore no memory for arrays",
                    "create the grid or the nodes from a sode::runtime"};
    where.job->require_running("an array");
}

std::string unnamed(job& j, mapping const& where) {
    std::vector<index_t> extents;
    for (int d = 0; d < where.dims; ++d) extents.push_back(where.axes[static_cast<std::size_t>(d)].extent);
    return fmt::format("#{} ({})", ++j.unnamed, fmt::join(extents, "x"));
}

} // namespace

field::field(mapping const& where, shadow const& widths, kind elements, std::string name)
    : place_(where.place), code_(elements.code), on_device_(elements.on_device) {
    require_job(place_);
    if (name.empty()) name = unnamed(*place_.job, where);
    room_ = room_for(where, widths, elements.tiles);
    steps_ = elements.tiles > 1 ? elements.tiles : 0;
    auto g = describe(where, widths, elements, room_, std::move(name));
    if (on_device_) {
        require_no_full_shadow(g);
        static_cast<void>(place_.job->need_device()); // also where this rank owns nothing: it plans with those that do
    }
    g.padded = place_.ranks == 1 || place_.job->ranks->machines().machines() < place_.ranks;
    if (elements.room != decltype(elements.room){}) {
        g.padded = false;
        require_room(g);
    }
    shape_ = std::make_shared<geometry const>(std::move(g));
    place_.job->remember(shape_, shape_->name);
    require_countable(*shape_, place_.rank);
    mine_ = std::make_shared<part const>(part_of(*shape_, place_.rank));
    bool const any = shape_->bytes(place_.rank) > 0;
    for (std::size_t i = 0; i < static_cast<std::size_t>(elements.halves); ++i) {
        if (any)
            memory_[i] = on_device_ ? allocate_device_block(*place_.job, *shape_, place_.rank)
                                    : allocate_block(*place_.job, *shape_, place_.rank);
        if (!on_device_) watch(i);
    }
    if (elements.halves == 2) half_ = std::make_shared<int>(0);
}

field::field(mapping const& where, shadow const& widths, kind elements, std::string name, memory const& brought)
    : place_(where.place), code_(elements.code) {
    require_job(place_);
    if (name.empty()) name = unnamed(*place_.job, where);
    auto g = describe(where, widths, elements, 1, std::move(name));
    for (int r = 0; r < place_.ranks; ++r) require_countable(g, r); // all ranks complain, or none
    call_reason const reason{place_.job->waits.get(), fmt::format("in attach of array \"{}\"", g.name)};
    settle_strides(*place_.job->boot, g, brought, elements.halves);
    g.one_address_space = place_.job->memory->one_address_space();
    shape_ = std::make_shared<geometry const>(std::move(g));
    place_.job->remember(shape_, shape_->name);
    mine_ = std::make_shared<part const>(part_of(*shape_, place_.rank));
    std::array const halves{brought.first, brought.other};
    for (std::size_t i = 0; i < static_cast<std::size_t>(elements.halves); ++i) {
        if (shape_->bytes(place_.rank) > 0) memory_[i] = {place_.job, halves[i]}; // not ours to free
        watch(i);
    }
    if (elements.halves == 2) half_ = std::make_shared<int>(0);
    outside_is_filled();
}

void field::fill_device(int half, std::span<std::byte const> element) {
    auto& j = *place_.job;
    copy_pattern(j, memory_[static_cast<std::size_t>(half)].get(), element, elements());
}

void field::watch(std::size_t half) {
    auto const& list = watches(*place_.job);
    if (!list) return;
    watch_[half] = std::make_shared<halo_watch>(*shape_, place_.rank, memory_[half].get(), code_);
    list->add(watch_[half]);
}

watch_list* checks(sode::detail::place const& where) noexcept {
    return where.job ? watches(*where.job).get() : nullptr;
}

watch_list* field::checks() const noexcept {
    return detail::checks(place_);
}

halo_source field::halo() const {
    static_cast<void>(made());
    halo_source s;
    s.owner = place_.job.get();
    s.shape = shape_;
    s.memory = memory_;
    s.watch = watch_;
    s.half = half_;
    s.element = code_;
    s.on_device = on_device_;
    s.room = room_;
    s.steps = steps_;
    for (std::size_t d = 0; d < static_cast<std::size_t>(shape_->dims); ++d) {
        auto const times = has_tile_room(shape_->axes, shape_->dims, d) ? room_ : 1;
        s.lower[d] = shape_->axes[d].shadow_lower / times;
        s.upper[d] = shape_->axes[d].shadow_upper / times;
        s.full[d] = shape_->axes[d].full;
    }
    return s;
}

field::part field::part_of(geometry const& g, int rank) {
    part p{.owned = g.owned(rank),
           .allocated = g.allocated(rank),
           .strides = g.strides(rank),
           .component_bytes = g.component_bytes(rank),
           .cyclic = cyclic_dim(g.dims, g.axes)};
    auto const at = g.grid.coordinates(rank);
    for (std::size_t d = 0; d < static_cast<std::size_t>(g.dims) && at[0] >= 0; ++d)
        if (auto const& a = g.axes[d]; a.cyclic()) p.turn[d] = a.turns_of(at[static_cast<std::size_t>(a.grid_dim)]);
    return p;
}

geometry::block field::reach() const {
    auto part = made().mine_->owned;
    if (part[0].size() == 0) return part;
    for (std::size_t d = 0; d < static_cast<std::size_t>(shape_->dims); ++d)
        if (shape_->axes[d].cyclic()) part[d] = {0, shape_->axes[d].extent};
    return part;
}

void field::refuse_moved() {
    sode::internal::refuse_moved("an array");
}

index_t field::elements() const {
    return mine_->component_bytes / shape_->element_bytes;
}

} // namespace sode::detail
