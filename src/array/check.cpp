// SPDX-License-Identifier: Apache-2.0
#include <sode/check.hpp>
#include <sode/error.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <utility>

namespace sode::detail {
namespace {

std::size_t count(int dims) {
    return static_cast<std::size_t>(dims);
}

bool empty(geometry::block const& b, int dims) {
    return std::any_of(b.begin(), b.begin() + dims, [](auto const& s) { return s.size() == 0; });
}

std::uint64_t hash_bytes(std::byte const* first, std::size_t bytes, std::uint64_t hash) noexcept {
    for (std::size_t i = 0; i < bytes; i += sizeof(std::uint64_t)) {
        std::uint64_t word = 0;
        std::memcpy(&word, first + i, std::min(sizeof word, bytes - i));
        hash = (hash ^ word) * 0x9e3779b97f4a7c15ULL;
        hash ^= hash >> 29U;
    }
    return hash;
}

// Row by row, in any dimension count; element by element where those of a row lie apart.
std::uint64_t hash_block(geometry const& g, int rank, std::byte const* base, geometry::block const& part,
                         std::uint64_t hash) noexcept {
    if (empty(part, g.dims)) return hash;
    auto const last = count(g.dims) - 1;
    bool const rows = g.strides(rank)[last] == g.element_bytes;
    auto const row = static_cast<std::size_t>((rows ? part[last].size() : 1) * g.element_bytes);
    auto const next_component = g.component_bytes(rank);
    std::array<index_t, max_dims> at{};
    for (std::size_t d = 0; d <= last; ++d) at[d] = part[d].lower;
    for (;;) {
        for (index_t c = 0; c < g.components; ++c) hash = hash_bytes(base + c * next_component + g.offset(rank, at), row, hash);
        std::size_t d = rows ? last : last + 1;
        for (; d > 0; --d) {
            if (++at[d - 1] < part[d - 1].upper) break;
            at[d - 1] = part[d - 1].lower;
        }
        if (d == 0) return hash;
    }
}

} // namespace

bool refresh::covers(refresh const& other) const noexcept {
    auto const wide_enough = [](auto const& mine, auto const& theirs) {
        return std::equal(mine.begin(), mine.end(), theirs.begin(), std::greater_equal{});
    };
    return wide_enough(lower, other.lower) && wide_enough(upper, other.upper) && wide_enough(periodic, other.periodic) &&
           wide_enough(full, other.full) && corners >= other.corners;
}

halo_watch::halo_watch(geometry const& shape, int rank, std::byte const* base)
    : shape_(&shape), rank_(rank), base_(base), owned_(shape.owned(rank)), allocated_(shape.allocated(rank)) {}

void halo_watch::begin_exchange(refresh const& what) {
    look();
    was_fresh_ = state_ == state::fresh;
    pending_ = what;
    sum_ = checksum(pending_);
    state_ = state::in_flight;
}

void halo_watch::end_exchange() {
    state_ = state::stale;
    if (checksum(pending_) != sum_)
        throw error{error_kind::usage, fmt::format("array \"{}\" was written on rank {} during its exchange", shape_->name, rank_),
                    "neighbours were reading the outermost layers of the block", "write them before start() or after wait()"};
    // A narrower exchange does not take away what a wider one has brought, as long as that is true.
    if (!was_fresh_ || !fresh_.covers(pending_)) fresh_ = pending_;
    sum_ = checksum(fresh_);
    state_ = state::fresh;
}

void halo_watch::look() {
    if (state_ == state::fresh && checksum(fresh_) != sum_) state_ = state::stale;
}

// Neighbours hold copies of the layers next to them, as many as their own halo takes from this side.
std::uint64_t halo_watch::checksum(refresh const& copies) const noexcept {
    std::uint64_t hash = 0x68616c6f;
    if (!base_) return hash;
    auto rest = owned_;
    for (std::size_t d = 0; d < count(shape_->dims); ++d) {
        bool const below = owned_[d].lower > 0 || copies.periodic[d];
        bool const above = owned_[d].upper < shape_->axes[d].extent || copies.periodic[d];
        auto low = rest, high = rest;
        low[d].upper = std::min(rest[d].upper, rest[d].lower + (below ? copies.upper[d] : 0));
        high[d].lower = std::max(low[d].upper, rest[d].upper - (above ? copies.lower[d] : 0));
        hash = hash_block(*shape_, rank_, base_, low, hash);
        hash = hash_block(*shape_, rank_, base_, high, hash);
        rest[d] = {low[d].upper, high[d].lower};
    }
    return hash;
}

void halo_watch::require(std::span<index_t const> at) const {
    auto const dims = count(shape_->dims);
    auto const component = at.size() > dims ? at[0] : 0;
    std::array<index_t, max_dims> element{};
    for (std::size_t d = 0; d < dims; ++d) element[d] = place_of(d, at.last(dims)[d]);
    bool mine = component >= 0 && component < shape_->components, here = mine;
    for (std::size_t d = 0; d < dims; ++d) {
        mine = mine && element[d] >= owned_[d].lower && element[d] < owned_[d].upper;
        here = here && element[d] >= allocated_[d].lower && element[d] < allocated_[d].upper;
    }
    if (mine) return;
    if (!here) complain_foreign(at);
    require_halo(at);
}

// Where a dimension is cyclic, indices that do not exist stay outside all places.
index_t halo_watch::place_of(std::size_t d, index_t i) const noexcept {
    auto const& a = shape_->axes[d];
    return i < 0 || i >= a.extent ? i : a.place(i);
}

void halo_watch::complain_foreign(std::span<index_t const> at) const {
    auto const element = at.last(count(shape_->dims));
    std::array<index_t, max_dims> global{};
    std::copy(element.begin(), element.end(), global.begin());
    bool exists = at.size() == element.size() || (at[0] >= 0 && at[0] < shape_->components);
    std::vector<std::string> block;
    for (std::size_t d = 0; d < element.size(); ++d) {
        exists = exists && element[d] >= 0 && element[d] < shape_->axes[d].extent;
        auto const& a = shape_->axes[d];
        block.push_back(a.cyclic() ? fmt::format("{} dealt out by {}", allocated_[d].size(), a.chunk)
                                   : fmt::format("{}:{}", allocated_[d].lower, allocated_[d].upper));
    }
    auto const problem = fmt::format("element ({}) of array \"{}\" is not on rank {}", fmt::join(at, ", "), shape_->name, rank_);
    auto const has = fmt::format("which has [{}) with its shadow", fmt::join(block, ", "));
    if (exists)
        throw error{error_kind::usage, problem, fmt::format("rank {} owns it; {}", shape_->owner(global), has),
                    "give the array a wider shadow and reflect it, or loop over fewer elements"};
    throw error{error_kind::usage, problem, fmt::format("it does not exist; {}", has), "loop over fewer elements"};
}

void halo_watch::require_halo(std::span<index_t const> at) const {
    auto const element = at.last(count(shape_->dims));
    refresh const& known = state_ == state::in_flight ? pending_ : fresh_;
    int moved = 0;
    bool reached = true, far = false;
    for (std::size_t d = 0; d < element.size(); ++d) {
        // What lies outside the array belongs to the user, who may keep boundary values there.
        if ((element[d] < 0 || element[d] >= shape_->axes[d].extent) && !known.periodic[d]) return;
        if (shape_->axes[d].cyclic()) continue; // no halo there
        index_t const below = owned_[d].lower - element[d], above = element[d] - owned_[d].upper + 1;
        if (below > 0 || above > 0) {
            far = far || known.full[d];
            moved += known.full[d] ? 0 : 1;
        }
        reached = reached && below <= known.lower[d] && above <= known.upper[d];
    }
    auto const complain = [&](std::string_view why, std::string_view suggestion) {
        throw error{error_kind::usage,
                    fmt::format("halo element ({}) of array \"{}\" is stale on rank {}", fmt::join(at, ", "), shape_->name, rank_),
                    why, suggestion};
    };
    switch (state_) {
    case state::never:
        complain("it has never been exchanged", "run an exchange made by sode::reflect_init before this loop");
        break;
    case state::stale: complain("the array was written since its last exchange", "run its exchange again before this loop"); break;
    case state::in_flight: complain("its exchange is under way", "call wait() before this loop, or use overlap()"); break;
    case state::fresh:
        if (!reached) complain("its last exchange fetched fewer layers", "exchange it with a larger width");
        if (moved > 0 && far)
            complain("it lies in the halo of one dimension and in the full shadow of another, which no exchange brings",
                     "give both dimensions a full shadow");
        if (moved > 1 && !known.corners) complain("its last exchange left out corners", "plan it with {.corners = true}");
    }
}

void watch_list::begin_loop() {
    std::erase_if(watches_, [](auto const& w) { return w.expired(); });
    for (auto const& w : watches_)
        if (auto const alive = w.lock()) alive->look();
}

void watch_list::warn_unchecked() {
    if (std::exchange(warned_, true)) return;
    std::fputs("sode: warning: a loop whose body is not generic is not checked (SODE_CHECK=halo); write its parameters as auto\n",
               stderr);
}

} // namespace sode::detail
