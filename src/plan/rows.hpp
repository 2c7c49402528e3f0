// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "layout/copy_program.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace sode {

/// Calls f(source, target, bytes) for every contiguous row that `p` moves, offsets relative to the two bases. This is the meaning
/// of a program, as verify and the printers see it; it shares no code with the kernels on purpose.
template <class F> void for_each_row(copy_program const& p, F&& f) {
    auto const row = [&](index_t src, index_t dst, index_t bytes) {
        f(src, dst, bytes);
        if (p.twin) f(src + p.twin_src, dst + p.twin_dst, bytes);
    };
    if (!p.segments.empty()) {
        for (auto const& s : p.segments)
            if (s.bytes > 0) f(s.src, s.dst, s.bytes);
        return;
    }
    if (p.block == 0) return;
    auto const loops = static_cast<std::size_t>(p.loop_count);
    for (std::size_t l = 0; l < loops; ++l)
        if (p.loops[l].count <= 0) return;
    std::array<index_t, max_dims + 1> at{}; // the odometer of the loops
    index_t src = p.src_offset, dst = p.dst_offset;
    for (;;) {
        row(src, dst, p.block);
        std::size_t l = loops;
        while (l > 0) {
            auto const& loop = p.loops[--l];
            src += loop.src_stride;
            dst += loop.dst_stride;
            if (++at[l] < loop.count) break;
            src -= loop.src_stride * loop.count;
            dst -= loop.dst_stride * loop.count;
            at[l] = 0;
            if (l == 0) return;
        }
        if (loops == 0) return;
    }
}

/// First byte and one past the last byte that a program touches, relative to the bases. Both {0, 0} if it moves nothing.
struct reach {
    std::pair<index_t, index_t> source{0, 0};
    std::pair<index_t, index_t> target{0, 0};
};

/// Cost: O(loops) for a nest, O(segments) for a list.
[[nodiscard]] inline reach reach_of(copy_program const& p) {
    using interval = std::pair<index_t, index_t>;
    auto const hull = [](interval const& a, interval const& b) {
        if (a.first == a.second) return b;
        return interval{std::min(a.first, b.first), std::max(a.second, b.second)};
    };
    reach r;
    if (!p.segments.empty()) {
        for (auto const& s : p.segments)
            if (s.bytes > 0) r = {hull(r.source, {s.src, s.src + s.bytes}), hull(r.target, {s.dst, s.dst + s.bytes})};
        return r;
    }
    if (p.block == 0) return r;
    r = {{p.src_offset, p.src_offset + p.block}, {p.dst_offset, p.dst_offset + p.block}};
    auto const widen = [](interval& range, index_t by) { (by < 0 ? range.first : range.second) += by; };
    for (std::size_t l = 0; l < p.loop_count; ++l) {
        auto const& loop = p.loops[l];
        if (loop.count <= 0) return {};
        widen(r.source, (loop.count - 1) * loop.src_stride);
        widen(r.target, (loop.count - 1) * loop.dst_stride);
    }
    if (!p.twin) return r;
    auto const moved = [](interval const& range, index_t by) { return interval{range.first + by, range.second + by}; };
    return {hull(r.source, moved(r.source, p.twin_src)), hull(r.target, moved(r.target, p.twin_dst))};
}

} // namespace sode
