// SPDX-License-Identifier: Apache-2.0
#include "layout/copy_nest.hpp"

#include <algorithm>
#include <span>

namespace sode {
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

bool overlaps_itself(std::vector<layout::piece> pieces) {
    std::sort(pieces.begin(), pieces.end(), [](auto const& a, auto const& b) { return a.offset < b.offset; });
    return std::adjacent_find(pieces.begin(), pieces.end(),
                              [](auto const& a, auto const& b) { return a.offset + a.bytes > b.offset; }) != pieces.end();
}

} // namespace

bool overlaps_itself(layout const& l) {
    if (l.indexed()) return overlaps_itself(l.list);
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

} // namespace sode
