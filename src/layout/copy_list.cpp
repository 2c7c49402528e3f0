// SPDX-License-Identifier: Apache-2.0
#include "layout/copy_list.hpp"

#include "layout/copy_kernels.hpp"
#include "layout/copy_nest.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <span>

namespace sode {
namespace {

using loop = copy_program::loop;
using segment = copy_program::segment;

/// Segments are looked at in groups of so many.
constexpr std::size_t group = 32;
/// A block of a size known at compile time takes about 0.4 ns, one of any size about 3.8 where nobody can foretell its size: so
/// many times as many blocks may a list get. Short lists in loops are foretold.
constexpr index_t many_more = 8;
constexpr std::size_t foretold = 64;
/// Above, the bytes of a block cost more than its beginning.
constexpr index_t long_block = 256;

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
    return all;
}

copy_program in_loops(std::vector<loop> const& loops, index_t bytes) {
    copy_program p;
    p.kernel = list_kernel;
    p.loop_count = static_cast<std::uint8_t>(loops.size());
    std::copy(loops.begin(), loops.end(), p.loops);
    p.bytes = bytes;
    for (loop const& l : loops) p.bytes *= l.count;
    return p;
}

index_t bytes_of(std::span<segment const> segments) {
    index_t bytes = 0;
    for (segment const& s : segments) bytes += s.bytes;
    return bytes;
}

bool fits(index_t distance) {
    return distance >= std::numeric_limits<std::int32_t>::min() && distance <= std::numeric_limits<std::int32_t>::max();
}

void append_segments(std::vector<copy_program>& steps, std::vector<loop> const& loops, std::span<segment const> segments) {
    copy_program p = in_loops(loops, bytes_of(segments));
    p.segments.assign(segments.begin(), segments.end());
    steps.push_back(std::move(p));
}

/// Blocks of `size` bytes relative to the first segment, both sides as they lie.
void append_hops(std::vector<copy_program>& steps, std::vector<loop> const& loops, std::span<segment const> run, index_t size) {
    copy_program p = in_loops(loops, bytes_of(run));
    p.block = size;
    p.src_offset = run.front().src;
    p.dst_offset = run.front().dst;
    p.hops.reserve(static_cast<std::size_t>(bytes_of(run) / size));
    for (segment const& s : run) {
        for (index_t at = 0; at < s.bytes; at += size) {
            index_t const src = s.src - p.src_offset + at;
            index_t const dst = s.dst - p.dst_offset + at;
            if (!fits(src) || !fits(dst)) return append_segments(steps, loops, run);
            p.hops.push_back({static_cast<std::int32_t>(src), static_cast<std::int32_t>(dst)});
        }
    }
    steps.push_back(with_places(std::move(p)));
}

/// The same where one side goes on from segment to segment; `side` is the other one.
void append_places(std::vector<copy_program>& steps, std::vector<loop> const& loops, std::span<segment const> run, index_t size,
                   index_t segment::*side) {
    copy_program p = in_loops(loops, bytes_of(run));
    p.block = size;
    p.place_step = size;
    p.places_in_source = side == &segment::src;
    p.src_offset = run.front().src;
    p.dst_offset = run.front().dst;
    p.places.reserve(static_cast<std::size_t>(bytes_of(run) / size));
    for (segment const& s : run) {
        index_t const first = s.*side - run.front().*side;
        if (!fits(first) || !fits(first + s.bytes)) return append_segments(steps, loops, run);
        for (index_t at = 0; at < s.bytes; at += size) p.places.push_back(static_cast<std::int32_t>(first + at));
    }
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

void append_stretch(std::vector<copy_program>& steps, std::vector<loop> const& loops, std::span<segment const> segments,
                    index_t divisor) {
    if (segments.size() == 1)
        return steps.push_back(*to_program({segments.front().src, segments.front().dst, segments.front().bytes, loops}));
    auto const n = static_cast<index_t>(segments.size());
    index_t const bytes = bytes_of(segments);
    index_t const blocks = bytes / divisor;
    bool const is_cut_well =
        bytes < n * long_block && (segments.size() >= foretold ? blocks <= many_more * n : 4 * blocks <= 5 * n);
    if (blocks == n || is_cut_well)
        append_blocks(steps, loops, segments, divisor);
    else
        append_segments(steps, loops, segments);
}

/// The size that divides all blocks, if that cuts few of them; 0 if not.
template <class Blocks> index_t common_size(Blocks const& blocks) {
    index_t size = blocks.front().bytes;
    index_t bytes = 0;
    for (auto const& b : blocks) {
        size = std::min(size, b.bytes);
        bytes += b.bytes;
    }
    auto const n = static_cast<index_t>(blocks.size());
    if (bytes / size > n + n / 4) return 0;
    if (bytes == n * size) return size;
    bool const divides = std::all_of(blocks.begin(), blocks.end(), [size](auto const& b) { return b.bytes % size == 0; });
    return divides ? size : 0;
}

/// Walks pieces in steps of equal size.
class stepper {
public:
    explicit stepper(std::vector<layout::piece> const& pieces)
        : at_(pieces.front().offset), left_(pieces.front().bytes), next_(pieces.data() + 1) {}
    [[nodiscard]] index_t at() const { return at_; }
    /// There is more than `size` to come.
    void go_on(index_t size) {
        at_ += size;
        left_ -= size;
        if (left_ > 0) return;
        at_ = next_->offset;
        left_ = next_->bytes;
        ++next_;
    }

private:
    index_t at_;
    index_t left_;
    layout::piece const* next_;
};

} // namespace

void append_list(std::vector<copy_program>& steps, std::vector<loop> const& loops, std::vector<segment> const& segments) {
    std::span<segment const> const all{segments};
    for (stretch const& s : stretches_of(all)) append_stretch(steps, loops, all.subspan(s.begin, s.end - s.begin), s.divisor);
}

bool append_uniform(std::vector<copy_program>& steps, std::vector<loop> const& loops, std::vector<layout::piece> const& source,
                    std::vector<layout::piece> const& target) {
    auto const& longer = source.size() >= target.size() ? source : target;
    auto const& shorter = source.size() >= target.size() ? target : source;
    index_t const size = common_size(longer);
    if (size == 0 || !std::all_of(shorter.begin(), shorter.end(), [size](auto const& p) { return p.bytes % size == 0; }))
        return false;
    index_t bytes = 0;
    for (auto const& p : longer) bytes += p.bytes;
    copy_program p = in_loops(loops, bytes);
    p.block = size;
    p.src_offset = source.front().offset;
    p.dst_offset = target.front().offset;
    p.hops.resize(static_cast<std::size_t>(bytes / size));
    stepper s{source};
    stepper t{target};
    for (std::size_t i = 0; i < p.hops.size(); ++i) {
        if (i > 0) {
            s.go_on(size);
            t.go_on(size);
        }
        index_t const src = s.at() - p.src_offset;
        index_t const dst = t.at() - p.dst_offset;
        if (!fits(src) || !fits(dst)) return false;
        p.hops[i] = {static_cast<std::int32_t>(src), static_cast<std::int32_t>(dst)};
    }
    steps.push_back(with_places(std::move(p)));
    return true;
}

copy_program with_places(copy_program p) {
    if (p.hops.size() < 2) return p;
    auto const goes_on = [&](auto side) {
        index_t const step = p.hops[1].*side - p.hops[0].*side;
        for (std::size_t i = 2; i < p.hops.size(); ++i)
            if (p.hops[i].*side - p.hops[i - 1].*side != step) return false;
        return true;
    };
    auto const keep = [&](auto places, auto steps) {
        p.place_step = p.hops[1].*steps - p.hops[0].*steps;
        p.src_offset += p.places_in_source ? 0 : p.hops[0].src;
        p.dst_offset += p.places_in_source ? p.hops[0].dst : 0;
        p.places.resize(p.hops.size());
        std::transform(p.hops.begin(), p.hops.end(), p.places.begin(), [places](auto const& h) { return h.*places; });
        p.hops = {};
    };
    if (goes_on(&copy_program::hop::dst)) {
        p.places_in_source = true;
        keep(&copy_program::hop::src, &copy_program::hop::dst);
    } else if (goes_on(&copy_program::hop::src)) {
        keep(&copy_program::hop::dst, &copy_program::hop::src);
    }
    return p;
}

copy_program with_hops(copy_program p) {
    p.hops.reserve(p.hops.size() + p.places.size());
    for (std::size_t i = 0; i < p.places.size(); ++i) {
        auto const step = static_cast<std::int32_t>(static_cast<index_t>(i) * p.place_step); // it was one before
        p.hops.push_back(p.places_in_source ? copy_program::hop{p.places[i], step} : copy_program::hop{step, p.places[i]});
    }
    p.places = {};
    p.places_in_source = false;
    p.place_step = 0;
    return p;
}

} // namespace sode
