// SPDX-License-Identifier: Apache-2.0
#include "layout/cache_line.hpp"
#include "layout/copy_kernels.hpp"
#include "layout/copy_nest.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace sode::internal {
namespace {

using loop = copy_program::loop;

index_t magnitude(index_t stride) {
    return stride < 0 ? -stride : stride;
}

/// Joins loops of which one continues the other, on both sides.
void join(copy_nest& nest) {
    std::vector<loop> joined; // innermost first while it grows
    for (auto it = nest.loops.rbegin(); it != nest.loops.rend(); ++it) {
        loop* const inner = joined.empty() ? nullptr : &joined.back();
        if (it->count == 1)
            continue;
        else if (!inner && it->src_stride == nest.block && it->dst_stride == nest.block)
            nest.block *= it->count;
        else if (inner && it->src_stride == inner->count * inner->src_stride && it->dst_stride == inner->count * inner->dst_stride)
            inner->count *= it->count;
        else
            joined.push_back(*it);
    }
    std::reverse(joined.begin(), joined.end());
    nest.loops = std::move(joined);
}

struct tile {
    index_t outer = 0;
    index_t inner = 0;
};

/// As many iterations as fill `lines` whole lines, but not fewer than `least`. Measured on transposes of 64^2 to 2048^2 elements of
/// 4 to 32 bytes: smaller tiles pay for their loops, larger ones fall out of the first-level cache where the pitch is a power of
/// two.
index_t tile_extent(index_t stride, index_t lines, index_t least) {
    return std::clamp(lines * line / std::max(magnitude(stride), index_t{1}), least, index_t{64});
}

/// The farther apart the lines of the source are, the more of each page had better be used once it was found.
index_t least_outer(index_t pitch) {
    auto const kilobytes = static_cast<index_t>(std::bit_floor(static_cast<std::uint64_t>(magnitude(pitch)))) / 1024;
    return std::clamp(kilobytes, index_t{8}, index_t{32});
}

/// Where another loop than the innermost walks along the lines of the source, no order of loops uses the lines of both sides.
/// Makes the two the innermost ones and says in which tiles to walk them; or, where the target gains nothing from its order,
/// lets the source have its way.
tile mend_transpose(copy_nest& nest) {
    if (nest.loops.size() < 2 || nest.block >= line) return {};
    auto& loops = nest.loops;
    auto const along_source = std::min_element(
        loops.begin(), loops.end(), [](loop const& a, loop const& b) { return magnitude(a.src_stride) < magnitude(b.src_stride); });
    bool const source_shares_lines = magnitude(along_source->src_stride) < line && along_source->src_stride != 0;
    if (along_source == loops.end() - 1 || !source_shares_lines || magnitude(loops.back().src_stride) < line) return {};

    bool const target_shares_lines = loops.back().dst_stride < line;
    std::rotate(along_source, along_source + 1, target_shares_lines ? loops.end() - 1 : loops.end());
    if (!target_shares_lines) return {};
    loop const& outer = loops[loops.size() - 2];
    loop const& inner = loops.back();
    return {tile_extent(outer.src_stride, 1, least_outer(inner.src_stride)), tile_extent(inner.dst_stride, 2, 16)};
}

} // namespace

void turn_upwards(copy_nest& nest) {
    for (loop& l : nest.loops) {
        if (l.dst_stride >= 0) continue;
        nest.src_offset += (l.count - 1) * l.src_stride;
        nest.dst_offset += (l.count - 1) * l.dst_stride;
        l.src_stride = -l.src_stride;
        l.dst_stride = -l.dst_stride;
    }
}

void sort_by_target(copy_nest& nest) {
    std::stable_sort(nest.loops.begin(), nest.loops.end(), [](loop const& a, loop const& b) {
        return a.dst_stride != b.dst_stride ? a.dst_stride > b.dst_stride : magnitude(a.src_stride) > magnitude(b.src_stride);
    });
}

std::optional<copy_program> to_program(copy_nest nest) {
    turn_upwards(nest);
    sort_by_target(nest);
    join(nest);
    tile const tiles = mend_transpose(nest);
    if (nest.loops.size() > std::size(copy_program{}.loops)) return std::nullopt;

    copy_program p;
    p.src_offset = nest.src_offset;
    p.dst_offset = nest.dst_offset;
    p.block = nest.block;
    p.bytes = nest.block;
    p.loop_count = static_cast<std::uint8_t>(nest.loops.size());
    std::copy(nest.loops.begin(), nest.loops.end(), p.loops);
    for (loop const& l : nest.loops) p.bytes *= l.count;
    p.tile_outer = static_cast<std::uint8_t>(tiles.outer);
    p.tile_inner = static_cast<std::uint8_t>(tiles.inner);
    p.kernel = kernel_for(p);
    return p;
}

copy_program to_program(std::vector<copy_program::segment> segments) {
    copy_program p;
    p.block = segments.front().bytes;
    for (auto const& q : segments) {
        p.bytes += q.bytes;
        if (q.bytes != p.block) p.block = 0;
    }
    p.set_table(std::move(segments));
    p.kernel = kernel_for(p);
    return p;
}

} // namespace sode::internal
