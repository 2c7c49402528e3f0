// SPDX-License-Identifier: Apache-2.0
#include "layout/layout.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace sode {
namespace {

constexpr index_t line = 64;
constexpr index_t shortest_long_row = 48; // shorter rows lose to packing (research/halo-measured.md, section 5)

index_t modulo(index_t a, index_t m) {
    return (a % m + m) % m;
}

/// Lines that [first, first + bytes) touches.
index_t lines_of(index_t first, index_t bytes) {
    return bytes == 0 ? 0 : (modulo(first, line) + bytes - 1) / line + 1;
}

/// The touched lines of a nest, for each of the 64 positions that its first byte can have in a line. Loops are added from the
/// inside out; neighbouring iterations share at most the line in which one ends and the next begins, as long as they do not
/// interleave.
class line_count {
public:
    explicit line_count(index_t block) : span_(block) {
        for (index_t at = 0; at < line; ++at) lines_[static_cast<std::size_t>(at)] = lines_of(at, block);
    }

    void repeat(index_t count, index_t stride) {
        std::array<index_t, line> outer{};
        index_t const span = (count - 1) * stride + span_;
        for (index_t at = 0; at < line; ++at) {
            index_t sum = this->at(at);
            for (index_t i = 1; i <= std::min(count - 1, line); ++i) // positions in a line repeat after at most 64 iterations
                sum += added_lines(at + i * stride, stride) * ((count - 1 - i) / line + 1);
            // An interleaved nest is counted as if its iterations did not meet, so it may be over-counted.
            outer[static_cast<std::size_t>(at)] = std::min(sum, lines_of(at, span));
        }
        lines_ = outer;
        span_ = span;
    }

    [[nodiscard]] index_t at(index_t offset) const { return lines_[static_cast<std::size_t>(modulo(offset, line))]; }

private:
    /// What an iteration that begins at `start` touches beyond its predecessor.
    [[nodiscard]] index_t added_lines(index_t start, index_t stride) const {
        index_t const predecessor_last = start - stride + span_ - 1;
        bool const shares = stride >= span_ && predecessor_last >= start / line * line;
        return at(start) - (shares ? 1 : 0);
    }

    std::array<index_t, line> lines_{};
    index_t span_;
};

index_t touched_lines(layout const& nest) {
    auto loops = nest.loops; // which lines are touched does not depend on the order
    index_t offset = nest.offset;
    for (auto& l : loops) {
        if (l.stride >= 0) continue;
        offset += (l.count - 1) * l.stride;
        l.stride = -l.stride;
    }
    std::sort(loops.begin(), loops.end(), [](auto const& a, auto const& b) { return a.stride < b.stride; });
    line_count lines{nest.block};
    for (auto const& l : loops)
        if (l.stride != 0) lines.repeat(l.count, l.stride);
    return lines.at(offset);
}

index_t floor_line(index_t byte) {
    return byte >> 6; // downwards, below zero as well
}
static_assert(line == 1 << 6);

/// The lines of pieces in ascending order.
index_t lines_of_ascending(std::vector<layout::piece> const& list) {
    index_t lines = 0;
    index_t next = floor_line(list.front().offset);
    for (auto const& p : list) {
        index_t const last = floor_line(p.offset + p.bytes - 1);
        if (last < next) continue;
        lines += last - std::max(floor_line(p.offset), next) + 1;
        next = last + 1;
    }
    return lines;
}

/// The lines of pieces in any order that lie on `span` lines from `first` on: a mark for each.
index_t lines_by_marks(std::vector<layout::piece> const& list, index_t first, index_t span) {
    std::vector<std::uint64_t> met(static_cast<std::size_t>(span / 64 + 1));
    for (auto const& p : list) {
        index_t const last = floor_line(p.offset + p.bytes - 1) - first;
        for (index_t at = floor_line(p.offset) - first; at <= last; ++at)
            met[static_cast<std::size_t>(at / 64)] |= std::uint64_t{1} << (at % 64);
    }
    index_t lines = 0;
    for (std::uint64_t const word : met) lines += std::popcount(word);
    return lines;
}

index_t touched_lines(std::vector<layout::piece> const& list) {
    auto const before = [](layout::piece const& a, layout::piece const& b) { return a.offset < b.offset; };
    if (std::is_sorted(list.begin(), list.end(), before)) return lines_of_ascending(list);
    index_t low = list.front().offset;
    index_t high = low;
    for (auto const& p : list) {
        low = std::min(low, p.offset);
        high = std::max(high, p.offset + p.bytes);
    }
    index_t const span = lines_of(low, high - low);
    constexpr index_t marks_for_a_piece = 512; // setting that many bits is faster than finding a piece its place among others
    if (span / marks_for_a_piece <= static_cast<index_t>(list.size())) return lines_by_marks(list, floor_line(low), span);
    auto sorted = list;
    std::sort(sorted.begin(), sorted.end(), before);
    return lines_of_ascending(sorted);
}

/// Lines of a layout in normal form, as near as closed forms come: iterations around a list, and the parts of a sequence, are
/// counted as if they did not meet, but never beyond what they lie in.
index_t lines_of_layout(layout const& l) {
    if (l.is_nest()) return touched_lines(l);
    index_t lines = l.indexed() ? touched_lines(l.list) : 0;
    for (layout const& p : l.parts) lines += lines_of_layout(p);
    for (auto const& loop : l.loops)
        if (loop.stride != 0 && __builtin_mul_overflow(lines, loop.count, &lines)) lines = index_t{1} << 62;
    auto const [low, high] = l.extent();
    return std::min(lines, lines_of(low, high - low));
}

bool has_a_list(layout const& l) {
    return l.indexed() || std::any_of(l.parts.begin(), l.parts.end(), has_a_list);
}

} // namespace

shape classify(layout const& given) {
    return classify_normal(normalised(given));
}

shape classify_normal(layout const& l) {
    shape s;
    index_t const bytes = l.bytes();
    if (bytes == 0) return s;
    s.rows = l.blocks();
    s.row_bytes = l.is_nest() ? l.block : bytes / s.rows;
    if (l.is_nest() && !l.loops.empty()) s.pitch = std::max(l.loops.back().stride, -l.loops.back().stride);
    s.kind = has_a_list(l)                      ? pattern::indexed
             : s.rows == 1                      ? pattern::contiguous
             : s.row_bytes >= shortest_long_row ? pattern::block_strided
                                                : pattern::strided;
    s.line_density = std::min(1.0, static_cast<double>(bytes) / static_cast<double>(lines_of_layout(l) * line));
    return s;
}

std::string_view to_string(pattern p) {
    switch (p) {
    case pattern::contiguous: return "contiguous";
    case pattern::block_strided: return "block-strided";
    case pattern::strided: return "strided";
    case pattern::indexed: return "indexed";
    }
    return "unknown";
}

} // namespace sode
