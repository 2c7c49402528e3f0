// SPDX-License-Identifier: Apache-2.0
#include "layout/copy_list.hpp"

#include "layout/copy_kernels.hpp"
#include "layout/copy_nest.hpp"

#include <algorithm>
#include <limits>
#include <span>

namespace sode {
namespace {

using loop = copy_program::loop;
using segment = copy_program::segment;

/// From so many equal segments in a row, on average, each run is a list of its own.
constexpr std::size_t worth_a_list = 8;

std::size_t run_length(std::span<segment const> segments) {
    std::size_t n = 1;
    while (n < segments.size() && segments[n].bytes == segments.front().bytes) ++n;
    return n;
}

std::size_t number_of_runs(std::span<segment const> segments) {
    std::size_t runs = 0;
    for (; !segments.empty(); ++runs) segments = segments.subspan(run_length(segments));
    return runs;
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

/// Equal segments relative to the first one; false if they lie too far apart for that.
bool append_hops(std::vector<copy_program>& steps, std::vector<loop> const& loops, std::span<segment const> run) {
    copy_program p = in_loops(loops, bytes_of(run));
    p.block = run.front().bytes;
    p.src_offset = run.front().src;
    p.dst_offset = run.front().dst;
    p.hops.reserve(run.size());
    for (segment const& s : run) {
        index_t const src = s.src - p.src_offset;
        index_t const dst = s.dst - p.dst_offset;
        if (!fits(src) || !fits(dst)) return false;
        p.hops.push_back({static_cast<std::int32_t>(src), static_cast<std::int32_t>(dst)});
    }
    steps.push_back(std::move(p));
    return true;
}

void append_segments(std::vector<copy_program>& steps, std::vector<loop> const& loops, std::span<segment const> segments) {
    copy_program p = in_loops(loops, bytes_of(segments));
    p.segments.assign(segments.begin(), segments.end());
    steps.push_back(std::move(p));
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

/// Segments of that size, where neighbours that touch had been joined.
std::vector<segment> cut(std::span<segment const> segments, index_t size) {
    std::vector<segment> all;
    all.reserve(segments.size() + segments.size() / 4);
    for (segment const& s : segments)
        for (index_t at = 0; at < s.bytes; at += size) all.push_back({s.src + at, s.dst + at, size});
    return all;
}

} // namespace

void append_list(std::vector<copy_program>& steps, std::vector<loop> const& loops, std::vector<segment> const& segments) {
    std::size_t const first_run = run_length(segments);
    if (first_run < segments.size() && segments.size() >= worth_a_list) {
        if (index_t const size = common_size(segments); size > 0 && append_hops(steps, loops, cut(segments, size))) return;
    }
    if (number_of_runs(segments) * worth_a_list > segments.size() + worth_a_list) return append_segments(steps, loops, segments);
    for (std::span<segment const> rest = segments; !rest.empty();) {
        std::size_t const n = run_length(rest);
        if (n == 1)
            steps.push_back(*to_program({rest.front().src, rest.front().dst, rest.front().bytes, loops}));
        else if (!append_hops(steps, loops, rest.first(n)))
            append_segments(steps, loops, rest.first(n));
        rest = rest.subspan(n);
    }
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
    steps.push_back(std::move(p));
    return true;
}

} // namespace sode
