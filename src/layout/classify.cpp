// SPDX-License-Identifier: Apache-2.0
#include "layout/layout.hpp"

#include "layout/cache_line.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <utility>

namespace sode::internal {
namespace {

constexpr index_t shortest_block_strided_row = 48; // shorter rows lose to packing (decision 6)

/// The place of a byte in its line; below zero as well.
constexpr index_t in_line(index_t byte) noexcept {
    return byte & (line - 1);
}

/// Lines that [first, first + bytes) touches.
index_t lines_of(index_t first, index_t bytes) {
    return bytes == 0 ? 0 : (in_line(first) + bytes - 1) / line + 1;
}

/// The touched lines of a nest, for each of the positions that its first byte can have in a line: those that are `grain` bytes
/// apart from that of the whole nest, of which all strides are multiples. Loops are added from the inside out; neighbouring
/// iterations share at most the line in which one ends and the next begins, as long as they do not interleave.
class line_count {
public:
    line_count(index_t block, index_t first, index_t grain) : first_(in_line(first) % grain), grain_(grain), span_(block) {
        for (index_t at = first_; at < line; at += grain_) lines_[static_cast<std::size_t>(at)] = lines_of(at, block);
    }

    void repeat(index_t count, index_t stride) {
        std::array<index_t, line> outer{};
        index_t const span = (count - 1) * stride + span_;
        index_t const period = line / std::gcd(line, stride); // after so many iterations positions in a line repeat
        for (index_t at = first_; at < line; at += grain_) {
            index_t sum = this->at(at);
            for (index_t i = 1; i <= std::min(count - 1, period); ++i)
                sum += added_lines(at + i * stride, stride) * ((count - 1 - i) / period + 1);
            // An interleaved nest is counted as if its iterations did not meet, so it may be over-counted.
            outer[static_cast<std::size_t>(at)] = std::min(sum, lines_of(at, span));
        }
        lines_ = outer;
        span_ = span;
    }

    [[nodiscard]] index_t at(index_t offset) const { return lines_[static_cast<std::size_t>(in_line(offset))]; }

private:
    /// What an iteration that begins at `start` touches beyond its predecessor.
    [[nodiscard]] index_t added_lines(index_t start, index_t stride) const {
        index_t const predecessor_last = start - stride + span_ - 1;
        bool const shares = stride >= span_ && predecessor_last >= start - in_line(start);
        return at(start) - (shares ? 1 : 0);
    }

    std::array<index_t, line> lines_{};
    index_t first_;
    index_t grain_;
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
    index_t grain = line;
    for (auto const& l : loops) grain = std::gcd(grain, l.stride);
    line_count lines{nest.block, offset, grain};
    for (auto const& l : loops)
        if (l.stride != 0) lines.repeat(l.count, l.stride);
    return lines.at(offset);
}

/// What one walk over a list tells.
struct walked {
    index_t bytes = 0;
    bool ascends = true; ///< and no piece meets another; only then:
    index_t lines = 0;
    std::pair<index_t, index_t> extent;
};

/// Without branches that depend on where the pieces lie: what a line shares with its neighbours nobody foretells.
walked walk(std::vector<layout::piece> const& list) {
    walked w;
    index_t end = list.front().offset;
    index_t counted = line_of(end) - 1; // the last line that is counted already
    index_t descends = 0;               // negative from the first descent on
    for (auto const& p : list) {
        descends |= p.offset - end;
        end = p.offset + p.bytes;
        index_t const last = line_of(end - 1);
        w.lines += last - std::max(counted, line_of(p.offset) - 1);
        counted = last;
        w.bytes += p.bytes;
    }
    w.ascends = descends >= 0;
    w.extent = {list.front().offset, end};
    return w;
}

std::pair<index_t, index_t> extent_of(std::vector<layout::piece> const& list) {
    index_t low = list.front().offset;
    index_t high = low;
    for (auto const& p : list) {
        low = std::min(low, p.offset);
        high = std::max(high, p.offset + p.bytes);
    }
    return {low, high};
}

index_t lines_of_sorted(std::vector<layout::piece> const& list) {
    index_t lines = 0;
    index_t counted = line_of(list.front().offset) - 1;
    for (auto const& p : list) {
        index_t const last = std::max(counted, line_of(p.offset + p.bytes - 1));
        lines += last - std::max(counted, line_of(p.offset) - 1);
        counted = last;
    }
    return lines;
}

/// The lines of pieces in any order that lie on `span` lines from `first` on: a mark for each.
index_t lines_by_marks(std::vector<layout::piece> const& list, index_t first, index_t span) {
    std::vector<std::uint64_t> met(static_cast<std::size_t>(span / 64 + 1));
    for (auto const& p : list) {
        index_t const last = line_of(p.offset + p.bytes - 1) - first;
        for (index_t at = line_of(p.offset) - first; at <= last; ++at)
            met[static_cast<std::size_t>(at / 64)] |= std::uint64_t{1} << (at % 64);
    }
    index_t lines = 0;
    for (std::uint64_t const word : met) lines += std::popcount(word);
    return lines;
}

/// Of pieces in any order that lie in [low, high).
index_t touched_lines(std::vector<layout::piece> const& list, index_t low, index_t high) {
    index_t const span = lines_of(low, high - low);
    constexpr index_t marks_for_a_piece = 512; // setting that many bits is faster than finding a piece its place among others
    if (span / marks_for_a_piece <= static_cast<index_t>(list.size())) return lines_by_marks(list, line_of(low), span);
    auto sorted = list;
    std::sort(sorted.begin(), sorted.end(), [](layout::piece const& a, layout::piece const& b) { return a.offset < b.offset; });
    return lines_of_sorted(sorted);
}

/// What a layout amounts to. Its lines are as near as closed forms come: iterations around a list, and the parts of a sequence, are
/// counted as if they did not meet, but never beyond what they lie in.
struct measured {
    index_t bytes = 0;
    std::pair<index_t, index_t> extent;
    index_t lines = 0;
};

measured measure(layout const& l) {
    if (l.is_nest()) return {l.bytes(), l.extent(), touched_lines(l)};
    measured m;
    if (l.indexed()) {
        walked const w = walk(l.list);
        m = {w.bytes, w.extent, w.lines};
        if (!w.ascends) {
            m.extent = extent_of(l.list);
            m.lines = touched_lines(l.list, m.extent.first, m.extent.second);
        }
        if (l.loops.empty()) return m;
    }
    for (bool first = true; layout const& p : l.parts) {
        measured const part = measure(p);
        m.bytes += part.bytes;
        m.extent = first ? part.extent
                         : std::pair{std::min(m.extent.first, part.extent.first), std::max(m.extent.second, part.extent.second)};
        m.lines += part.lines;
        first = false;
    }
    for (auto const& [count, stride] : l.loops) {
        m.bytes *= count;
        (stride < 0 ? m.extent.first : m.extent.second) += (count - 1) * stride;
        if (stride != 0 && __builtin_mul_overflow(m.lines, count, &m.lines)) m.lines = index_t{1} << 62;
    }
    m.lines = std::min(m.lines, lines_of(m.extent.first, m.extent.second - m.extent.first));
    return m;
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
    s.rows = l.blocks();
    if (s.rows == 0) return s;
    measured const m = measure(l);
    s.bytes = m.bytes;
    s.extent = m.extent;
    s.row_bytes = l.is_nest() ? l.block : s.bytes / s.rows;
    if (l.is_nest() && !l.loops.empty()) s.pitch = std::max(l.loops.back().stride, -l.loops.back().stride);
    s.kind = has_a_list(l)                               ? pattern::indexed
             : s.rows == 1                               ? pattern::contiguous
             : s.row_bytes >= shortest_block_strided_row ? pattern::block_strided
                                                         : pattern::strided;
    s.line_density = std::min(1.0, static_cast<double>(s.bytes) / static_cast<double>(m.lines * line));
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

} // namespace sode::internal
