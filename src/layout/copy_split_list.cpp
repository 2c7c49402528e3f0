// SPDX-License-Identifier: Apache-2.0
#include "layout/copy_list.hpp"

#include "layout/copy_kernels.hpp"
#include "layout/copy_nest.hpp"
#include "layout/copy_rows.hpp"

#include <algorithm>

namespace sode::internal {
namespace {

using segment = copy_program::segment;

/// Of a list in no loops, or of a single block.
std::vector<segment> segments_of(copy_program const& p) {
    std::vector<segment> all;
    all.reserve(static_cast<std::size_t>(entry_count(p)));
    for_each_row(p, [&](index_t src, index_t dst, index_t bytes) { all.push_back({src, dst, bytes}); });
    return all;
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

/// Equal regions of the target, each a power of two lines, and the part that each belongs to.
struct regions {
    index_t first = 0; ///< line
    int shift = 0;
    std::vector<std::uint32_t> part;

    [[nodiscard]] std::size_t of(index_t byte) const { return static_cast<std::size_t>((line_of(byte) - first) >> shift); }
    /// First byte after the part that `byte` lies in.
    [[nodiscard]] index_t end_of_part(index_t byte) const {
        std::size_t r = of(byte);
        std::uint32_t const mine = part[r];
        while (r < part.size() && part[r] == mine) ++r;
        return (first + (static_cast<index_t>(r) << shift)) * line;
    }
};

/// For a list in any order: counts the bytes of the regions, and makes parts of them. No parts, if the list lies in crowds, so that
/// one would have more than twice its share.
regions deal_regions(copy_program const& list, index_t parts) {
    constexpr index_t regions_a_part = 16;
    auto const [low, high] = reach_of(list).target;
    regions r;
    r.first = line_of(low);
    index_t const lines = line_of(high - 1) - r.first + 1;
    while (lines >> r.shift > parts * regions_a_part) ++r.shift;
    std::vector<index_t> filled(static_cast<std::size_t>(((lines - 1) >> r.shift) + 1));
    for_each_entry(list, [&](index_t, index_t dst, index_t bytes) { filled[r.of(dst + list.dst_offset)] += bytes; });
    r.part.reserve(filled.size());
    std::uint32_t part = 0;
    index_t moved = 0;
    index_t in_part = 0;
    for (index_t const bytes : filled) {
        r.part.push_back(part);
        moved += bytes;
        in_part += bytes;
        if (part + 1 == parts || moved < list.bytes / parts * (part + 1)) continue;
        if (in_part > 2 * (list.bytes / parts)) return {};
        ++part;
        in_part = 0;
    }
    return r;
}

/// What a part gets: its own entries, and those of which it has only a piece.
struct dealt_part {
    std::vector<copy_program::hop> hops;
    std::vector<segment> segments;
    std::vector<segment> cut;
};

/// Some entries of `list`.
template <class Entry> copy_program some_of(copy_program const& list, std::vector<Entry> entries) {
    copy_program p;
    p.block = list.block;
    p.src_offset = list.src_offset;
    p.dst_offset = list.dst_offset;
    p.set_table(std::move(entries));
    for_each_entry(p, [&](index_t, index_t, index_t bytes) { p.bytes += bytes; });
    p.kernel = kernel_for(p);
    return p;
}

void deal(regions const& r, dealt_part* parts, segment s) {
    while (s.bytes > 0) {
        index_t const here = std::min(s.bytes, r.end_of_part(s.dst) - s.dst);
        parts[r.part[r.of(s.dst)]].cut.push_back({s.src, s.dst, here});
        s = {s.src + here, s.dst + here, s.bytes - here};
    }
}

/// Every segment to the part that it lies in.
std::vector<std::vector<copy_program>> dealt(copy_program const& list, regions const& r) {
    auto const count = static_cast<std::size_t>(r.part.back()) + 1;
    std::vector<dealt_part> parts(count);
    auto const deal_all = [&](auto const& entries, auto dealt_part::*kept, auto bytes_of) {
        for (dealt_part& part : parts) (part.*kept).reserve(entries.size() / count + entries.size() / count / 8);
        for (auto const& entry : entries) {
            index_t const dst = entry.dst + list.dst_offset;
            index_t const bytes = bytes_of(entry);
            std::uint32_t const part = r.part[r.of(dst)];
            if (part == r.part[r.of(dst + bytes - 1)])
                (parts[part].*kept).push_back(entry);
            else
                deal(r, parts.data(), {entry.src + list.src_offset, dst, bytes});
        }
    };
    deal_all(list.hops(), &dealt_part::hops, [&](copy_program::hop) { return list.block; });
    deal_all(list.segments(), &dealt_part::segments, [](segment const& s) { return s.bytes; });
    std::vector<std::vector<copy_program>> programs;
    for (dealt_part& d : parts) {
        std::vector<copy_program> of_part;
        if (!d.hops.empty()) of_part.push_back(with_places(some_of(list, std::move(d.hops))));
        if (!d.segments.empty()) of_part.push_back(some_of(list, std::move(d.segments)));
        if (!d.cut.empty()) of_part.push_back(to_program(std::move(d.cut)));
        if (!of_part.empty()) programs.push_back(std::move(of_part));
    }
    return programs;
}

/// Entries of one size that ascend in the target, where between two of them a line ends near every place of a cut; nothing if not.
/// The parts refer to the list.
std::vector<std::vector<copy_program>> dealt_in_order(copy_program const& list, index_t parts) {
    auto const n = static_cast<std::size_t>(list.entries);
    auto const hops = list.hops();
    auto const places = list.places();
    bool const gathers = list.encoding == copy_encoding::gather;
    auto const target_of = [&](std::size_t k) {
        index_t const at = !hops.empty() ? hops[k].dst : gathers ? static_cast<index_t>(k) * list.place_step : places[k];
        return at + list.dst_offset;
    };
    std::vector<std::size_t> cuts{0};
    for (index_t i = 1; i < parts; ++i) {
        std::size_t k = n * static_cast<std::size_t>(i) / static_cast<std::size_t>(parts);
        std::size_t const last = std::min(k + line, n);
        auto const clean = [&](std::size_t at) { return line_of(target_of(at - 1) + list.block - 1) < line_of(target_of(at)); };
        while (k < last && (k == 0 || !clean(k))) ++k;
        if (k == last) return {};
        if (k > cuts.back()) cuts.push_back(k);
    }
    cuts.push_back(n);
    std::vector<std::vector<copy_program>> programs;
    for (std::size_t i = 1; i < cuts.size(); ++i) {
        auto const begin = static_cast<index_t>(cuts[i - 1]);
        copy_program p = list;
        p.take_entries(begin, static_cast<index_t>(cuts[i]));
        p.bytes = p.entries * p.block;
        if (hops.empty()) (gathers ? p.dst_offset : p.src_offset) += begin * p.place_step;
        programs.push_back({with_places(std::move(p))});
    }
    return programs;
}

/// Whether the entries of a list, which is in no loops, come in the order of the target.
bool ascends_in_target(copy_program const& list) {
    auto const lower = [](auto const& a, auto const& b) { return a.dst < b.dst; };
    auto const hops = list.hops();
    auto const places = list.places();
    auto const segments = list.segments();
    if (list.encoding == copy_encoding::gather) return list.place_step >= 0;
    return std::is_sorted(hops.begin(), hops.end(), lower) && std::is_sorted(places.begin(), places.end()) &&
           std::is_sorted(segments.begin(), segments.end(), lower);
}

/// Every segment to the part between two cuts that it lies in.
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

std::vector<std::vector<copy_program>> parts_of_list(copy_program const& list, index_t parts) {
    bool const ascends = ascends_in_target(list);
    if (ascends && list.segments().empty())
        if (auto programs = dealt_in_order(list, parts); !programs.empty()) return programs;
    if (!list.places().empty()) return parts_of_list(with_hops(list), parts);
    if (!ascends)
        if (auto const r = deal_regions(list, parts); !r.part.empty()) return dealt(list, r);
    auto segments = segments_of(list);
    if (!ascends) std::sort(segments.begin(), segments.end(), [](segment const& a, segment const& b) { return a.dst < b.dst; });
    auto cuts = cuts_of_ascending(segments, list.bytes, parts);
    cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
    std::vector<std::vector<copy_program>> programs;
    for (auto& part : dealt(segments, cuts)) {
        if (part.empty()) continue;
        programs.emplace_back();
        if (list.hops().empty())
            programs.back().push_back(to_program(std::move(part)));
        else
            append_list(programs.back(), {}, part);
    }
    return programs;
}

std::vector<copy_program> split_list(copy_program const& list, index_t parts) {
    std::vector<copy_program> programs;
    for (auto& part : parts_of_list(list, parts)) {
        if (part.size() == 1) {
            programs.push_back(std::move(part.front()));
            continue;
        }
        std::vector<segment> all;
        for (copy_program const& p : part)
            for (segment const& s : segments_of(p)) all.push_back(s);
        programs.push_back(to_program(std::move(all)));
    }
    return programs;
}

} // namespace sode::internal
