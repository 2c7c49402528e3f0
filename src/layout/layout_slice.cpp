// SPDX-License-Identifier: Apache-2.0
#include "layout/layout_algebra.hpp"

#include <sode/error.hpp>

#include <algorithm>
#include <fmt/format.h>

namespace sode::internal {
namespace {

/// One iteration of the outermost loop.
layout iteration_of(layout const& l) {
    layout inner = l;
    inner.loops.erase(inner.loops.begin());
    return inner;
}

/// Appends the bytes [begin, end) of `l`, which has that many, moved by `offset`.
void cut(layout const& l, index_t offset, index_t begin, index_t end, layout_sequence& out);

void cut_loop(layout const& l, index_t bytes, index_t offset, index_t begin, index_t end, layout_sequence& out) {
    auto const [count, stride] = l.loops.front();
    layout const inner = iteration_of(l);
    index_t const each = bytes / count;
    index_t const first = begin / each;
    index_t const last = (end - 1) / each; // inclusive
    if (first == last) return cut(inner, offset + first * stride, begin - first * each, end - first * each, out);
    index_t const whole_from = first + (begin % each != 0 ? 1 : 0);
    index_t const whole_to = end / each;
    if (whole_from > first) cut(inner, offset + first * stride, begin % each, each, out);
    out.add(inner, offset + whole_from * stride, whole_to - whole_from, stride);
    if (end % each != 0) cut(inner, offset + whole_to * stride, 0, end % each, out);
}

void cut(layout const& l, index_t offset, index_t begin, index_t end, layout_sequence& out) {
    if (begin >= end) return;
    index_t const bytes = l.bytes();
    if (begin == 0 && end == bytes) return out.add(l, offset);
    if (!l.loops.empty()) return cut_loop(l, bytes, offset, begin, end, out);
    if (l.is_nest()) return out.add_block(offset + l.offset + begin, end - begin);
    index_t at = 0;
    for (auto const& p : l.list) {
        index_t const from = std::max(begin, at);
        index_t const to = std::min(end, at + p.bytes);
        if (from < to) out.add_block(offset + p.offset + from - at, to - from);
        at += p.bytes;
        if (at >= end) return;
    }
    for (layout const& p : l.parts) {
        index_t const part = p.bytes();
        cut(p, offset, std::max(begin - at, index_t{0}), std::min(end - at, part), out);
        at += part;
        if (at >= end) return;
    }
}

} // namespace

layout slice(layout const& l, index_t begin, index_t end) {
    if (begin < 0 || begin > end || end > l.bytes())
        throw error{error_kind::usage, fmt::format("a layout of {} bytes has no bytes {} to {}", l.bytes(), begin, end),
                    "a slice must be inside its layout", "select bytes inside the layout"};
    layout_sequence out;
    cut(l, 0, begin, end, out);
    return out.finish();
}

std::vector<layout> slices(layout const& l, index_t bytes) {
    std::vector<layout> all;
    if (!l.indexed() || !l.loops.empty()) {
        index_t const whole = l.bytes();
        for (index_t begin = 0; begin < whole; begin += bytes) all.push_back(slice(l, begin, std::min(whole, begin + bytes)));
        return all;
    }
    // A list is walked once, not once a slice.
    layout_sequence open;
    index_t room = bytes;
    for (layout::piece p : l.list) {
        while (p.bytes > 0) {
            index_t const here = std::min(p.bytes, room);
            open.add_block(p.offset, here);
            p = {p.offset + here, p.bytes - here};
            room -= here;
            if (room > 0) continue;
            all.push_back(open.finish());
            room = bytes;
        }
    }
    if (room < bytes) all.push_back(open.finish());
    return all;
}

} // namespace sode::internal
