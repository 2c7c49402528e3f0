// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "array/random_halo.hpp"

#include <algorithm>

/// Random pairs of distributed arrays of which equally many elements are picked: every format, alignment, replication and part of a
/// rank grid that can be written down.
namespace sode::internal::testing {

struct random_side {
    detail::mapping map{.place = {0, 1}, .grid = {}, .dims = 0, .axes = {}};
    std::vector<range> picked;
};
struct random_pair {
    random_side to, from;
};

/// A rank grid of `dims` dimensions over all ranks, some of them, or a part of a larger grid.
inline node_grid random_grid(generator& g, int ranks, int dims) {
    auto const all = detail::make_node_grid(ranks, random_factors(g, ranks, dims), {});
    if (chance(g, 60)) return all;
    if (chance(g, 50)) {
        std::vector<index_t> lower, upper;
        for (int d = 0; d < dims; ++d) {
            int const n = all.extent[static_cast<std::size_t>(d)];
            lower.push_back(pick(g, 0, n - 1));
            upper.push_back(pick(g, lower.back() + 1, n));
        }
        return detail::make_sub_grid(all, lower, upper, dims);
    }
    int const some = static_cast<int>(pick(g, 1, ranks));
    std::vector<int> order;
    for (int r = 0; r < ranks; ++r) order.push_back(r);
    std::shuffle(order.begin(), order.end(), g);
    order.resize(static_cast<std::size_t>(some));
    return detail::make_node_grid(ranks, random_factors(g, some, dims), order);
}

inline distribution_format random_format(generator& g, index_t extent, int nodes) {
    switch (pick(g, 0, 4)) {
    case 0: return block;
    case 1: return block((extent + nodes - 1) / nodes + pick(g, extent == 0 ? 1 : 0, 2));
    case 2: return cyclic;
    case 3: return cyclic(pick(g, 1, 5));
    default:
        std::vector<index_t> cuts{0, extent}, widths;
        for (int c = 1; c < nodes; ++c) cuts.push_back(pick(g, 0, extent));
        std::sort(cuts.begin(), cuts.end());
        for (std::size_t c = 1; c < cuts.size(); ++c) widths.push_back(cuts[c] - cuts[c - 1]);
        return gblock(widths);
    }
}

/// An array of these extents, aligned with a random template: dimensions permuted and shifted, or following nothing, or followed by
/// nothing (copies).
inline detail::mapping random_mapping(generator& g, detail::place where, std::vector<index_t> const& extents) {
    std::vector<std::size_t> follow;
    for (std::size_t d = 0; d < extents.size(); ++d)
        if (extents.size() == 1 || chance(g, 80)) follow.push_back(d);
    if (chance(g, 50)) std::shuffle(follow.begin(), follow.end(), g);
    bool const shifted = chance(g, 40);
    std::vector<index_t> sizes;
    std::vector<align_target> targets(extents.size(), align_target{none});
    for (auto const d : follow) {
        index_t const offset = shifted ? pick(g, 0, 4) : 0;
        targets[d] = along(static_cast<int>(sizes.size())) + offset;
        sizes.push_back(extents[d] + offset + (shifted ? pick(g, 0, 4) : 0));
    }
    while (sizes.empty() || (sizes.size() < max_dims && chance(g, 20))) sizes.push_back(pick(g, 1, 6)); // copies along it
    auto const dims = static_cast<int>(sizes.size());
    int const split = static_cast<int>(pick(g, 1, std::min(dims, 3)));
    auto const grid = random_grid(g, where.ranks, split);
    std::vector<bool> splits(sizes.size(), false);
    std::fill_n(splits.begin(), split, true);
    std::shuffle(splits.begin(), splits.end(), g);
    std::vector<distribution_format> formats;
    int next = 0;
    for (std::size_t d = 0; d < sizes.size(); ++d)
        formats.push_back(splits[d] ? random_format(g, sizes[d], grid.extent[static_cast<std::size_t>(next++)])
                                    : distribution_format{none});
    return detail::align(detail::distribute(where, grid, sizes, formats), extents, targets);
}

/// One side with these numbers of elements; dimensions of which one element is picked come in between.
inline random_side make_side(generator& g, detail::place where, std::vector<index_t> const& counts, bool sections) {
    random_side s;
    std::vector<index_t> extents;
    index_t room = 8; // elements of the array for each one that is picked, at most
    auto const add_single = [&] {
        extents.push_back(pick(g, 1, std::min<index_t>(room, 4)));
        room /= extents.back();
        index_t const i = pick(g, 0, extents.back() - 1);
        s.picked.push_back({i, i + 1, pick(g, 1, 3)});
    };
    for (std::size_t k = 0; k < counts.size(); ++k) {
        while (sections && s.picked.size() + counts.size() - k < max_dims && chance(g, 12)) add_single();
        index_t const n = counts[k], most = std::max<index_t>(n, 1) * room;
        index_t step = sections && chance(g, 50) ? pick(g, 2, 5) : 1, lower = sections ? pick(g, 0, 4) : 0;
        if (lower + n * step > most) step = 1, lower = 0;
        index_t const last = lower + (n - 1) * step, least = n == 0 ? lower : last + 1;
        // The upper end of a range may lie anywhere up to its next element.
        s.picked.push_back({lower, n == 0 ? lower : last + 1 + pick(g, 0, step - 1), step});
        extents.push_back(least + (sections ? std::min<index_t>(pick(g, 0, 4), most - least) : 0));
        room = std::max<index_t>(most / std::max<index_t>(extents.back(), 1), 1);
    }
    if (s.picked.empty()) add_single();
    s.map = random_mapping(g, where, extents);
    return s;
}

inline random_pair make_pair(generator& g, detail::place where, index_t most_elements) {
    std::vector<index_t> counts;
    auto const dims = static_cast<std::size_t>(chance(g, 30) ? pick(g, 1, max_dims) : pick(g, 1, 3));
    index_t room = most_elements;
    while (counts.size() < dims) {
        index_t const most = std::max<index_t>(std::min<index_t>(room, dims <= 2 ? 60 : dims == 3 ? 16 : 5), 1);
        counts.push_back(chance(g, 2) ? 0 : pick(g, 1, most));
        room /= std::max<index_t>(counts.back(), 1);
    }
    bool const sections = chance(g, 60);
    // Dimensions of one element may be left out on one side.
    auto const thinned = [&] {
        auto few = counts;
        if (chance(g, 30)) std::erase(few, 1);
        return few;
    };
    random_pair p;
    p.to = make_side(g, where, thinned(), sections);
    p.from = make_side(g, where, thinned(), sections);
    return p;
}

/// Calls f(at) for every index of a box of extents, in row-major order.
template <class F> void for_each_index(std::vector<index_t> const& extents, F f) {
    if (std::find(extents.begin(), extents.end(), 0) != extents.end()) return;
    std::array<index_t, max_dims> at{};
    for (;;) {
        f(at);
        std::size_t d = extents.size();
        for (; d > 0; --d) {
            if (++at[d - 1] < extents[d - 1]) break;
            at[d - 1] = 0;
        }
        if (d == 0) return;
    }
}

} // namespace sode::internal::testing
