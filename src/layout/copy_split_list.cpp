// SPDX-License-Identifier: Apache-2.0
#include "layout/copy_list.hpp"

#include "layout/copy_nest.hpp"

#include <algorithm>

namespace sode {
namespace {

using segment = copy_program::segment;

std::vector<segment> segments_of(copy_program const& p) {
    std::vector<segment> all;
    all.reserve(p.segments.size() + p.hops.size());
    for (segment const& s : p.segments) all.push_back({s.src + p.src_offset, s.dst + p.dst_offset, s.bytes});
    for (auto const& h : p.hops) all.push_back({h.src + p.src_offset, h.dst + p.dst_offset, p.block});
    return all;
}

bool before(segment const& a, segment const& b) {
    return a.dst < b.dst;
}

/// Target bytes, each the first of a line, that divide ascending segments into equal parts as nearly as lines allow.
std::vector<index_t> cuts_of_ascending(std::vector<segment> const& segments, index_t bytes, index_t parts) {
    std::vector<index_t> cuts;
    index_t moved = 0;
    for (segment const& s : segments) {
        while (static_cast<index_t>(cuts.size()) + 1 < parts) {
            index_t const wanted = bytes / parts * (static_cast<index_t>(cuts.size()) + 1);
            if (moved + s.bytes < wanted) break;
            cuts.push_back(line_of(s.dst + wanted - moved + line - 1) * line);
        }
        moved += s.bytes;
    }
    return cuts;
}

/// The same for segments in any order: counts the bytes in equal regions. They lie in crowds if no cut is near its place.
std::vector<index_t> cuts_by_regions(std::vector<segment> const& segments, std::pair<index_t, index_t> extent, index_t bytes,
                                     index_t parts) {
    constexpr index_t regions_a_part = 16;
    index_t const first = line_of(extent.first);
    index_t const lines = line_of(extent.second - 1) - first + 1;
    index_t const regions = std::min(lines, parts * regions_a_part);
    index_t const lines_a_region = (lines + regions - 1) / regions;
    std::vector<index_t> filled(static_cast<std::size_t>(regions));
    for (segment const& s : segments) filled[static_cast<std::size_t>((line_of(s.dst) - first) / lines_a_region)] += s.bytes;
    std::vector<index_t> cuts;
    index_t moved = 0;
    index_t since_cut = 0;
    for (index_t r = 0; r < regions; ++r) {
        moved += filled[static_cast<std::size_t>(r)];
        since_cut += filled[static_cast<std::size_t>(r)];
        auto const made = static_cast<index_t>(cuts.size()) + 1;
        if (made == parts || moved < bytes / parts * made) continue;
        if (since_cut > 2 * (bytes / parts)) return {};
        cuts.push_back((first + (r + 1) * lines_a_region) * line);
        since_cut = 0;
    }
    return cuts;
}

/// Every segment into the part that it lies in.
std::vector<std::vector<segment>> dealt(std::vector<segment> const& segments, std::vector<index_t> const& cuts) {
    std::vector<std::vector<segment>> parts(cuts.size() + 1);
    for (auto& p : parts) p.reserve(segments.size() / parts.size() + segments.size() / 16 + 1);
    std::size_t part = 0; // of the last segment: often that of the next
    for (segment s : segments) {
        while (s.bytes > 0) {
            bool const same = (part == 0 || cuts[part - 1] <= s.dst) && (part == cuts.size() || s.dst < cuts[part]);
            if (!same) part = static_cast<std::size_t>(std::upper_bound(cuts.begin(), cuts.end(), s.dst) - cuts.begin());
            index_t const here = part == cuts.size() ? s.bytes : std::min(s.bytes, cuts[part] - s.dst);
            parts[part].push_back({s.src, s.dst, here});
            s = {s.src + here, s.dst + here, s.bytes - here};
        }
    }
    return parts;
}

} // namespace

std::pair<index_t, index_t> target_extent(copy_program const& p) {
    std::pair<index_t, index_t> e{0, p.segments.empty() && p.hops.empty() ? p.block : 0};
    bool first = true;
    auto const include = [&](index_t low, index_t high) {
        e = first ? std::pair{low, high} : std::pair{std::min(e.first, low), std::max(e.second, high)};
        first = false;
    };
    for (segment const& s : p.segments) include(s.dst, s.dst + s.bytes);
    for (auto const& h : p.hops) include(h.dst, h.dst + p.block);
    e = {e.first + p.dst_offset, e.second + p.dst_offset};
    for (int k = 0; k < p.loop_count; ++k) {
        auto const& l = p.loops[k];
        (l.dst_stride < 0 ? e.first : e.second) += (l.count - 1) * l.dst_stride;
    }
    if (p.twin) e = {std::min(e.first, e.first + p.twin_dst), std::max(e.second, e.second + p.twin_dst)};
    return e;
}

std::vector<std::vector<segment>> parts_of_list(copy_program const& list, index_t parts) {
    auto segments = segments_of(list);
    std::vector<index_t> cuts;
    if (!std::is_sorted(segments.begin(), segments.end(), before)) {
        cuts = cuts_by_regions(segments, target_extent(list), list.bytes, parts);
        if (cuts.empty()) std::sort(segments.begin(), segments.end(), before);
    }
    if (cuts.empty()) cuts = cuts_of_ascending(segments, list.bytes, parts);
    cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
    auto all = dealt(segments, cuts);
    all.erase(std::remove_if(all.begin(), all.end(), [](auto const& part) { return part.empty(); }), all.end());
    return all;
}

std::vector<copy_program> split_list(copy_program const& list, index_t parts) {
    std::vector<copy_program> programs;
    for (auto& part : parts_of_list(list, parts)) {
        std::vector<copy_program> compact;
        if (!list.hops.empty()) append_list(compact, {}, part);
        programs.push_back(compact.size() == 1 ? std::move(compact.front()) : to_program(std::move(part)));
    }
    return programs;
}

} // namespace sode
