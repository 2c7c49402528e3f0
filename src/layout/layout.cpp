// SPDX-License-Identifier: Apache-2.0
#include "layout/layout.hpp"

#include "layout/layout_algebra.hpp"
#include "layout/normal_form.hpp"

#include <algorithm>
#include <numeric>

namespace sode::internal {
namespace {

void expand_from(layout const& l, std::size_t depth, index_t offset, std::vector<layout::piece>& pieces) {
    if (depth < l.loops.size()) {
        for (index_t i = 0; i < l.loops[depth].count; ++i) expand_from(l, depth + 1, offset + i * l.loops[depth].stride, pieces);
        return;
    }
    for (layout const& p : l.parts) expand_from(p, 0, offset + p.offset, pieces);
    for (auto const& p : l.list) append_piece(pieces, offset + p.offset, p.bytes);
    if (l.is_nest()) append_piece(pieces, offset, l.block);
}

} // namespace

index_t layout::bytes() const noexcept {
    index_t n = is_nest() ? block : 0;
    for (auto const& p : list) n += p.bytes;
    for (auto const& p : parts) n += p.bytes();
    for (auto const& l : loops) n *= l.count;
    return n;
}

index_t layout::blocks() const noexcept {
    index_t n = is_nest() ? (block == 0 ? 0 : 1) : static_cast<index_t>(list.size());
    for (auto const& p : parts) n += p.blocks();
    for (auto const& l : loops) n *= l.count;
    return n;
}

std::pair<index_t, index_t> layout::extent() const noexcept {
    index_t low = longest_span;
    index_t high = -longest_span;
    auto const include = [&](index_t first, index_t end) {
        if (first == end) return;
        low = std::min(low, first);
        high = std::max(high, end);
    };
    if (is_nest()) include(0, block);
    for (auto const& p : list) include(p.offset, p.offset + p.bytes);
    for (auto const& p : parts) {
        auto const [first, end] = p.extent();
        include(first, end);
    }
    if (low > high) return {0, 0};
    for (auto const& l : loops) {
        if (l.count == 0) return {0, 0};
        (l.stride < 0 ? low : high) += (l.count - 1) * l.stride;
    }
    return {low + offset, high + offset};
}

layout contiguous(index_t offset, index_t bytes) {
    // Its own normal form, unless there is none.
    constexpr auto half = longest_span / 2;
    if (bytes > 0 && bytes < half && -half < offset && offset < half) return {offset, bytes, {}, {}};
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
            layout_too_large();
        l.loops.push_back({r.size(), stride});
    }
    return normalised(std::move(l));
}

layout shifted(layout l, index_t by) {
    if (by == 0) return l;
    if (l.is_nest()) l.offset += by;
    for (auto& p : l.list) p.offset += by;
    for (auto& p : l.parts) p = shifted(std::move(p), by);
    return l;
}

layout repeated(layout l, index_t count, index_t stride) {
    if (count == 1) return l;
    return with_loops({{count, stride}}, std::move(l));
}

std::vector<layout::piece> expand(layout const& l) {
    std::vector<layout::piece> pieces;
    if (l.bytes() > 0) expand_from(l, 0, l.offset, pieces);
    return pieces;
}

} // namespace sode::internal
