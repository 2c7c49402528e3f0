// SPDX-License-Identifier: Apache-2.0
#include "layout/copy_nest.hpp"

#include <algorithm>
#include <numeric>
#include <span>

namespace sode::internal {
namespace {

index_t span_of(std::span<layout::loop const> loops, index_t block) {
    for (auto const& l : loops) block += (l.count - 1) * l.stride;
    return block;
}

/// Whether two different iterations of the nest lie less than `block` apart, given that those of the loops so far lie `distance`
/// apart. `loops` are those that remain, the largest stride last; `moved`: the iterations differ already.
bool meets(std::span<layout::loop const> loops, index_t block, index_t distance, bool moved) {
    if (loops.empty()) return moved && distance > -block && distance < block;
    layout::loop const& l = loops.back();
    auto const inner = loops.first(loops.size() - 1);
    index_t const reach = span_of(inner, block); // what the inner loops can still bridge, exclusive
    // |distance + d * stride| < reach leaves few d, one or two where the loops do not interleave.
    index_t const low = std::max((-reach - distance) / l.stride - 1, 1 - l.count);
    index_t const high = std::min((reach - distance) / l.stride + 1, l.count - 1);
    for (index_t d = moved ? low : std::max(low, index_t{0}); d <= high; ++d) { // the mirror image of a first step says the same
        index_t const next = distance + d * l.stride;
        if (next > -reach && next < reach && meets(inner, block, next, moved || d != 0)) return true;
    }
    return false;
}

/// Whether two of the pieces meet, by a mark for each `grain` bytes of which all of them are made.
bool meet_by_marks(std::vector<layout::piece> const& pieces, index_t low, index_t high, index_t grain) {
    std::vector<bool> met(static_cast<std::size_t>((high - low) / grain));
    for (auto const& p : pieces) {
        for (index_t at = (p.offset - low) / grain; at < (p.offset - low + p.bytes) / grain; ++at) {
            if (met[static_cast<std::size_t>(at)]) return true;
            met[static_cast<std::size_t>(at)] = true;
        }
    }
    return false;
}

bool meet_in_order(std::vector<layout::piece> const& ascending) {
    return std::adjacent_find(ascending.begin(), ascending.end(),
                              [](auto const& a, auto const& b) { return a.offset + a.bytes > b.offset; }) != ascending.end();
}

bool overlaps_itself(std::vector<layout::piece> pieces) {
    auto const before = [](layout::piece const& a, layout::piece const& b) { return a.offset < b.offset; };
    if (std::is_sorted(pieces.begin(), pieces.end(), before)) return meet_in_order(pieces);
    index_t grain = 0;
    index_t low = pieces.front().offset;
    index_t high = low;
    for (auto const& p : pieces) {
        low = std::min(low, p.offset);
        high = std::max(high, p.offset + p.bytes);
        grain = std::gcd(grain, p.bytes);
    }
    for (auto const& p : pieces) grain = std::gcd(grain, p.offset - low);
    constexpr index_t marks_for_a_piece = 512; // setting that many bits is faster than finding a piece its place among others
    if ((high - low) / grain / marks_for_a_piece <= static_cast<index_t>(pieces.size()))
        return meet_by_marks(pieces, low, high, grain);
    std::sort(pieces.begin(), pieces.end(), before);
    return meet_in_order(pieces);
}

/// Whether every loop steps over all that the loops within it reach, so that only a single iteration can overlap itself.
bool steps_over(std::vector<layout::loop> loops, index_t span) {
    for (auto& l : loops) l.stride = l.stride < 0 ? -l.stride : l.stride;
    std::sort(loops.begin(), loops.end(), [](auto const& a, auto const& b) { return a.stride < b.stride; });
    for (auto const& l : loops) {
        if (l.stride < span) return false;
        span += (l.count - 1) * l.stride;
    }
    return true;
}

bool parts_lie_apart(std::vector<layout> const& parts) {
    std::vector<std::pair<index_t, index_t>> extents;
    extents.reserve(parts.size());
    for (layout const& p : parts) extents.push_back(p.extent());
    std::sort(extents.begin(), extents.end());
    return std::adjacent_find(extents.begin(), extents.end(), [](auto const& a, auto const& b) { return a.second > b.first; }) ==
           extents.end();
}

bool nest_overlaps_itself(layout const& l) {
    auto loops = l.loops;
    for (auto& loop : loops) {
        if (loop.stride == 0) return true; // the normal form has no loop of one iteration
        if (loop.stride < 0) loop.stride = -loop.stride;
    }
    std::sort(loops.begin(), loops.end(), [](auto const& a, auto const& b) { return a.stride < b.stride; });
    bool interleaves = false;
    for (std::size_t i = 0; i < loops.size(); ++i) interleaves |= loops[i].stride < span_of(std::span{loops}.first(i), l.block);
    return interleaves && meets(loops, l.block, 0, false);
}

} // namespace

bool overlaps_itself(layout const& l) {
    if (l.is_nest()) return nest_overlaps_itself(l);
    if (std::any_of(l.loops.begin(), l.loops.end(), [](auto const& loop) { return loop.stride == 0; })) return true;
    if (!l.loops.empty()) {
        layout body = l;
        body.loops.clear();
        auto const [low, high] = body.extent();
        if (steps_over(l.loops, high - low)) return overlaps_itself(body);
        return overlaps_itself(expand(l));
    }
    if (l.indexed()) return overlaps_itself(l.list);
    if (std::any_of(l.parts.begin(), l.parts.end(), [](layout const& p) { return overlaps_itself(p); })) return true;
    return !parts_lie_apart(l.parts) && overlaps_itself(expand(l));
}

} // namespace sode::internal
