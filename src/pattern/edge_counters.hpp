// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "pattern/machine_flows.hpp"

#include <vector>

namespace sode::internal {

/// Where the counters of an exchange lie, seen from one rank. A rank hosts, in this order: what is ready, for all readers alike;
/// then by slot the acknowledgements, the ends of messages, and, as far as the style has them, in-line flags with their two
/// instances, chunks and arrivals, or of devices packed messages, what has been stored at targets, and what segments tell, and puts
/// that have landed and that may begin; those of messages between machines; at last those of its pairs.
///
/// A rank with many neighbours says once for all that it is ready; one with few tells each of them in a cache line that the two
/// share, which goes back and forth faster than a line of one's own (docs/decisions/0006).
class edge_counters {
public:
    /// All outlive it. Cost: O(neighbours of neighbours).
    edge_counters(edge_set const& edges, machine_flows const& flows, int rank);

    enum class word : std::uint8_t {
        arrays_ready, ///< others may load from the writer's arrays, and store where they belong
        stage_ready,
        has_read,   ///< what the reader gave
        has_stored, ///< what the writer gives; of devices only, as
        has_filled, ///< segments of what the writer gives,
        has_taken   ///< and of what the reader does
    };

    /// How many counters this rank must host: on lines of their own, and pairs.
    [[nodiscard]] std::int64_t lines() const;
    [[nodiscard]] std::int64_t pairs() const noexcept;

    /// What `writer` tells `reader`; one of the two is this rank. `first_slot`: of the pair, where the word
    /// is about what one gives the other.
    [[nodiscard]] counter says(int writer, int reader, word what, int first_slot = 0) const;
    /// The flag of an edge whose way wants one: for all that goes in line between the two, or for its chunks.
    [[nodiscard]] counter flag_of(edge const& e) const;
    /// The first of the lines for the ends of messages between pairs of ranks, two a slot.
    [[nodiscard]] std::uint32_t first_message_line() const;
    /// Where arrays are in devices: the first of the lines by which a device tells that messages are packed, one a slot.
    [[nodiscard]] std::uint32_t first_packed_line() const;
    /// There, too: the first of those for messages in segments, `messages::ring_lines` a slot.
    [[nodiscard]] std::uint32_t first_ring_line() const;
    /// Where puts go from `source` to `target`: by what the target tells the source that they may come.
    [[nodiscard]] counter may_put(int source, int target, int first_slot) const;
    /// Set when what arrives in that slot, and all that comes with it, is there: for steps that wait for it.
    [[nodiscard]] counter arrived(int slot) const;
    /// The first of the lines for messages between machines.
    [[nodiscard]] std::uint32_t first_flow_line() const { return first_flow_line(rank_); }
    [[nodiscard]] std::uint32_t first_flow_line(int host) const;

private:
    // The first of the counters that this rank shares with `peer`, at the lower of the two (host -1: they share none).
    struct link {
        int peer;
        int host;
        std::uint32_t first;
    };
    [[nodiscard]] std::uint32_t line(int host, std::uint32_t of_each_slot, int slot) const;
    [[nodiscard]] std::uint32_t kinds_before_puts() const noexcept;
    [[nodiscard]] std::vector<int> partners_of(int rank) const;
    [[nodiscard]] link link_to(int peer) const;
    [[nodiscard]] link const* shared_with(int peer) const noexcept;

    edge_set const& edges_;
    machine_flows const& flows_;
    int rank_;
    int slots_;                 // at this rank
    std::vector<int> partners_; // ranks that this one both reads and is read by
    std::vector<link> links_;
};

} // namespace sode::internal
