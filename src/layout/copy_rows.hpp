// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "layout/copy_header.hpp"

#include <algorithm>
#include <utility>

/// The meaning of a copy program, for everybody but the kernels, which are tested against it and share no code with it: the
/// reference, reductions, verify(), the printers. for_each_entry() is the only place that knows how programs are encoded.
namespace sode::internal {

/// Whether the program is made of a list, and not of one block. Either may be in loops.
[[nodiscard]] inline bool is_list(copy_header const& p) noexcept {
    return p.encoding != copy_encoding::block;
}

/// How many entries for_each_entry() meets.
[[nodiscard]] inline index_t entry_count(copy_header const& p) noexcept {
    return is_list(p) ? p.entries : 1;
}

/// Calls f(source, target, bytes) for what one iteration of all loops moves, relative to where that iteration begins: the entries
/// of a list, which may have no bytes, or the one block.
template <class F> void for_each_entry(copy_view const& p, F&& f) {
    auto const each = [&]<class Entry>(auto visit) {
        auto const* const first = static_cast<Entry const*>(p.table);
        for (index_t i = 0; i < p.entries; ++i) visit(first[i], i);
    };
    using place = copy_header::place;
    switch (p.encoding) {
    case copy_encoding::block: f(index_t{0}, index_t{0}, p.block); return;
    case copy_encoding::segments:
        return each.template operator()<copy_header::segment>([&](auto const& s, index_t) { f(s.src, s.dst, s.bytes); });
    case copy_encoding::hops:
        return each.template operator()<copy_header::hop>(
            [&](auto const& h, index_t) { f(index_t{h.src}, index_t{h.dst}, p.block); });
    case copy_encoding::gather:
        return each.template operator()<place>([&](place at, index_t i) { f(index_t{at}, i * p.place_step, p.block); });
    case copy_encoding::scatter:
        return each.template operator()<place>([&](place at, index_t i) { f(i * p.place_step, index_t{at}, p.block); });
    }
}

/// Calls f(source, target) for where each iteration of the loops of `p` begins; once, if there are none. The twin is not counted.
template <class F> void for_each_iteration(copy_header const& p, F&& f) {
    using loop = copy_header::loop;
    int const depth = p.loop_count;
    for (int k = 0; k < depth; ++k)
        if (p.loops[k].count <= 0) return;
    loop const inner = depth == 0 ? loop{} : p.loops[depth - 1];
    index_t at[max_dims + 1] = {}; // the odometer of the loops around the innermost one
    index_t src = p.src_offset, dst = p.dst_offset;
    for (;;) {
        for (index_t i = 0; i < inner.count; ++i) f(src + i * inner.src_stride, dst + i * inner.dst_stride);
        int k = depth - 2;
        for (; k >= 0; --k) {
            loop const& l = p.loops[k];
            src += l.src_stride;
            dst += l.dst_stride;
            if (++at[k] < l.count) break;
            src -= l.src_stride * l.count;
            dst -= l.dst_stride * l.count;
            at[k] = 0;
        }
        if (k < 0) return;
    }
}

/// Calls f(source, target, bytes) for every contiguous row that `p` moves, offsets relative to the two bases. No row is empty.
template <class F> void for_each_row(copy_view const& p, F&& f) {
    for_each_iteration(p, [&](index_t src, index_t dst) {
        for_each_entry(p, [&](index_t entry_src, index_t entry_dst, index_t bytes) {
            if (bytes <= 0) return;
            f(src + entry_src, dst + entry_dst, bytes);
            if (p.twin) f(src + entry_src + p.twin_src, dst + entry_dst + p.twin_dst, bytes);
        });
    });
}

/// First byte and one past the last byte that a program touches, relative to the bases. Both {0, 0} if it moves nothing.
struct reach {
    std::pair<index_t, index_t> source{0, 0};
    std::pair<index_t, index_t> target{0, 0};
};

/// Cost: O(loops) for a nest, O(loops + entries) for a list.
[[nodiscard]] inline reach reach_of(copy_view const& p) {
    using interval = std::pair<index_t, index_t>;
    bool any = false;
    reach r;
    for_each_entry(p, [&](index_t src, index_t dst, index_t bytes) {
        if (bytes <= 0) return;
        auto const include = [&](interval& all, index_t low) {
            all = any ? interval{std::min(all.first, low), std::max(all.second, low + bytes)} : interval{low, low + bytes};
        };
        include(r.source, src);
        include(r.target, dst);
        any = true;
    });
    if (!any) return {};
    auto const moved = [](interval const& range, index_t by) { return interval{range.first + by, range.second + by}; };
    auto const widen = [](interval& range, index_t by) { (by < 0 ? range.first : range.second) += by; };
    r = {moved(r.source, p.src_offset), moved(r.target, p.dst_offset)};
    for (int k = 0; k < p.loop_count; ++k) {
        auto const& l = p.loops[k];
        if (l.count <= 0) return {};
        widen(r.source, (l.count - 1) * l.src_stride);
        widen(r.target, (l.count - 1) * l.dst_stride);
    }
    if (!p.twin) return r;
    widen(r.source, p.twin_src);
    widen(r.target, p.twin_dst);
    return r;
}

} // namespace sode::internal
