// SPDX-License-Identifier: Apache-2.0
#include "space/arena.hpp"

#include <sode/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace sode::internal {
namespace {

std::uint64_t round_up(std::uint64_t value, std::uint64_t power_of_two) noexcept {
    return (value + power_of_two - 1) & ~(power_of_two - 1);
}
std::uint64_t round_down(std::uint64_t value, std::uint64_t power_of_two) noexcept {
    return value & ~(power_of_two - 1);
}

std::uint64_t footprint(std::uint64_t bytes) noexcept {
    return round_up(std::max<std::uint64_t>(bytes, 1), arena::alignment);
}

} // namespace

arena::arena(std::uint64_t bytes, std::uint64_t granule) : bytes_(bytes), granule_(granule) {
    if (bytes_ != 0) extents_.emplace(0, extent{bytes_, false});
}

arena::range arena::unused_granules(range place, range hole) const noexcept {
    auto const first = std::max(round_down(place.offset, granule_), round_up(hole.offset, granule_));
    auto const last = std::min(round_up(place.end(), granule_), round_down(hole.end(), granule_));
    return first < last ? range{first, last - first} : range{};
}

std::optional<arena::block> arena::take(std::uint64_t bytes) {
    if (bytes > bytes_) return std::nullopt; // also keeps footprint() from overflowing
    auto const needed = footprint(bytes);
    auto const fits = [needed](auto const& e) { return !e.second.live && e.second.bytes >= needed; };
    auto const found = std::find_if(extents_.begin(), extents_.end(), fits);
    if (found == extents_.end()) return std::nullopt;

    range const hole{found->first, found->second.bytes};
    if (hole.bytes > needed) extents_.emplace_hint(std::next(found), hole.offset + needed, extent{hole.bytes - needed, false});
    found->second = {needed, true};
    in_use_ += needed;
    range const place{hole.offset, needed};
    return block{place, unused_granules(place, hole)};
}

arena::range arena::give(std::uint64_t offset, std::uint64_t bytes) {
    auto const at = extents_.find(offset);
    if (at == extents_.end() || !at->second.live || at->second.bytes != footprint(bytes))
        throw error{error_kind::internal, fmt::format("{} bytes at offset {} were released, but are not allocated", bytes, offset),
                    "the bytes were released twice, or were allocated with another size", "report this defect of Sode"};
    range const place{offset, at->second.bytes};
    in_use_ -= place.bytes;
    at->second.live = false;

    auto hole = at;
    if (auto const next = std::next(at); next != extents_.end() && !next->second.live) {
        hole->second.bytes += next->second.bytes;
        extents_.erase(next);
    }
    if (at != extents_.begin()) {
        if (auto const previous = std::prev(at); !previous->second.live) {
            previous->second.bytes += at->second.bytes;
            extents_.erase(at);
            hole = previous;
        }
    }
    return unused_granules(place, {hole->first, hole->second.bytes});
}

arena::range arena::block_at(std::uint64_t offset) const noexcept {
    auto const next = extents_.upper_bound(offset);
    if (offset >= bytes_ || next == extents_.begin()) return {};
    auto const& [begin, e] = *std::prev(next);
    return e.live ? range{begin, e.bytes} : range{};
}

std::uint64_t arena::largest_hole() const noexcept {
    std::uint64_t largest = 0;
    for (auto const& [offset, e] : extents_)
        if (!e.live) largest = std::max(largest, e.bytes);
    return largest;
}

} // namespace sode::internal
