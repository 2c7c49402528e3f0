// SPDX-License-Identifier: Apache-2.0
#include "layout/normal_form.hpp"

#include "layout/layout_algebra.hpp"
#include "layout/nest_of_list.hpp"

#include <sode/error.hpp>

#include <algorithm>
#include <fmt/format.h>

namespace sode::internal {
namespace {

[[noreturn]] void negative(std::string_view what, index_t value) {
    throw error{error_kind::usage, fmt::format("a layout cannot have a {} of {}", what, value),
                "sizes and counts must not be negative", "pass 0 or more; for bytes in descending order, use a negative stride"};
}

/// Throws unless every offset that loops reach around a body, and the number of bytes, stay below 2^62. The body reaches `reach`
/// bytes from the base at most and has `bytes`.
void check_span(std::vector<layout::loop> const& loops, index_t reach, index_t bytes) {
    bool wraps = false;
    for (auto const& [count, stride] : loops) {
        index_t span = 0;
        wraps = wraps || stride < -longest_span || __builtin_mul_overflow(count - 1, stride < 0 ? -stride : stride, &span) ||
                __builtin_add_overflow(reach, span, &reach) || __builtin_mul_overflow(bytes, count, &bytes);
    }
    if (wraps || reach >= longest_span || bytes >= longest_span) layout_too_large();
}

/// The farthest distance of a byte of a body from the base. Offsets must be sane already.
index_t reach_of(layout const& body) {
    if (body.is_nest()) {
        index_t reach = 0;
        if (body.offset < -longest_span || __builtin_add_overflow(body.offset < 0 ? -body.offset : body.offset, body.block, &reach))
            layout_too_large();
        return reach;
    }
    index_t low = 0;
    index_t high = 0;
    auto const include = [&](index_t first, index_t last) { low = std::min(low, first), high = std::max(high, last); };
    for (auto const& p : body.list) include(p.offset, p.offset + p.bytes);
    for (auto const& p : body.parts) {
        auto const [first, last] = p.extent();
        include(first, last);
    }
    return std::max(-low, high);
}

/// Brings the loops around a body into normal form. Its innermost position is a block of `block` bytes (0: it is none), which grows
/// where the innermost loop continues it.
void merge(std::vector<layout::loop>& loops, index_t& block) {
    auto merged = loops.end(); // from here on; grows towards the outermost loop
    for (auto it = loops.end(); it != loops.begin();) {
        layout::loop const l = *--it;
        if (l.count == 1) continue;
        if (merged == loops.end() && block != 0 && l.stride == block)
            block *= l.count;
        else if (merged != loops.end() && l.stride == merged->count * merged->stride)
            merged->count *= l.count;
        else
            *--merged = l;
    }
    loops.erase(loops.begin(), merged);
}

/// Whether no piece of a list reaches 2^62, nor all of them together have so many bytes: by the bits that are set in any of them,
/// without a branch a piece. What is near the limit is looked at more closely.
bool is_surely_sane(std::vector<layout::piece> const& pieces) {
    std::uint64_t offsets = 0;
    std::uint64_t sizes = 0;
    for (auto const& p : pieces) {
        offsets |= static_cast<std::uint64_t>(p.offset) + std::uint64_t{longest_span / 2};
        sizes |= static_cast<std::uint64_t>(p.bytes);
    }
    return offsets < std::uint64_t{longest_span} && sizes < std::uint64_t{longest_span / 2} / pieces.size();
}

void check_pieces(std::vector<layout::piece> const& pieces) {
    index_t bytes = 0;
    for (auto const& p : pieces) {
        bool const far = p.bytes >= longest_span || p.offset <= -longest_span || p.offset >= longest_span - p.bytes;
        if (far || __builtin_add_overflow(bytes, p.bytes, &bytes) || bytes >= longest_span) layout_too_large();
    }
}

/// In ascending order.
std::vector<std::size_t> divisors(std::size_t n) {
    std::vector<std::size_t> low;
    std::vector<std::size_t> high;
    for (std::size_t d = 1; d * d <= n; ++d) {
        if (n % d != 0) continue;
        low.push_back(d);
        if (d * d != n) high.push_back(n / d);
    }
    low.insert(low.end(), high.rbegin(), high.rend());
    return low;
}

/// A list that is `n` times its own beginning, a fixed distance apart, keeps only that beginning; n and the distance come back.
layout::loop fold_period(std::vector<layout::piece>& pieces) {
    auto const size = pieces.size();
    for (std::size_t const period : divisors(size)) {
        if (period == size || pieces[period].bytes != pieces.front().bytes) continue;
        index_t const distance = pieces[period].offset - pieces.front().offset;
        bool const repeats = std::equal(pieces.begin() + static_cast<std::ptrdiff_t>(period), pieces.end(), pieces.begin(),
                                        [distance](layout::piece const& later, layout::piece const& earlier) {
                                            return later.bytes == earlier.bytes && later.offset - earlier.offset == distance;
                                        });
        if (!repeats) continue;
        pieces.resize(period);
        return {static_cast<index_t>(size / period), distance};
    }
    return {1, 0};
}

layout normalised_list(layout l) {
    std::vector<layout::piece> pieces;
    pieces.reserve(l.list.size());
    for (auto const& p : l.list) {
        if (p.bytes < 0) negative("piece", p.bytes);
        index_t at = 0;
        if (__builtin_add_overflow(p.offset, l.offset, &at) || at <= -longest_span || at >= longest_span || p.bytes >= longest_span)
            layout_too_large();
        append_piece(pieces, at, p.bytes);
    }
    return with_loops(std::move(l.loops), normal_list(std::move(pieces)));
}

layout normalised_sequence(layout l) {
    layout_sequence sequence;
    for (layout& p : l.parts) {
        if (__builtin_add_overflow(p.offset, l.offset, &p.offset)) layout_too_large();
        sequence.add(normalised(std::move(p)), 0);
    }
    return with_loops(std::move(l.loops), sequence.finish());
}

} // namespace

void layout_too_large() {
    throw error{error_kind::usage, "a layout is too large", "the layout spans 2^62 bytes or more",
                "pass smaller counts and strides"};
}

layout with_loops(std::vector<layout::loop> outer, layout body) {
    for (auto const& l : outer)
        if (l.count < 0) negative("count", l.count);
    if (std::any_of(outer.begin(), outer.end(), [](auto const& l) { return l.count == 0; })) return {};
    layout l = std::move(body);
    if (l.blocks() == 0) return {};
    outer.insert(outer.end(), l.loops.begin(), l.loops.end());
    l.loops.clear();
    check_span(outer, reach_of(l), l.bytes());
    index_t none = 0;
    merge(outer, l.is_nest() ? l.block : none);
    l.loops = std::move(outer);
    return l;
}

layout normal_list(std::vector<layout::piece> pieces) {
    if (pieces.empty()) return {};
    if (!is_surely_sane(pieces)) check_pieces(pieces);
    if (auto nest = nest_of_list(pieces)) {
        auto loops = std::move(nest->loops);
        nest->loops.clear();
        return with_loops(std::move(loops), *std::move(nest));
    }
    layout::loop const period = fold_period(pieces);
    if (period.count == 1) return {0, 0, {}, std::move(pieces)};
    return with_loops({period}, normal_list(std::move(pieces))); // within a period there may be shorter ones
}

layout normalised(layout l) {
    if (!l.parts.empty()) return normalised_sequence(std::move(l));
    if (l.indexed()) return normalised_list(std::move(l));
    if (l.block < 0) negative("block", l.block);
    auto loops = std::move(l.loops);
    l.loops.clear();
    return with_loops(std::move(loops), std::move(l));
}

} // namespace sode::internal
