// SPDX-License-Identifier: Apache-2.0
#include "layout/copy_list.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace sode {
namespace {

using loop = copy_program::loop;

using pieces = std::vector<layout::piece>;

/// What one look at a list tells.
struct summary {
    index_t least = 0; ///< size of the smallest piece
    index_t bytes = 0;
};
summary summary_of(pieces const& list) {
    summary s{list.front().bytes, 0};
    for (auto const& p : list) {
        s.least = std::min(s.least, p.bytes);
        s.bytes += p.bytes;
    }
    return s;
}

/// The greatest common divisor of the sizes of a few pieces.
index_t divisor_of(layout::piece const* first, layout::piece const* end) {
    index_t d = 0;
    for (; first != end; ++first) d = std::gcd(d, first->bytes);
    return d;
}

/// Whether it pays to cut a list, which is in no loops, into blocks of its smallest size, though many of its blocks have grown
/// together: those of one array, and not small ones of one beside large ones of another, which get lists of their own elsewhere.
bool is_of_one_array(pieces const& list, summary const& s) {
    constexpr std::ptrdiff_t some = 8;
    constexpr index_t many_more = 8;    // blocks of a known size take as long as one whose size nobody foretells,
    constexpr index_t long_piece = 256; // unless its bytes cost more than its beginning
    auto const n = static_cast<index_t>(list.size());
    auto const* const first = list.data();
    auto const* const end = first + n;
    return n >= 2 * some && s.bytes / s.least <= many_more * n && s.bytes < n * long_piece &&
           divisor_of(first, first + some) == s.least && divisor_of(end - some, end) == s.least;
}

/// Whether `size` divides all pieces.
bool consists_of(index_t size, pieces const& list, summary const& s) {
    bool const all_equal = s.least == size && s.bytes == size * static_cast<index_t>(list.size());
    return all_equal || std::all_of(list.begin(), list.end(), [size](auto const& p) { return p.bytes % size == 0; });
}

/// The places of all blocks of a list, from its first one; none if one is too far away.
std::vector<std::int32_t> places_of(pieces const& list, index_t size, index_t blocks) {
    std::vector<std::int32_t> places(static_cast<std::size_t>(blocks));
    auto* next = places.data();
    bool far = false;
    for (auto const& p : list) {
        for (index_t at = p.offset - list.front().offset, end = at + p.bytes; at < end; at += size) {
            far = far || !fits(at);
            *next++ = static_cast<std::int32_t>(at);
        }
    }
    if (far) return {};
    return places;
}

/// Walks pieces in steps of equal size.
class stepper {
public:
    explicit stepper(pieces const& list)
        : first_(list.front().offset), at_(first_), left_(list.front().bytes), next_(list.data() + 1) {}
    /// From the first piece.
    [[nodiscard]] index_t at() const { return at_ - first_; }
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
    index_t first_;
    index_t at_;
    index_t left_;
    layout::piece const* next_;
};

/// Both sides of all blocks, each from its first one; none if one is too far away.
std::vector<copy_program::hop> hops_of(pieces const& source, pieces const& target, index_t size, index_t blocks) {
    std::vector<copy_program::hop> hops(static_cast<std::size_t>(blocks));
    bool far = false;
    auto const add = [&](copy_program::hop& h, index_t src, index_t dst) {
        far = far || !fits(src) || !fits(dst);
        h = {static_cast<std::int32_t>(src), static_cast<std::int32_t>(dst)};
    };
    if (source.size() == hops.size() && target.size() == hops.size()) {
        index_t const src = source.front().offset;
        index_t const dst = target.front().offset;
        for (std::size_t i = 0; i < hops.size(); ++i) add(hops[i], source[i].offset - src, target[i].offset - dst);
    } else {
        stepper s{source};
        stepper t{target};
        for (std::size_t i = 0; i < hops.size(); ++i) {
            if (i > 0) {
                s.go_on(size);
                t.go_on(size);
            }
            add(hops[i], s.at(), t.at());
        }
    }
    if (far) return {};
    return hops;
}

} // namespace

bool append_uniform(std::vector<copy_program>& steps, std::vector<loop> const& loops, pieces const& source, pieces const& target) {
    bool const more_sources = source.size() >= target.size();
    auto const& longer = more_sources ? source : target;
    auto const& shorter = more_sources ? target : source;
    summary const s = summary_of(longer);
    auto const n = static_cast<index_t>(longer.size());
    index_t const blocks = s.bytes / s.least;
    bool const cuts_few = blocks <= n + n / 4;
    if (!cuts_few && (!loops.empty() || !is_of_one_array(longer, s))) return false;
    if (!consists_of(s.least, longer, s) || !consists_of(s.least, shorter, summary_of(shorter))) return false;
    copy_program p = list_program(loops, s.bytes);
    p.block = s.least;
    p.src_offset = source.front().offset;
    p.dst_offset = target.front().offset;
    if (shorter.size() == 1) {
        p.place_step = p.block;
        p.places_in_source = more_sources;
        p.places = places_of(longer, p.block, blocks);
        if (p.places.empty()) return false;
        steps.push_back(std::move(p));
    } else {
        p.hops = hops_of(source, target, p.block, blocks);
        if (p.hops.empty()) return false;
        steps.push_back(with_places(std::move(p)));
    }
    return true;
}

} // namespace sode
