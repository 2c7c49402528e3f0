// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "channel/ways.hpp"
#include "model/probe.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace sode {

namespace detail {
struct job;
}

/// What ranks must know of each other, whatever they move: equal on all of them, so that every rank can work out what any other
/// rank does.
struct exchange_terms {
    std::string name;            ///< `halo of "u"`
    way const* forced = nullptr; ///< null: the model chooses
    int ranks = 1;
    int groups = 0; ///< of buffered arrays, which flip apart
    profile costs;
    distance_table distances;
    std::vector<int> nodes; ///< of each rank; empty: all ranks share memory
    bool pretended = false; ///< the nodes are parts of one (SODE_NODE_SIZE): messages between them are copies by the same cores

    [[nodiscard]] bool share_memory(int a, int b) const noexcept {
        return nodes.empty() || nodes[static_cast<std::size_t>(a)] == nodes[static_cast<std::size_t>(b)];
    }
    [[nodiscard]] distance apart(int a, int b) const;
    /// What is forced, over as many machines as there are.
    [[nodiscard]] way const* forced_way() const noexcept;
    /// Fills in what the job says, and `option` or SODE_CHANNEL. Errors: usage, for an unknown channel, or one that this job does
    /// not have; `asked_by` is for the message.
    void take(detail::job const& j, std::string const& option, std::string_view asked_by);
    /// Of what is here: ranks that differ in it would build plans that do not fit together.
    [[nodiscard]] std::uint64_t fingerprint(std::uint64_t seed) const noexcept;
};

} // namespace sode
