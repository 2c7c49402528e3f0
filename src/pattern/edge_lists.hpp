// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "channel/ways.hpp"

#include <algorithm>
#include <iterator>
#include <vector>

namespace sode::internal {

inline edge_list pointers(std::span<edge const> edges) {
    edge_list list;
    for (auto const& e : edges) list.push_back(&e);
    return list;
}

template <class Keep> edge_list those(edge_span edges, Keep keep) {
    edge_list list;
    std::copy_if(edges.begin(), edges.end(), std::back_inserter(list), [&](edge const* e) { return keep(*e); });
    return list;
}

/// Calls f(way, its edges) for each way that finds its edges in `place`.
template <class F> void for_each_way(edge_span edges, found_in place, F f) {
    for (auto const* w : all_ways())
        if (w->place() == place)
            if (auto const mine = those(edges, [&](edge const& e) { return e.chosen.how == w; }); !mine.empty()) f(*w, mine);
}

/// `others`, which rise, in the order in which `rank` turns to them: it begins with the one above itself, so that not all ranks
/// read rank 0 first.
inline std::vector<int> from_above(std::vector<int> others, int rank) {
    std::rotate(others.begin(), std::upper_bound(others.begin(), others.end(), rank), others.end());
    return others;
}

} // namespace sode::internal
