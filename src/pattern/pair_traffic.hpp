// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "pattern/edge_set.hpp"

namespace sode::internal {

/// What passes from one rank to another in an exchange.
struct pair_traffic {
    bool arrays = false;
    bool single_arrays = false; ///< one with one instance: the owner overwrites it before the next exchange
    bool stages = false;
    bool kept = false; ///< in a stage or a line: it is filled again two epochs later
    int first_slot = 0;
};

/// `edges`: those of one pair of ranks, not empty.
[[nodiscard]] inline pair_traffic traffic_of(std::span<edge const> edges) {
    pair_traffic t{.first_slot = edges.front().first_slot};
    for (auto const& e : edges) {
        auto const place = e.chosen.how->place();
        bool const array = place == found_in::array;
        t.arrays |= array;
        t.single_arrays |= array && e.from.instances != parity::array;
        t.stages |= place == found_in::stage;
        t.kept |= place == found_in::stage || place == found_in::parts || place == found_in::line;
    }
    return t;
}

/// When the source of some traffic must have the target's word that it has read it.
enum class acknowledgement : std::uint8_t {
    none,         ///< the target's next flag, for which the source waits anyway, proves it
    before_reuse, ///< before the source fills the same instance of stage or line again, two epochs on
    at_end        ///< before the source's epoch is over: the user may overwrite the array then
};

[[nodiscard]] inline acknowledgement needed(pair_traffic const& t, bool source_listens, exchange_style const& style) {
    if (t.arrays && (t.single_arrays || style.credits || !source_listens)) return acknowledgement::at_end;
    return t.kept && !source_listens ? acknowledgement::before_reuse : acknowledgement::none;
}

} // namespace sode::internal
