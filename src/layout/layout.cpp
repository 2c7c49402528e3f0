// SPDX-License-Identifier: Apache-2.0
#include "layout/layout.hpp"

#include "layout/nest_of_list.hpp"

#include <sode/error.hpp>

#include <algorithm>
#include <fmt/format.h>

namespace sode {
namespace {

constexpr index_t longest_span = index_t{1} << 62;

[[noreturn]] void too_large() {
    throw error{error_kind::usage, "a layout is too large", "it spans 2^62 bytes or more", "check its counts and strides"};
}

/// Throws unless every offset that the nest reaches, and its number of bytes, is smaller than 2^62 in magnitude.
void check_span(layout const& l) {
    index_t bytes = l.block;
    index_t reach = 0; // the largest distance of a byte from the base
    bool wraps = l.offset < -longest_span || __builtin_add_overflow(l.offset < 0 ? -l.offset : l.offset, l.block, &reach);
    for (auto const& [count, stride] : l.loops) {
        index_t span = 0;
        wraps = wraps || stride < -longest_span || __builtin_mul_overflow(count - 1, stride < 0 ? -stride : stride, &span) ||
                __builtin_add_overflow(reach, span, &reach) || __builtin_mul_overflow(bytes, count, &bytes);
    }
    if (wraps || reach >= longest_span || bytes >= longest_span) too_large();
}

[[noreturn]] void negative(std::string_view what, index_t value) {
    throw error{error_kind::usage, fmt::format("a layout with a {} of {}", what, value), "sizes and counts are not negative",
                "describe the descending order by a negative stride"};
}

layout normalised_nest(layout l) {
    if (l.block < 0) negative("block", l.block);
    for (auto const& loop : l.loops) {
        if (loop.count < 0) negative("count", loop.count);
        if (loop.count == 0) return {};
    }
    if (l.block == 0) return {};
    check_span(l);

    std::vector<layout::loop> loops; // innermost first while it grows
    for (auto it = l.loops.rbegin(); it != l.loops.rend(); ++it) {
        if (it->count == 1) continue;
        if (loops.empty() && it->stride == l.block)
            l.block *= it->count;
        else if (!loops.empty() && it->stride == loops.back().count * loops.back().stride)
            loops.back().count *= it->count;
        else
            loops.push_back(*it);
    }
    std::reverse(loops.begin(), loops.end());
    l.loops = std::move(loops);
    return l;
}

void append(std::vector<layout::piece>& pieces, index_t offset, index_t bytes) {
    if (bytes == 0) return;
    if (!pieces.empty() && pieces.back().offset + pieces.back().bytes == offset)
        pieces.back().bytes += bytes;
    else
        pieces.push_back({offset, bytes});
}

void expand_from(layout const& l, std::size_t depth, index_t offset, std::vector<layout::piece>& pieces) {
    if (depth == l.loops.size()) return append(pieces, offset, l.block);
    for (index_t i = 0; i < l.loops[depth].count; ++i) expand_from(l, depth + 1, offset + i * l.loops[depth].stride, pieces);
}

} // namespace

index_t layout::bytes() const noexcept {
    index_t n = 0;
    for (auto const& p : list) n += p.bytes;
    if (indexed()) return n;
    n = block;
    for (auto const& l : loops) n *= l.count;
    return n;
}

std::pair<index_t, index_t> layout::extent() const noexcept {
    if (bytes() == 0) return {0, 0};
    if (indexed()) {
        auto [low, high] = std::pair{list.front().offset, list.front().offset};
        for (auto const& p : list) {
            low = std::min(low, p.offset);
            high = std::max(high, p.offset + p.bytes);
        }
        return {low, high};
    }
    std::pair<index_t, index_t> e{offset, offset + block};
    for (auto const& l : loops) (l.stride < 0 ? e.first : e.second) += (l.count - 1) * l.stride;
    return e;
}

layout contiguous(index_t offset, index_t bytes) {
    return normalised({offset, bytes, {}, {}});
}

layout of_section(section const& s, std::array<index_t, max_dims> const& strides, index_t element) {
    if (s.empty()) return {};
    layout l{0, element, {}, {}};
    for (std::size_t d = 0; d < static_cast<std::size_t>(s.dims); ++d) {
        range const& r = s.dim[d];
        index_t first = 0;
        index_t stride = 0;
        if (__builtin_mul_overflow(r.lower, strides[d], &first) || __builtin_add_overflow(l.offset, first, &l.offset) ||
            __builtin_mul_overflow(r.step, strides[d], &stride))
            too_large();
        l.loops.push_back({r.size(), stride});
    }
    return normalised(std::move(l));
}

layout normalised(layout l) {
    if (!l.indexed()) return normalised_nest(std::move(l));
    std::vector<layout::piece> pieces;
    pieces.reserve(l.list.size());
    index_t bytes = 0;
    for (auto const& p : l.list) {
        if (p.bytes < 0) negative("piece", p.bytes);
        if (p.offset <= -longest_span || p.offset >= longest_span - p.bytes || __builtin_add_overflow(bytes, p.bytes, &bytes) ||
            bytes >= longest_span)
            too_large();
        append(pieces, p.offset, p.bytes);
    }
    if (pieces.empty()) return {};
    if (auto nest = nest_of_list(pieces)) return normalised_nest(std::move(*nest));
    return {0, 0, {}, std::move(pieces)};
}

std::vector<layout::piece> expand(layout const& l) {
    std::vector<layout::piece> pieces;
    for (auto const& p : l.list) append(pieces, p.offset, p.bytes);
    if (!l.indexed()) expand_from(l, 0, l.offset, pieces);
    return pieces;
}

} // namespace sode
