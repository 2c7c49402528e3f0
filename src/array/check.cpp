// SPDX-License-Identifier: Apache-2.0
#include <sode/check.hpp>

#include <sode/domain.hpp>
#include <sode/error.hpp>

#include "array/outside.hpp"
#include "base/mixing.hpp"
#include "base/warn.hpp"
#include "model/job.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <sstream>
#include <utility>

namespace sode::detail {
using namespace internal;

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
        mix(hash, word);
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
           wide_enough(fills_lower, other.fills_lower) && wide_enough(fills_upper, other.fills_upper) &&
           wide_enough(images_lower, other.images_lower) && wide_enough(images_upper, other.images_upper) &&
           wide_enough(full, other.full) && corners >= other.corners;
}

struct halo_watch::element {
    index_t component = 0;
    std::array<index_t, max_dims> places{};
};

halo_watch::halo_watch(geometry const& shape, int rank, std::byte* base, std::uint8_t element)
    : shape_(&shape), rank_(rank), base_(base), outside_(std::make_unique<outside_elements>(shape, rank, base, element)),
      account_(std::make_shared<watch_account>()), owned_(shape.owned(rank)), allocated_(shape.allocated(rank)) {}

halo_watch::~halo_watch() {
    if (list_) std::erase(list_->deferred_, this);
}

void halo_watch::filled_at_first(index_t component, std::span<std::byte const> element) {
    outside_->filled_at_first(component, element);
}

void halo_watch::outside_is_programs() {
    outside_->belong_to_program();
}

void halo_watch::begin_reading() {
    look();
    account_->looked_at = true;
}

void halo_watch::begin_exchange(refresh const& what) {
    look();
    was_fresh_ = state_ == state::fresh;
    pending_ = what;
    sum_ = checksum(pending_);
    state_ = state::in_flight;
    for (std::size_t d = 0; d < count(shape_->dims); ++d)
        account_->filled_by_others |= (what.lower[d] > 0 && (owned_[d].lower > 0 || what.periodic[d])) ||
                                      (what.upper[d] > 0 && (owned_[d].upper < shape_->axes[d].extent || what.periodic[d]));
}

void halo_watch::end_exchange() {
    state_ = state::stale;
    if (checksum(pending_) != sum_)
        throw error{error_kind::usage,
                    fmt::format("array \"{}\" was written on rank {} during an exchange of its halo", shape_->name, rank_),
                    "neighbours were reading the outermost layers of the block",
                    "write the outermost layers before start() or after wait()"};
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
        low[d].upper = std::min(rest[d].upper, rest[d].lower + (below ? copies.upper[d] : copies.images_lower[d]));
        high[d].lower = std::max(low[d].upper, rest[d].upper - (above ? copies.lower[d] : copies.images_upper[d]));
        hash = hash_block(*shape_, rank_, base_, low, hash);
        hash = hash_block(*shape_, rank_, base_, high, hash);
        rest[d] = {low[d].upper, high[d].lower};
    }
    return hash;
}

void halo_watch::require(std::span<index_t const> at) {
    element found;
    if (!usable(at, found)) complain_unfilled(at);
}

std::byte* halo_watch::access(std::span<index_t const> at) {
    element found;
    if (usable(at, found) || !list_) return nullptr;
    if (!std::exchange(deferred_, true)) list_->deferred_.push_back(this);
    return outside_->defer(found.component, found.places, at);
}

// False if it depends on whether the element is read or written; then `found` says which one it is.
bool halo_watch::usable(std::span<index_t const> at, element& found) {
    auto const dims = count(shape_->dims);
    found.component = at.size() > dims ? at[0] : 0;
    for (std::size_t d = 0; d < dims; ++d) found.places[d] = place_of(d, at.last(dims)[d]);
    bool mine = found.component >= 0 && found.component < shape_->components, here = mine;
    for (std::size_t d = 0; d < dims; ++d) {
        mine = mine && found.places[d] >= owned_[d].lower && found.places[d] < owned_[d].upper;
        here = here && found.places[d] >= allocated_[d].lower && found.places[d] < allocated_[d].upper;
    }
    if (mine) return true;
    if (!here) complain_foreign(at);
    account_->looked_at = true;
    if (belongs_outside(at.last(dims))) return outside_->filled(found.component, found.places);
    require_halo(at);
    return true;
}

void halo_watch::settle(bool quietly) {
    deferred_ = false;
    if (auto const read = outside_->settle(); !read.empty() && !quietly) complain_unfilled(read);
}

// Outside the array in a dimension in which no exchange brings anything.
bool halo_watch::belongs_outside(std::span<index_t const> element) const noexcept {
    auto const& exchange = known();
    for (std::size_t d = 0; d < element.size(); ++d)
        if ((element[d] < 0 && !exchange.fills_lower[d] && !exchange.periodic[d]) ||
            (element[d] >= shape_->axes[d].extent && !exchange.fills_upper[d] && !exchange.periodic[d]))
            return true;
    return false;
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
        block.push_back(a.cyclic() ? fmt::format("{} in chunks of {}", allocated_[d].size(), a.chunk)
                                   : fmt::format("{}:{}", allocated_[d].lower, allocated_[d].upper));
    }
    auto const problem = fmt::format("element ({}) of array \"{}\" is not on rank {}", fmt::join(at, ", "), shape_->name, rank_);
    auto const has = fmt::format("rank {} has [{}) with its shadow", rank_, fmt::join(block, ", "));
    if (exists)
        throw error{error_kind::usage, problem, fmt::format("the owner is rank {}; {}", shape_->owner(global), has),
                    "give the array a wider shadow and exchange its halo, or loop over fewer elements"};
    throw error{error_kind::usage, problem, fmt::format("the element does not exist; {}", has), "loop over fewer elements"};
}

void halo_watch::complain_unfilled(std::span<index_t const> at) const {
    throw error{error_kind::usage,
                fmt::format("element ({}) of array \"{}\" was read on rank {}, but was never filled", fmt::join(at, ", "),
                            shape_->name, rank_),
                "the element is outside the array, and neither the program nor an exchange has written this element",
                "loop over g.inner(), plan a periodic exchange ({.periodic = true}), or write the element first and call "
                "outside_is_filled()"};
}

void halo_watch::require_halo(std::span<index_t const> at) const {
    auto const element = at.last(count(shape_->dims));
    refresh const& exchange = known();
    int moved = 0;
    bool reached = true, far = false;
    for (std::size_t d = 0; d < element.size(); ++d) {
        if (shape_->axes[d].cyclic()) continue; // no halo there
        index_t const below = owned_[d].lower - element[d], above = element[d] - owned_[d].upper + 1;
        if (below > 0 || above > 0) {
            far = far || exchange.full[d];
            moved += exchange.full[d] ? 0 : 1;
        }
        reached = reached && below <= exchange.lower[d] && above <= exchange.upper[d];
    }
    auto const complain = [&](std::string_view why, std::string_view suggestion) {
        throw error{error_kind::usage,
                    fmt::format("halo element ({}) of array \"{}\" is stale on rank {}", fmt::join(at, ", "), shape_->name, rank_),
                    why, suggestion};
    };
    switch (state_) {
    case state::never:
        complain("this halo has never been exchanged", "run an exchange made by sode::reflect_init before this loop");
        break;
    case state::stale:
        complain("the array was written since its last exchange", "run the exchange of the array again before this loop");
        break;
    case state::in_flight:
        complain("the exchange of this halo is in progress", "call wait() before this loop, or use overlap()");
        break;
    case state::fresh:
        if (!reached) complain("the last exchange fetched fewer layers", "exchange the array with a larger width");
        if (moved > 0 && far)
            complain(
                "no exchange fetches elements that are in the halo of one dimension and in the full shadow of another dimension",
                "give both dimensions a full shadow");
        if (moved > 1 && !exchange.corners)
            complain("the last exchange omitted corners", "plan the exchange with {.corners = true}");
    }
}

watch_list::~watch_list() {
    for (auto const& w : watches_)
        if (auto const alive = w.lock()) alive->list_ = nullptr;
}

void watch_list::add(std::shared_ptr<halo_watch> const& watch) {
    watches_.push_back(watch);
    watch->list_ = this;
    auto const known = std::ranges::find(
        accounts_, watch->shape_->name, [](auto const& a) -> auto const& { return a->name; });
    if (known == accounts_.end()) {
        watch->account_->name = watch->shape_->name;
        accounts_.push_back(watch->account_);
    } else {
        watch->account_ = *known;
    }
    auto const& account = watch->account_;
    for (std::size_t d = 0; d < count(watch->shape_->dims); ++d) {
        auto const& a = watch->shape_->axes[d];
        account->has_shadow |= a.shadow_lower > 0 || a.shadow_upper > 0 || a.full;
    }
}

void watch_list::settle(bool quietly) {
    auto const all = std::exchange(deferred_, {});
    for (auto const& watch : all) watch->settle(quietly);
}

void watch_list::report(job& j) const {
    std::string mine;
    for (auto const& account : accounts_)
        if (account->looked_at || (account->has_shadow && (account->filled_by_others || own_loops_)))
            mine += fmt::format("{}{}\n", account->looked_at ? '+' : '-', account->name);
    std::set<std::string> seen, missed;
    for (auto const& theirs : j.boot->allgather(mine)) {
        std::istringstream lines{theirs};
        for (std::string line; std::getline(lines, line);) (line[0] == '+' ? seen : missed).insert('"' + line.substr(1) + '"');
    }
    std::erase_if(missed, [&](auto const& name) { return seen.contains(name); });
    if (j.boot->rank() == 0 && !missed.empty())
        warn(fmt::format("reads of the halo of {} were not checked", fmt::join(missed, ", ")), "no checked loop has read this halo",
             "read arrays through checked() in your own loops, and declare the parameters of loop() bodies as auto");
}

void begin_reading(halo_watch& watch) {
    watch.begin_reading();
}

void note_own_loops(watch_list* checks) noexcept {
    if (checks) checks->note_own_loops();
}

void watch_list::begin_loop() {
    settle(true); // of a loop that ended with an error
    std::erase_if(watches_, [](auto const& w) { return w.expired(); });
    for (auto const& w : watches_)
        if (auto const alive = w.lock()) alive->look();
}

void watch_list::warn_unchecked() {
    if (std::exchange(warned_, true)) return;
    warn("a loop is not checked by SODE_CHECK=halo", "the body of the loop is not generic",
         "write the parameters of the body as auto");
}

} // namespace sode::detail
