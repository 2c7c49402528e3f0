// SPDX-License-Identifier: Apache-2.0
#include "layout/copy_kernels.hpp"
#include "layout/copy_list.hpp"
#include "layout/copy_nest.hpp"
#include "layout/copy_rows.hpp"

#include <sode/error.hpp>

#include <algorithm>
#include <fmt/format.h>

namespace sode::internal {
namespace {

using loop = copy_program::loop;

/// What is this long may share a line with what follows, where the shape leaves no choice.
constexpr index_t worth_a_shared_line = 4096;
/// Iterations of the outer loop of the smallest tile (copy_order.cpp).
constexpr index_t least_tile = 8;
/// The largest chunk may exceed its share by this much before another cut is looked for, or a loop is taken apart.
constexpr double even = 1.1;
constexpr double uneven = 1.5;

/// The end of part `i` (from 1) of `parts` equal ones.
index_t share(index_t whole, index_t parts, index_t i) {
    return whole / parts * i + whole % parts * i / parts;
}

/// The nest of a program, its loops in descending order of target stride, and what else must survive the cutting. Around a list
/// (see split_list_in_loops) the block stands for all that the list reaches in the target.
struct chunk {
    copy_nest nest;
    std::optional<std::pair<index_t, index_t>> twin; ///< source and target distance
    copy_program const* list = nullptr;

    /// Target bytes from the first to the last of one iteration of loop k.
    [[nodiscard]] index_t span_inside(std::size_t k) const {
        index_t bytes = nest.block;
        for (++k; k < nest.loops.size(); ++k) bytes += (nest.loops[k].count - 1) * nest.loops[k].dst_stride;
        return bytes;
    }
    [[nodiscard]] index_t bytes_inside(std::size_t k) const {
        index_t bytes = list ? list->bytes : nest.block;
        for (++k; k < nest.loops.size(); ++k) bytes *= nest.loops[k].count;
        return bytes;
    }
    /// How many iterations of loop k a transpose had better keep together: they read the same lines of the source, which two
    /// processors would fetch both.
    [[nodiscard]] index_t grain(std::size_t k) const {
        index_t const stride = nest.loops[k].src_stride < 0 ? -nest.loops[k].src_stride : nest.loops[k].src_stride;
        bool const shares_lines = !list && nest.block < line && stride > 0 && stride < line;
        return shares_lines && k + 1 < nest.loops.size() ? std::max(line / stride, least_tile) : 1;
    }
    /// Iterations [begin, end) of loop k.
    [[nodiscard]] chunk part(std::size_t k, index_t begin, index_t end) const {
        chunk c = *this;
        loop& l = c.nest.loops[k];
        l.count = end - begin;
        c.nest.src_offset += begin * l.src_stride;
        c.nest.dst_offset += begin * l.dst_stride;
        if (l.count == 1) c.nest.loops.erase(c.nest.loops.begin() + static_cast<std::ptrdiff_t>(k));
        return c;
    }
    /// Whether target bytes that end at `end` share no line with those that begin at `begin`, in the twin neither.
    [[nodiscard]] bool separates(index_t end, index_t begin) const {
        auto const clean = [](index_t last, index_t first) { return line_of(last) < line_of(first); };
        return clean(end - 1, begin) && (!twin || clean(end - 1 + twin->second, begin + twin->second));
    }
};

/// The first iteration of loop k at or after `from` before which a cut is clean, else its count: positions in a line repeat after
/// 64 iterations.
index_t clean_cut(chunk const& c, std::size_t k, index_t from) {
    loop const& l = c.nest.loops[k];
    index_t const span = c.span_inside(k);
    for (index_t cut = from; cut < std::min(l.count, from + line); ++cut) {
        index_t const start = c.nest.dst_offset + cut * l.dst_stride;
        if (c.separates(start - l.dst_stride + span, start)) return cut;
    }
    bool const interleaves = l.dst_stride < span;
    return !interleaves && c.bytes_inside(k) >= worth_a_shared_line ? std::min(from, l.count) : l.count;
}

/// Whether a cut of loop k that is clean in one iteration of the loops around it is clean in all.
bool cuts_alike(chunk const& c, std::size_t k) {
    if (k == 0) return true;
    auto const& loops = c.nest.loops;
    index_t const start = c.nest.dst_offset;
    return std::all_of(loops.begin(), loops.begin() + static_cast<std::ptrdiff_t>(k),
                       [](loop const& l) { return l.dst_stride % line == 0; }) &&
           c.separates(start + c.span_inside(k - 1), start + loops[k - 1].dst_stride);
}

/// Where to cut loop k into at most `parts` ranges: 0, …, count.
std::vector<index_t> cuts_of(chunk const& c, std::size_t k, index_t parts) {
    index_t const count = c.nest.loops[k].count;
    index_t const grain = 2 * count >= c.grain(k) * parts ? c.grain(k) : 1;
    std::vector<index_t> cuts{0};
    for (index_t i = 1; i < parts && cuts.back() < count; ++i) {
        index_t const ideal = (share(count, parts, i) + grain / 2) / grain * grain;
        if (ideal > cuts.back() && ideal < count) cuts.push_back(clean_cut(c, k, ideal));
    }
    if (cuts.back() < count) cuts.push_back(count);
    return cuts;
}

/// The largest range relative to an equal share.
double unevenness(std::vector<index_t> const& cuts, index_t parts) {
    index_t largest = 0;
    for (std::size_t i = 1; i < cuts.size(); ++i) largest = std::max(largest, cuts[i] - cuts[i - 1]);
    return static_cast<double>(largest) * static_cast<double>(parts) / static_cast<double>(cuts.back());
}

/// The list of `p` at the offsets and in the loops of a nest.
copy_program list_in_loops(copy_program const& p, copy_nest const& nest) {
    copy_program q = p;
    q.src_offset = nest.src_offset;
    q.dst_offset = p.dst_offset + nest.dst_offset;
    q.loop_count = static_cast<std::uint8_t>(nest.loops.size());
    std::copy(nest.loops.begin(), nest.loops.end(), q.loops);
    q.bytes = 0;
    for_each_entry(p, [&](index_t, index_t, index_t bytes) { q.bytes += bytes; });
    for (loop const& l : nest.loops) q.bytes *= l.count;
    q.kernel = kernel_for(q);
    return q;
}

class splitter {
public:
    std::vector<copy_program> finish() && { return std::move(programs_); }

    void split(chunk const& c, index_t parts) {
        if (parts <= 1) return emit(c);
        if (c.nest.loops.empty()) return c.list ? split_one_list(c, parts) : split_block(c, parts);
        std::vector<index_t> best = cuts_of(c, 0, parts);
        std::size_t cut_loop = 0;
        for (std::size_t k = 1; k < c.nest.loops.size() && unevenness(best, parts) > even && cuts_alike(c, k); ++k) {
            auto cuts = cuts_of(c, k, parts);
            if (unevenness(cuts, parts) >= unevenness(best, parts)) continue;
            best = std::move(cuts);
            cut_loop = k;
        }
        if (unevenness(best, parts) > uneven && c.nest.loops.front().count < parts) return split_iterations(c, parts);
        for (std::size_t i = 1; i < best.size(); ++i) emit(c.part(cut_loop, best[i - 1], best[i]));
    }

private:
    void emit(chunk c) {
        if (c.list) return programs_.push_back(list_in_loops(*c.list, c.nest));
        copy_program p = *to_program(std::move(c.nest)); // no more loops than the program that it came from
        if (c.twin) {
            p.twin = true;
            p.twin_src = c.twin->first;
            p.twin_dst = c.twin->second;
            p.bytes *= 2;
            p.kernel = kernel_for(p);
        }
        programs_.push_back(std::move(p));
    }

    void split_block(chunk const& c, index_t parts) {
        index_t const block = c.nest.block;
        index_t begin = 0;
        for (index_t i = 1; i <= parts; ++i) {
            // The first line boundary of the target at or after the ideal cut.
            index_t const ideal = share(block, parts, i);
            index_t const at = c.nest.dst_offset + ideal;
            index_t const end = i == parts ? block : std::min(block, ideal + line_of(at + line - 1) * line - at);
            bool const clean = end == block || c.separates(c.nest.dst_offset + end, c.nest.dst_offset + end);
            if (end <= begin || (!clean && block / parts < worth_a_shared_line)) continue;
            chunk piece = c;
            piece.nest.src_offset += begin;
            piece.nest.dst_offset += begin;
            piece.nest.block = end - begin;
            emit(std::move(piece));
            begin = end;
        }
    }

    void split_one_list(chunk const& c, index_t parts) {
        for (copy_program& p : split_list(list_in_loops(*c.list, c.nest), parts)) programs_.push_back(std::move(p));
    }

    /// Fewer iterations than parts: every iteration that no line ties to its neighbours gets its share of them.
    void split_iterations(chunk const& c, index_t parts) {
        index_t const count = c.nest.loops.front().count;
        for (index_t begin = 0; begin < count;) {
            index_t const end = clean_cut(c, 0, begin + 1);
            index_t const own = end - begin == 1 ? share(parts, count, end) - share(parts, count, begin) : 1;
            split(c.part(0, begin, end), own);
            begin = end;
        }
    }

    std::vector<copy_program> programs_;
};

std::vector<copy_program> split_list_in_loops(copy_program const& p, index_t parts) {
    copy_program list = p;
    list.loop_count = 0;
    for (int k = 0; k < p.loop_count; ++k) list.bytes /= p.loops[k].count;
    auto const [low, high] = reach_of(list).target;
    // The list moves to where its target begins, so that the block can stand for it.
    chunk whole{{p.src_offset, low, high - low, {p.loops, p.loops + p.loop_count}}, {}, &list};
    list.dst_offset -= low;
    turn_upwards(whole.nest);
    sort_by_target(whole.nest);
    splitter s;
    s.split(whole, parts);
    return std::move(s).finish();
}

std::vector<copy_program> split_nest(copy_program const& p, index_t parts) {
    chunk whole{{p.src_offset, p.dst_offset, p.block, {p.loops, p.loops + p.loop_count}}, {}};
    sort_by_target(whole.nest);
    if (p.twin) whole.twin.emplace(p.twin_src, p.twin_dst);
    splitter s;
    s.split(whole, parts);
    return std::move(s).finish();
}

} // namespace

std::vector<copy_program> split(copy_program const& p, int parts) {
    if (parts < 1)
        throw error{error_kind::usage, fmt::format("a copy cannot be split into {} parts", parts), "at least one part is needed",
                    "split the copy into 1 part or more"};
    if (p.bytes == 0) return {};
    if (parts == 1) return {p};
    auto programs = !is_list(p) ? split_nest(p, parts) : p.loop_count == 0 ? split_list(p, parts) : split_list_in_loops(p, parts);
    if (p.kernel == reference_kernel)
        for (copy_program& q : programs) q.kernel = reference_kernel;
    return programs;
}

} // namespace sode::internal
