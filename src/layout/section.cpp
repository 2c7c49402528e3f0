// SPDX-License-Identifier: Apache-2.0
#include "layout/section.hpp"

#include <sode/error.hpp>

#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <utility>

namespace sode::internal {
namespace {

__extension__ using wide = __int128; // products of two 64-bit indices

/// x with a * x = 1 modulo m; a and m have no common divisor.
wide inverse(wide a, wide m) {
    wide x = 0;
    wide next_x = 1;
    wide r = m;
    wide next_r = a % m;
    while (next_r != 0) {
        wide const q = r / next_r;
        x = std::exchange(next_x, x - q * next_x);
        r = std::exchange(next_r, r - q * next_r);
    }
    return (x % m + m) % m;
}

void require_same_dims(section const& a, section const& b) {
    if (a.dims == b.dims) return;
    throw error{error_kind::usage, fmt::format("sections {} and {} cannot be combined", to_string(a), to_string(b)),
                fmt::format("the sections have {} and {} dimensions", a.dims, b.dims),
                "give both sections the same number of dimensions"};
}

bool same_set(range const& a, range const& b) {
    return a.size() == b.size() && a.lower == b.lower && (a.size() == 1 || a.step == b.step);
}

} // namespace

range intersect(range a, range b) {
    if (a.step < 1 || b.step < 1)
        throw error{error_kind::usage, fmt::format("a range has step {}", std::min(a.step, b.step)), "a step must be 1 or more",
                    "write the range in ascending order, with a step of 1 or more"};
    index_t const lower = std::max(a.lower, b.lower);
    index_t const upper = std::min(a.upper, b.upper);
    range const nothing{lower, lower, 1};
    if (lower >= upper) return nothing;

    index_t const common = std::gcd(a.step, b.step);
    wide const distance = wide{b.lower} - a.lower;
    if (distance % common != 0) return nothing;
    // The first common index at or after a.lower is a.lower + k * a.step with k * (a.step / common) = distance / common (mod m).
    wide const m = b.step / common;
    wide const k = ((distance / common) % m + m) % m * inverse(a.step / common, m) % m;
    wide const step = wide{a.step} * m;
    wide first = wide{a.lower} + k * a.step;
    if (first < lower) first += (lower - first + step - 1) / step * step;
    if (first >= upper) return nothing;
    // A step beyond the range may not fit an index; the distance to the end says "single index" as well.
    return {static_cast<index_t>(first), upper, static_cast<index_t>(std::min(step, upper - first))};
}

index_t section::size() const noexcept {
    if (dims == 0) return 0;
    index_t n = 1;
    for (int d = 0; d < dims; ++d) n *= dim[static_cast<std::size_t>(d)].size();
    return n;
}

bool section::contains(section const& other) const noexcept {
    if (dims != other.dims) return false;
    if (other.empty()) return true;
    for (std::size_t d = 0; d < static_cast<std::size_t>(dims); ++d) {
        range const& mine = dim[d];
        range const& theirs = other.dim[d];
        if (!mine.contains(theirs.lower) || !mine.contains(theirs.last())) return false;
        if (theirs.size() > 1 && theirs.step % mine.step != 0) return false;
    }
    return true;
}

bool operator==(section const& a, section const& b) noexcept {
    if (a.dims != b.dims) return false;
    if (a.empty() || b.empty()) return a.empty() && b.empty();
    return std::equal(a.dim.begin(), a.dim.begin() + a.dims, b.dim.begin(), same_set);
}

section intersect(section const& a, section const& b) {
    require_same_dims(a, b);
    section both{a.dims, {}};
    for (std::size_t d = 0; d < static_cast<std::size_t>(a.dims); ++d) both.dim[d] = intersect(a.dim[d], b.dim[d]);
    return both;
}

section shift(section s, std::array<index_t, max_dims> const& by) {
    for (std::size_t d = 0; d < static_cast<std::size_t>(s.dims); ++d) s.dim[d] = shift(s.dim[d], by[d]);
    return s;
}

std::vector<section> split(section const& s, int d, index_t parts) {
    if (d < 0 || d >= s.dims || parts < 1)
        throw error{error_kind::usage,
                    fmt::format("section {} cannot be split into {} parts along dimension {}", to_string(s), parts, d),
                    fmt::format("the section has {} dimensions", s.dims),
                    "choose one of these dimensions, counted from 0, and at least one part"};
    std::vector<section> pieces;
    if (s.empty()) return pieces;
    range const& whole = s.dim[static_cast<std::size_t>(d)];
    index_t const n = whole.size();
    index_t const count = std::min(parts, n);
    pieces.reserve(static_cast<std::size_t>(count));
    index_t begin = 0;
    for (index_t i = 0; i < count; ++i) {
        index_t const end = begin + n / count + (i < n % count ? 1 : 0);
        section piece = s;
        piece.dim[static_cast<std::size_t>(d)] = {whole.lower + begin * whole.step, whole.lower + (end - 1) * whole.step + 1,
                                                  whole.step};
        pieces.push_back(piece);
        begin = end;
    }
    return pieces;
}

std::vector<section> subtract(section const& a, section const& b) {
    section const hole = intersect(a, b);
    for (section const* s : {&a, &b})
        for (std::size_t d = 0; d < static_cast<std::size_t>(s->dims); ++d)
            if (s->dim[d].step != 1)
                throw error{error_kind::usage, fmt::format("{} cannot be subtracted from {}", to_string(b), to_string(a)),
                            "the difference of strided sections is not a small set of sections", "subtract sections with step 1"};
    if (a.empty()) return {};
    if (hole.empty()) return {a};
    std::vector<section> left;
    section core = a; // shrinks to the hole, one dimension at a time; what falls off is disjoint
    for (std::size_t d = 0; d < static_cast<std::size_t>(a.dims); ++d) {
        auto const cut = [&](range keep) {
            if (keep.empty()) return;
            section slab = core;
            slab.dim[d] = keep;
            left.push_back(slab);
        };
        cut({core.dim[d].lower, hole.dim[d].lower});
        cut({hole.dim[d].upper, core.dim[d].upper});
        core.dim[d] = hole.dim[d];
    }
    return left;
}

std::string to_string(section const& s) {
    std::string text;
    for (int d = 0; d < s.dims; ++d) {
        range const& r = s.dim[static_cast<std::size_t>(d)];
        text += fmt::format("{}[{}:{}", d ? "x" : "", r.lower, r.upper);
        if (r.step != 1) text += fmt::format(":{}", r.step);
        text += ')';
    }
    return text;
}

} // namespace sode::internal
