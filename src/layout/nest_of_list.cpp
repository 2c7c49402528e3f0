// SPDX-License-Identifier: Apache-2.0
#include "layout/nest_of_list.hpp"

#include <algorithm>
#include <numeric>

namespace sode::internal {
namespace {

/// How many leading offsets are equally far apart.
std::size_t leading_run(std::vector<index_t> const& offsets) {
    index_t const stride = offsets[1] - offsets[0];
    std::size_t n = 2;
    while (n < offsets.size() && offsets[n] - offsets[n - 1] == stride) ++n;
    return n;
}

/// Replaces every group of `count` offsets by its first one; false unless all groups repeat the first group's stride.
bool fold(std::vector<index_t>& offsets, std::size_t count) {
    if (offsets.size() % count != 0) return false;
    index_t const stride = offsets[1] - offsets[0];
    std::size_t groups = 0;
    for (std::size_t i = 0; i < offsets.size(); i += count) {
        for (std::size_t k = 1; k < count; ++k)
            if (offsets[i + k] - offsets[i + k - 1] != stride) return false;
        offsets[groups++] = offsets[i];
    }
    offsets.resize(groups);
    return true;
}

/// Whether there are pieces of more than two different sizes, which no nest makes: no more than two blocks join (see below).
bool sizes_differ(std::vector<layout::piece> const& pieces) {
    index_t least = pieces[0].bytes;
    index_t most = least;
    for (auto const& p : pieces) {
        least = std::min(least, p.bytes);
        most = std::max(most, p.bytes);
        if (most > 2 * least) return true;
    }
    return false;
}

/// A quick no, mostly after a few pieces: pieces of equal size whose leading run of equal distances is not repeated by the next
/// group; or of too many sizes.
bool surely_no_nest(std::vector<layout::piece> const& pieces) {
    auto const n = pieces.size();
    if (n < 4) return false;
    if (pieces[1].bytes != pieces[0].bytes) return sizes_differ(pieces);
    index_t const stride = pieces[1].offset - pieces[0].offset;
    auto const distance = [&](std::size_t i) { return pieces[i + 1].offset - pieces[i].offset; };
    std::size_t run = 2;
    while (run < n && pieces[run].bytes == pieces[0].bytes && distance(run - 1) == stride) ++run;
    if (run == n) return false;
    if (pieces[run].bytes != pieces[0].bytes) return sizes_differ(pieces); // merged pieces may hide a nest
    for (std::size_t k = run; k + 1 < std::min(2 * run, n); ++k)
        if (pieces[k + 1].bytes == pieces[0].bytes && distance(k) != stride && pieces[k].bytes == pieces[0].bytes) return true;
    return sizes_differ(pieces);
}

} // namespace

// A nest in normal form is found greedily: its innermost loop is exactly the leading run of equal distances, because a run that
// went on into the next group would make the next loop a mere continuation, which the normal form has merged. Merging adjacent
// pieces can hide blocks (the last of one group touching the first of the next), but never the first one, and at most two
// blocks join; so the block is the greatest common divisor of the sizes and no more than two hide in a piece.
std::optional<layout> nest_of_list(std::vector<layout::piece> const& pieces) {
    index_t block = 0;
    index_t bytes = 0;
    if (surely_no_nest(pieces)) return std::nullopt;
    for (auto const& p : pieces) {
        if (p.bytes != block) block = std::gcd(block, p.bytes);
        bytes += p.bytes;
    }
    if (bytes / block > 2 * static_cast<index_t>(pieces.size())) return std::nullopt;

    std::vector<index_t> offsets;
    offsets.reserve(static_cast<std::size_t>(bytes / block));
    for (auto const& p : pieces)
        for (index_t at = 0; at < p.bytes; at += block) offsets.push_back(p.offset + at);

    layout nest{offsets.front(), block, {}, {}};
    while (offsets.size() > 1) {
        std::size_t const count = leading_run(offsets);
        index_t const stride = offsets[1] - offsets[0];
        if (!fold(offsets, count)) return std::nullopt;
        nest.loops.push_back({static_cast<index_t>(count), stride});
    }
    std::reverse(nest.loops.begin(), nest.loops.end());
    return nest;
}

} // namespace sode::internal
