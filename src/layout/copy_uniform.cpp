// SPDX-License-Identifier: Apache-2.0
#include "layout/copy_kernels.hpp"
#include "layout/copy_list.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace sode::internal {
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

/// How many times `size` goes into pieces. Not a division: that takes a processor longer than all the rest of a piece.
class blocks_in {
public:
    explicit blocks_in(index_t size) : of_one_((1 + 0x1p-40) / static_cast<double>(size)) {}
    /// Exact, if it is a whole number of less than 2^39.
    [[nodiscard]] index_t operator()(index_t bytes) const { return static_cast<index_t>(static_cast<double>(bytes) * of_one_); }

private:
    double of_one_;
};

/// Whether `size` divides all pieces.
bool consists_of(index_t size, pieces const& list) {
    blocks_in const blocks{size};
    index_t rest = 0;
    for (auto const& p : list) rest |= blocks(p.bytes) * size ^ p.bytes;
    return rest == 0;
}

/// Whether all pieces are of `size` bytes.
bool is_made_of(index_t size, pieces const& list) {
    index_t other = 0;
    for (auto const& p : list) other |= p.bytes ^ size;
    return other == 0;
}

/// Collects distances, and whether all of them fit.
class narrowing {
public:
    std::int32_t operator()(index_t distance) {
        bits_ |= static_cast<std::uint64_t>(distance) + (std::uint64_t{1} << 31U);
        return static_cast<std::int32_t>(distance);
    }
    [[nodiscard]] bool all_fit() const { return bits_ >> 32U == 0; }

private:
    std::uint64_t bits_ = 0;
};

/// The places of all blocks of a list, from its first one; none if one is too far away. Eight at a time, whether there are as many
/// in a piece or not: how many have grown together nobody foretells, and what is too much the next piece overwrites.
std::vector<std::int32_t> places_of(pieces const& list, index_t size, index_t blocks) {
    constexpr index_t together = 8;
    std::vector<std::int32_t> places(static_cast<std::size_t>(blocks + together));
    auto* next = places.data();
    narrowing narrow;
    index_t const first = list.front().offset;
    auto const step = static_cast<std::uint32_t>(size);
    blocks_in const blocks_of{size};
    for (auto const& p : list) {
        index_t const n = blocks_of(p.bytes);
        static_cast<void>(narrow(p.offset - first));
        static_cast<void>(narrow(p.offset - first + p.bytes));
        auto at = static_cast<std::uint32_t>(p.offset - first);
        for (index_t done = 0; done < n; done += together, at += static_cast<std::uint32_t>(together) * step)
            for (std::uint32_t k = 0; k < together; ++k) next[done + k] = static_cast<std::int32_t>(at + k * step);
        next += n;
    }
    if (!narrow.all_fit()) return {};
    places.resize(static_cast<std::size_t>(blocks));
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
    narrowing narrow;
    stepper s{source};
    stepper t{target};
    for (std::size_t i = 0; i < hops.size(); ++i) {
        if (i > 0) {
            s.go_on(size);
            t.go_on(size);
        }
        hops[i] = {narrow(s.at()), narrow(t.at())};
    }
    if (!narrow.all_fit()) return {};
    return hops;
}

/// The same of lists of which all pieces have one size; none if they have not. In one walk: most lists are such.
std::vector<copy_program::hop> hops_of_equal(pieces const& source, pieces const& target) {
    std::vector<copy_program::hop> hops(source.size());
    narrowing narrow;
    layout::piece const first_source = source.front();
    layout::piece const first_target = target.front();
    index_t other_sizes = 0;
    for (std::size_t i = 0; i < hops.size(); ++i) {
        other_sizes |= (source[i].bytes ^ first_source.bytes) | (target[i].bytes ^ first_source.bytes);
        hops[i] = {narrow(source[i].offset - first_source.offset), narrow(target[i].offset - first_target.offset)};
    }
    if (other_sizes != 0 || !narrow.all_fit()) return {};
    return hops;
}

/// The size of the blocks that both sides are made of; 0 if there is none, or if they are not worth a list of their own.
index_t common_block(pieces const& longer, pieces const& shorter, bool in_loops) {
    index_t const first = longer.front().bytes;
    if (is_made_of(first, longer) && shorter.size() == 1) return first;
    summary const s = summary_of(longer);
    auto const n = static_cast<index_t>(longer.size());
    bool const cuts_few = s.bytes / s.least <= n + n / 4;
    if (!cuts_few && (in_loops || !is_of_one_array(longer, s))) return 0;
    return consists_of(s.least, longer) && consists_of(s.least, shorter) ? s.least : 0;
}

} // namespace

bool append_uniform(std::vector<copy_program>& steps, std::vector<loop> const& loops, pieces const& source, pieces const& target) {
    auto const program_of = [&](index_t size, index_t bytes) {
        copy_program p = list_program(loops, bytes);
        p.block = size;
        p.src_offset = source.front().offset;
        p.dst_offset = target.front().offset;
        return p;
    };
    auto const append_hops = [&](index_t size, std::vector<copy_program::hop> hops) {
        if (hops.empty()) return false;
        copy_program p = program_of(size, size * static_cast<index_t>(hops.size()));
        p.set_table(std::move(hops));
        p.kernel = kernel_for(p);
        steps.push_back(with_places(std::move(p)));
        return true;
    };
    if (source.size() == target.size() && append_hops(source.front().bytes, hops_of_equal(source, target))) return true;

    bool const more_sources = source.size() >= target.size();
    auto const& longer = more_sources ? source : target;
    auto const& shorter = more_sources ? target : source;
    index_t const size = common_block(longer, shorter, !loops.empty());
    if (size == 0) return false;
    index_t bytes = 0;
    for (auto const& p : shorter) bytes += p.bytes;
    index_t const blocks = bytes / size;
    if (shorter.size() > 1) return append_hops(size, hops_of(source, target, size, blocks));
    auto places = places_of(longer, size, blocks);
    if (places.empty()) return false;
    copy_program p = program_of(size, bytes);
    p.place_step = size;
    p.set_table(more_sources ? copy_encoding::gather : copy_encoding::scatter, std::move(places));
    p.kernel = kernel_for(p);
    steps.push_back(std::move(p));
    return true;
}

} // namespace sode::internal
