// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cost/network.hpp"
#include "cost/profile.hpp"

#include <span>
#include <vector>

namespace sode::internal {

/// A message of an exchange between machines, before it is known which network takes it.
struct network_edge {
    int source = 0; ///< machine
    int target = 0;
    int face = 0; ///< edges of one face take the same network on all machines; numbered from 0
    std::int64_t bytes = 0;
    std::int64_t rows = 1;
    std::int64_t row_bytes = 0;
};

/// Microseconds from the start of the message to its end, if nothing else is under way.
[[nodiscard]] double predict_message(network_edge const& e, network const& n) noexcept;

/// Microseconds until the last machine has its last byte, when all start at once and face f goes by networks[assignment[f]].
///
/// A core packs and starts its messages one after another, those of the network with the longest way first; a network injects them
/// one after another at each engine, beside the other networks; at the target they share its links; its core unpacks in the order
/// of arrival. What two messages share between their machines is not modelled. Pure; cost: O(edges log edges).
/// \param edges  of all machines, or of the few whose makespan is wanted
[[nodiscard]] double predict_makespan(std::span<network_edge const> edges, std::span<network const> networks,
                                      std::span<int const> assignment);

/// Which network each face takes. One that joins some neighbours only takes no face between others.
struct network_choice {
    std::vector<int> assignment{};
    double expected_us = 0;
    std::vector<int> runner_up{}; ///< empty: there is no other
    double runner_up_us = 0;
};

/// The assignment of the least makespan: networks that work at the same time should finish at the same time. Of equals, the one
/// whose messages take least time in all. All assignments are tried if there are no more than 4096 (12 faces, two networks); else
/// faces are placed one by one, largest first, and then moved as long as that helps. Pure. Errors: usage, without a network.
[[nodiscard]] network_choice choose_networks(std::span<network_edge const> edges, std::span<network const> networks);

/// The networks of a machine; its `network`, where the profile lists none.
[[nodiscard]] std::vector<network> networks_of(profile const& p);

} // namespace sode::internal
