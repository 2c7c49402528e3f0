// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "array/halo/halo_edges.hpp"

#include <algorithm>
#include <span>

namespace sode {

/// What passes from one rank to another in an exchange.
struct halo_traffic {
    bool pulls = false;
    bool pulls_single = false; ///< from an array with one instance: the owner overwrites it before the next exchange
    bool stages = false;
    bool chunks = false;
    bool in_line = false;
    bool message = false;
    int first_slot = 0;
};

/// `items`: those of one pair of ranks, not empty.
[[nodiscard]] inline halo_traffic traffic_of(std::span<halo_edges::item const> items, halo_spec const& spec,
                                             halo_edges const& edges) {
    halo_traffic t{.first_slot = items.front().first_slot};
    for (auto const& i : items) {
        bool const pulled = i.chosen.how == method::pull;
        t.pulls |= pulled;
        t.pulls_single |= pulled && !spec.fields[static_cast<std::size_t>(edges.at(i.slot).field)].buffered;
        t.stages |= i.chosen.how == method::stage || i.chosen.how == method::stage_wide;
        t.chunks |= i.chosen.how == method::stage_chunks;
        t.message |= i.chosen.how == method::message;
        t.in_line |= i.chosen.how == method::in_line;
    }
    return t;
}

/// When the source of some traffic must have the target's word that it has read it.
enum class acknowledgement : std::uint8_t {
    none,         ///< the target's next flag, for which the source waits anyway, proves it
    before_reuse, ///< before the source fills the same instance of stage or line again, two epochs on
    at_end        ///< before the source's epoch is over: the user may overwrite the array then
};

[[nodiscard]] inline acknowledgement needed(halo_traffic const& t, bool source_listens, halo_spec const& spec) {
    if (t.pulls && (t.pulls_single || spec.credits || !source_listens)) return acknowledgement::at_end;
    if ((t.stages || t.chunks || t.in_line) && !source_listens) return acknowledgement::before_reuse;
    return acknowledgement::none;
}

/// Calls f(target, items) for each rank that `items`, which are sorted by target, go to.
template <class F> void by_target(std::vector<halo_edges::item> const& items, F f) {
    for (std::size_t first = 0, last = 0; first < items.size(); first = last) {
        while (last < items.size() && items[last].target == items[first].target) ++last;
        f(items[first].target, std::span{items}.subspan(first, last - first));
    }
}

} // namespace sode
