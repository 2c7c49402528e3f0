// SPDX-License-Identifier: Apache-2.0
#include "layout/copy_list.hpp"

#include "layout/copy_kernels.hpp"
#include "layout/copy_nest.hpp"

#include <algorithm>
#include <numeric>
#include <span>

namespace sode::internal {
namespace {

using loop = copy_program::loop;
using segment = copy_program::segment;

/// Segments are looked at in groups of so many; what has fewer than `own` is worth no program of its own.
constexpr std::size_t group = 8;
constexpr std::size_t own = 16;
/// A block of a size known at compile time takes about 0.4 ns, one of any size about 3.8 where nobody can foretell its size: so
/// many times as many blocks may a list get. Short lists in loops are foretold: 1.2 ns.
constexpr index_t many_more = 8;
constexpr std::size_t foretold = 64;
constexpr index_t some_more = 4; ///< the same of what is foretold
/// Above, the bytes of a block cost more than its beginning.
constexpr index_t long_block = 256;
/// A short list in loops is unrolled to about so many blocks: two segments of 16 and 8 bytes in a loop take 2.3 ns, as three blocks
/// of a long list 0.8. The table stays small.
constexpr index_t unrolled = 64;

/// Segments whose sizes have a common divisor.
struct stretch {
    std::size_t begin = 0;
    std::size_t end = 0;
    index_t divisor = 0;
};

index_t divisor_of(std::span<segment const> segments) {
    index_t d = segments.front().bytes;
    for (segment const& s : segments)
        if (s.bytes % d != 0) d = std::gcd(d, s.bytes);
    return d;
}

/// Short ones whose divisor is a multiple of that of a neighbour joined with it.
std::vector<stretch> without_short_ones(std::vector<stretch> const& all) {
    std::vector<stretch> joined;
    auto const can_join = [](stretch const& a, stretch const& to) { return a.end - a.begin < own && a.divisor % to.divisor == 0; };
    for (stretch const& s : all) {
        bool const joins = !joined.empty() && (can_join(s, joined.back()) || can_join(joined.back(), s));
        if (!joins) {
            joined.push_back(s);
            continue;
        }
        joined.back().divisor = std::min(joined.back().divisor, s.divisor);
        joined.back().end = s.end;
    }
    return joined;
}

/// Groups of equal divisors joined; where two stretches meet, the one of the larger divisor takes what it divides.
std::vector<stretch> stretches_of(std::span<segment const> segments) {
    std::vector<stretch> all;
    for (std::size_t i = 0; i < segments.size(); i += group) {
        std::size_t const end = std::min(i + group, segments.size());
        index_t const d = divisor_of(segments.subspan(i, end - i));
        if (!all.empty() && all.back().divisor == d)
            all.back().end = end;
        else
            all.push_back({i, end, d});
    }
    for (std::size_t k = 1; k < all.size(); ++k) {
        stretch& a = all[k - 1];
        stretch& b = all[k];
        while (a.divisor > b.divisor && b.begin + 1 < b.end && segments[b.begin].bytes % a.divisor == 0) a.end = ++b.begin;
        while (b.divisor > a.divisor && a.begin + 1 < a.end && segments[a.end - 1].bytes % b.divisor == 0) b.begin = --a.end;
    }
    return without_short_ones(all);
}

index_t bytes_of(std::span<segment const> segments) {
    index_t bytes = 0;
    for (segment const& s : segments) bytes += s.bytes;
    return bytes;
}

void append_segments(std::vector<copy_program>& steps, std::vector<loop> const& loops, std::span<segment const> segments) {
    copy_program p = list_program(loops, bytes_of(segments));
    p.set_table(std::vector<segment>(segments.begin(), segments.end()));
    p.kernel = kernel_for(p);
    steps.push_back(std::move(p));
}

/// Blocks of `size` bytes relative to the first segment, both sides as they lie.
void append_hops(std::vector<copy_program>& steps, std::vector<loop> const& loops, std::span<segment const> run, index_t size) {
    copy_program p = list_program(loops, bytes_of(run));
    p.block = size;
    p.src_offset = run.front().src;
    p.dst_offset = run.front().dst;
    std::vector<copy_program::hop> hops;
    hops.reserve(static_cast<std::size_t>(bytes_of(run) / size));
    for (segment const& s : run) {
        for (index_t at = 0; at < s.bytes; at += size) {
            index_t const src = s.src - p.src_offset + at;
            index_t const dst = s.dst - p.dst_offset + at;
            if (!fits(src) || !fits(dst)) return append_segments(steps, loops, run);
            hops.push_back({static_cast<std::int32_t>(src), static_cast<std::int32_t>(dst)});
        }
    }
    p.set_table(std::move(hops));
    p.kernel = kernel_for(p);
    steps.push_back(with_places(std::move(p)));
}

/// The same where one side goes on from segment to segment; `side` is the other one.
void append_places(std::vector<copy_program>& steps, std::vector<loop> const& loops, std::span<segment const> run, index_t size,
                   index_t segment::*side) {
    copy_program p = list_program(loops, bytes_of(run));
    p.block = size;
    p.place_step = size;
    p.src_offset = run.front().src;
    p.dst_offset = run.front().dst;
    std::vector<std::int32_t> places;
    places.reserve(static_cast<std::size_t>(bytes_of(run) / size));
    for (segment const& s : run) {
        index_t const first = s.*side - run.front().*side;
        if (!fits(first) || !fits(first + s.bytes)) return append_segments(steps, loops, run);
        for (index_t at = 0; at < s.bytes; at += size) places.push_back(static_cast<std::int32_t>(first + at));
    }
    p.set_table(side == &segment::src ? copy_encoding::gather : copy_encoding::scatter, std::move(places));
    p.kernel = kernel_for(p);
    steps.push_back(std::move(p));
}

/// How many segments from the first on go on where the one before ended.
std::size_t going_on(std::span<segment const> segments, index_t segment::*side) {
    std::size_t n = 1;
    while (n < segments.size() && segments[n].*side == segments[n - 1].*side + segments[n - 1].bytes) ++n;
    return n;
}

/// In blocks of `size` bytes, which divides all segments.
void append_blocks(std::vector<copy_program>& steps, std::vector<loop> const& loops, std::span<segment const> segments,
                   index_t size) {
    constexpr std::size_t worth_a_list = 16;
    std::size_t begin = 0; // of those that are in no program yet
    for (std::size_t i = 0; i < segments.size();) {
        auto const rest = segments.subspan(i);
        std::size_t const target = going_on(rest, &segment::dst);
        std::size_t const source = going_on(rest, &segment::src);
        std::size_t const n = std::max(target, source);
        if (n >= worth_a_list) {
            if (begin < i) append_hops(steps, loops, segments.subspan(begin, i - begin), size);
            append_places(steps, loops, rest.first(n), size, target == n ? &segment::src : &segment::dst);
            begin = i + n;
        }
        i += n;
    }
    if (begin < segments.size()) append_hops(steps, loops, segments.subspan(begin), size);
}

/// How often the list is written down in one iteration: once, where that is no gain.
index_t times_unrolled(std::vector<loop> const& loops, std::span<segment const> segments) {
    auto const n = static_cast<index_t>(segments.size());
    index_t const bytes = bytes_of(segments);
    index_t const blocks = bytes / divisor_of(segments);
    if (loops.empty() || blocks >= unrolled || blocks > some_more * n || bytes >= n * long_block) return 1;
    index_t const count = loops.back().count;
    index_t const about = (unrolled + blocks - 1) / blocks;
    if (count <= 2 * about) return count;
    // Rather some more or less than a rest, which is a program of its own.
    for (index_t times = about; times <= 2 * about; ++times)
        if (count % times == 0) return times;
    for (index_t times = about - 1; times > about / 2; --times)
        if (count % times == 0) return times;
    return about;
}

/// The list of `times` iterations of the loop, from iteration `first` on.
std::vector<segment> iterations(loop const& l, index_t first, index_t times, std::span<segment const> segments) {
    std::vector<segment> all;
    all.reserve(static_cast<std::size_t>(times) * segments.size());
    for (index_t i = first; i < first + times; ++i)
        for (segment const& s : segments) all.push_back({s.src + i * l.src_stride, s.dst + i * l.dst_stride, s.bytes});
    return all;
}

/// Whether blocks of the common divisor take no longer than the segments as they are.
bool is_cut_well(std::span<segment const> segments, index_t divisor, bool in_loops) {
    auto const n = static_cast<index_t>(segments.size());
    index_t const bytes = bytes_of(segments);
    index_t const blocks = bytes / divisor;
    if (blocks == n) return true;
    if (bytes >= n * long_block) return false;
    if (!in_loops || segments.size() >= foretold) return blocks <= many_more * n;
    return blocks >= unrolled ? blocks <= some_more * n : 4 * blocks <= 5 * n;
}

void append_mixed(std::vector<copy_program>& steps, std::vector<loop> const& loops, std::span<segment const> segments) {
    if (segments.size() == 1)
        steps.push_back(*to_program({segments.front().src, segments.front().dst, segments.front().bytes, loops}));
    else if (!segments.empty())
        append_segments(steps, loops, segments);
}

} // namespace

void append_list(std::vector<copy_program>& steps, std::vector<loop> const& loops, std::vector<segment> const& segments) {
    if (index_t const times = times_unrolled(loops, segments); times > 1) {
        loop const inner = loops.back();
        std::vector<loop> around = loops;
        around.pop_back();
        index_t const rest = inner.count % times;
        if (rest > 0) append_list(steps, around, iterations(inner, inner.count - rest, rest, segments));
        if (inner.count > rest + times) around.push_back({inner.count / times, times * inner.src_stride, times * inner.dst_stride});
        return append_list(steps, around, iterations(inner, 0, times, segments));
    }
    std::span<segment const> const all{segments};
    std::size_t mixed = 0; // the first segment that is in no program yet
    for (stretch const& s : stretches_of(all)) {
        auto const here = all.subspan(s.begin, s.end - s.begin);
        if (here.size() == 1 || !is_cut_well(here, s.divisor, !loops.empty())) continue;
        append_mixed(steps, loops, all.subspan(mixed, s.begin - mixed));
        append_blocks(steps, loops, here, s.divisor);
        mixed = s.end;
    }
    append_mixed(steps, loops, all.subspan(mixed));
}

} // namespace sode::internal
