// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "layout/copy_program.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace sode {

/// Calls f(source, target, bytes) for every contiguous row that `p` moves, offsets relative to the two bases. This is the meaning
/// of a program, as verify and the printers see it; it shares no code with the kernels on purpose.
template <class F>
void for_each_row(copy_program const& p, F&& f) {
    auto const row = [&](index_t src, index_t dst, index_t bytes) {
        f(src, dst, bytes);
        if (p.twin) f(src + p.twin_src, dst + p.twin_dst, bytes);
    };
    if (!p.segments.empty()) {
        for (auto const& s : p.segments) f(s.src, s.dst, s.bytes);
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

/// First byte and one past the last byte that `p` touches, relative to the bases: {source, target}.
struct reach {
    std::pair<index_t, index_t> source{0, 0};
    std::pair<index_t, index_t> target{0, 0};
};

/// Cost: O(loops) for a nest, O(segments) for a list.
[[nodiscard]] inline reach reach_of(copy_program const& p) {
    reach r;
    bool first = true;
    auto const include = [&](index_t src, index_t dst, index_t bytes) {
        if (first) r = {{src, src}, {dst, dst}};
        first = false;
        r.source = {std::min(r.source.first, src), std::max(r.source.second, src + bytes)};
        r.target = {std::min(r.target.first, dst), std::max(r.target.second, dst + bytes)};
    };
    if (!p.segments.empty())
        for (auto const& s : p.segments) include(s.src, s.dst, s.bytes);
    else if (p.block > 0) {
        include(p.src_offset, p.dst_offset, p.block);
        for (std::size_t l = 0; l < p.loop_count; ++l) {
            auto const widen = [&](std::pair<index_t, index_t>& range, index_t by) { (by < 0 ? range.first : range.second) += by; };
            if (p.loops[l].count <= 0) return {};
            widen(r.source, (p.loops[l].count - 1) * p.loops[l].src_stride);
            widen(r.target, (p.loops[l].count - 1) * p.loops[l].dst_stride);
        }
    }
    if (p.twin && p.segments.empty() && !first) {
        r.source = {std::min(r.source.first, r.source.first + p.twin_src), std::max(r.source.second, r.source.second + p.twin_src)};
        r.target = {std::min(r.target.first, r.target.first + p.twin_dst), std::max(r.target.second, r.target.second + p.twin_dst)};
    }
    return r;
}

} // namespace sode
