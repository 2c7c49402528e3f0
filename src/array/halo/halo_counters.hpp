// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "array/halo/node_traffic.hpp"
#include "plan/plan.hpp"

#include <vector>

namespace sode {

/// Where the counters of a halo exchange lie, seen from one rank. A rank hosts, in this order: what is ready, for all readers
/// alike; then by slot the acknowledgements, the in-line flags with their two instances, the chunks, and the ends of messages;
/// those of flows between nodes; at last those of its pairs.
///
/// A rank with many neighbours says once for all that it is ready; one with few tells each of them in a cache line that the two
/// share, which goes back and forth faster than a line of one's own (docs/decisions/0006).
class halo_counters {
public:
    /// All outlive it. Cost: O(neighbours of neighbours).
    halo_counters(halo_spec const& spec, halo_edges const& edges, node_traffic const& traffic, int rank);

    enum class word : std::uint8_t { arrays_ready, stage_ready, has_read };

    /// How many counters this rank must host: on lines of their own, and pairs.
    [[nodiscard]] std::int64_t lines() const;
    [[nodiscard]] std::int64_t pairs() const noexcept;

    /// What `writer` tells `reader`; one of the two is this rank. `first_slot`: of their traffic, for `has_read`.
    [[nodiscard]] counter says(int writer, int reader, word what, int first_slot = 0) const;
    /// The flag whose payload holds all that goes in line from the source of `i` to its target.
    [[nodiscard]] counter in_line_flag(halo_edges::item const& i) const;
    /// Counts the chunks of `i` that are packed.
    [[nodiscard]] counter chunk_flag(halo_edges::item const& i) const;
    /// The first of the lines for the ends of messages between pairs of ranks, one a slot.
    [[nodiscard]] std::uint32_t first_message_line() const noexcept;
    /// The first of the lines for flows between nodes.
    [[nodiscard]] std::uint32_t first_flow_line() const noexcept;

private:
    // The first of the counters that this rank shares with `peer`, at the lower of the two (host -1: they share none).
    struct link {
        int peer;
        int host;
        std::uint32_t first;
    };
    [[nodiscard]] std::vector<int> partners_of(int rank) const;
    [[nodiscard]] link link_to(int peer) const;
    [[nodiscard]] link const* shared_with(int peer) const noexcept;

    halo_spec const& spec_;
    halo_edges const& edges_;
    node_traffic const& traffic_;
    int rank_;
    std::vector<int> partners_; // ranks that this one both reads and is read by
    std::vector<link> links_;
};

} // namespace sode
