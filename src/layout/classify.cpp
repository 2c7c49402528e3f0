// SPDX-License-Identifier: Apache-2.0
#include "layout/layout.hpp"

#include <algorithm>
#include <array>

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

index_t touched_lines(std::vector<layout::piece> const& list) {
    auto const floor_line = [](index_t byte) { return (byte - modulo(byte, line)) / line; };
    std::vector<std::pair<index_t, index_t>> ranges;
    ranges.reserve(list.size());
    for (auto const& p : list) ranges.emplace_back(floor_line(p.offset), floor_line(p.offset + p.bytes - 1));
    std::sort(ranges.begin(), ranges.end());
    index_t lines = 0;
    index_t next = ranges.front().first;
    for (auto const& [first, last] : ranges) {
        if (last < next) continue;
        lines += last - std::max(first, next) + 1;
        next = last + 1;
    }
    return lines;
}

} // namespace

shape classify(layout const& given) {
    layout const l = normalised(given);
    shape s;
    index_t const bytes = l.bytes();
    if (bytes == 0) return s;
    if (l.indexed()) {
        s.kind = pattern::indexed;
        s.rows = static_cast<index_t>(l.list.size());
        s.row_bytes = bytes / s.rows;
    } else {
        s.rows = bytes / l.block;
        s.row_bytes = l.block;
        if (!l.loops.empty()) s.pitch = std::max(l.loops.back().stride, -l.loops.back().stride);
        s.kind = s.rows == 1 ? pattern::contiguous : s.row_bytes >= shortest_long_row ? pattern::block_strided : pattern::strided;
    }
    index_t const lines = l.indexed() ? touched_lines(l.list) : touched_lines(l);
    s.line_density = std::min(1.0, static_cast<double>(bytes) / static_cast<double>(lines * line));
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
