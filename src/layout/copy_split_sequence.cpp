// SPDX-License-Identifier: Apache-2.0
#include "layout/copy_list.hpp"
#include "layout/copy_rows.hpp"
#include "layout/copy_sequence.hpp"

#include <sode/error.hpp>

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <numeric>

namespace sode::internal {
namespace {

/// What two processors may not share: programs that must stay together.
struct bound_chunk {
    copy_sequence programs;
    std::size_t step;                    ///< of the sequence, whose own chunks share nothing
    std::pair<index_t, index_t> lines{}; ///< first and last line that they write, once it is needed
};

bound_chunk bound_chunk_of(std::vector<copy_program> programs, std::size_t step) {
    bound_chunk c{{std::move(programs), 0}, step};
    for (copy_program const& p : c.programs.steps) c.programs.bytes += p.bytes;
    return c;
}

std::pair<index_t, index_t> lines_of(copy_sequence const& programs) {
    std::pair lines{std::numeric_limits<index_t>::max(), std::numeric_limits<index_t>::min()};
    for (copy_program const& p : programs.steps) {
        auto const [low, high] = reach_of(p).target;
        lines = {std::min(lines.first, line_of(low)), std::max(lines.second, line_of(high - 1))};
    }
    return lines;
}

std::vector<bound_chunk> chunks_of_step(copy_program const& p, std::size_t step, index_t parts) {
    std::vector<bound_chunk> chunks;
    if (parts <= 1) {
        chunks.push_back(bound_chunk_of({p}, step));
    } else if (is_list(p) && p.segments().empty() && p.loop_count == 0) {
        for (auto& part : parts_of_list(p, parts)) chunks.push_back(bound_chunk_of(std::move(part), step));
    } else {
        for (copy_program& q : split(p, static_cast<int>(parts))) chunks.push_back(bound_chunk_of({std::move(q)}, step));
    }
    return chunks;
}

/// Sets of chunks that grow together.
class groups {
public:
    explicit groups(std::size_t n) : parent_(n) { std::iota(parent_.begin(), parent_.end(), std::size_t{0}); }
    [[nodiscard]] std::size_t of(std::size_t i) {
        while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
        return i;
    }
    void join(std::size_t a, std::size_t b) {
        a = of(a);
        b = of(b);
        parent_[std::max(a, b)] = std::min(a, b); // a group goes by its first member
    }

private:
    std::vector<std::size_t> parent_;
};

/// Chunks of different steps whose lines may meet become one.
std::vector<bound_chunk> together_where_lines_meet(std::vector<bound_chunk> chunks) {
    for (bound_chunk& c : chunks) c.lines = lines_of(c.programs);
    std::stable_sort(chunks.begin(), chunks.end(), [](bound_chunk const& a, bound_chunk const& b) { return a.lines < b.lines; });
    groups same{chunks.size()};
    for (std::size_t i = 0; i < chunks.size(); ++i)
        for (std::size_t k = i + 1; k < chunks.size() && chunks[k].lines.first <= chunks[i].lines.second; ++k)
            if (chunks[k].step != chunks[i].step) same.join(i, k);
    for (std::size_t i = 0; i < chunks.size(); ++i) {
        std::size_t const first = same.of(i);
        if (first == i) continue;
        auto& into = chunks[first].programs;
        auto& from = chunks[i].programs;
        into.bytes += from.bytes;
        std::move(from.steps.begin(), from.steps.end(), std::back_inserter(into.steps));
        from = {};
    }
    chunks.erase(std::remove_if(chunks.begin(), chunks.end(), [](bound_chunk const& c) { return c.programs.steps.empty(); }),
                 chunks.end());
    return chunks;
}

/// Neighbours that are too small to be handed out alone.
std::vector<copy_sequence> filled_up(std::vector<bound_chunk> chunks, index_t bytes_each) {
    std::vector<copy_sequence> all;
    for (bound_chunk& c : chunks) {
        if (all.empty() || all.back().bytes + c.programs.bytes > bytes_each) {
            all.push_back(std::move(c.programs));
            continue;
        }
        all.back().bytes += c.programs.bytes;
        std::move(c.programs.steps.begin(), c.programs.steps.end(), std::back_inserter(all.back().steps));
    }
    return all;
}

} // namespace

std::vector<copy_sequence> split(copy_sequence const& s, int parts) {
    if (parts < 1)
        throw error{error_kind::usage, fmt::format("a copy cannot be split into {} parts", parts), "at least one part is needed",
                    "split the copy into 1 part or more"};
    if (s.bytes == 0) return {};
    if (parts == 1) return {s};
    std::vector<bound_chunk> chunks;
    for (std::size_t i = 0; i < s.steps.size(); ++i) {
        copy_program const& p = s.steps[i];
        auto const share = static_cast<double>(p.bytes) / static_cast<double>(s.bytes) * parts;
        auto mine = chunks_of_step(p, i, std::max(index_t{std::lround(share)}, index_t{1}));
        std::move(mine.begin(), mine.end(), std::back_inserter(chunks));
    }
    if (s.steps.size() > 1) chunks = together_where_lines_meet(std::move(chunks));
    return filled_up(std::move(chunks), (s.bytes + parts - 1) / parts);
}

} // namespace sode::internal
