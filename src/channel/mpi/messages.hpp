// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "channel/mpi/message_ring.hpp"

#include <map>
#include <optional>

namespace sode::internal::mpi {

/// What one rank exchanges with ranks that it shares no memory with, in one epoch of a plan: one message to each and from each, all
/// edges of a pair one behind the other, in their places, which must be the same at both ends. Each end decides alone whether it
/// packs: a single edge whose bytes lie together is sent out of the array, or received into it. So is one that has a `span`, at
/// both ends; what its gaps held at the target is saved before and put back afterwards.
class messages {
public:
    /// What knows when messages are over: counters of this rank from `first_line` on, at most one for each message.
    /// Where the arrays are in a device's memory: first lines of counters that say what is packed, and of those of rings.
    struct device_lines {
        std::uint32_t packed = 0;
        std::uint32_t rings = 0;
    };
    /// Of a pair of ranks, at most.
    static constexpr std::uint32_t ring_lines = 2 * message_ring::lines;

    /// `lines`: the arrays are in a device's memory. It packs into pinned memory and unpacks, and the host begins the messages, in
    /// streams of its own. Edges with `features.segment` go in segments.
    messages(plan_builder& b, std::uint32_t first_line, std::optional<device_lines> lines = {})
        : build_(b), next_line_(first_line), lines_(lines) {}

    /// First asks for all that can arrive, then packs and sends. Everybody's first message goes to the neighbour above, and so on
    /// round, so that no rank is sent to by two at once (paper P0, pairwise order).
    void begin(std::uint32_t stream, edge_span leaving, edge_span arriving);
    /// Waits for what comes from `source`, …
    void await(std::uint32_t stream, int source);
    /// … and brings it to its place.
    void take(std::uint32_t stream, int source);
    [[nodiscard]] bool sends_to(int target) const { return leaving_.contains(target); }
    /// Waits until what goes to `target` has left its place, if anything does. Every message must be waited for.
    void leave(std::uint32_t stream, int target);

private:
    struct arrival {
        edge_list edges; ///< to unpack, or whose gaps to put back; none where the bytes arrive in their place
        buffer place;
        std::uint32_t over = 0;
    };

    void send(std::uint32_t stream, edge_list const& edges);
    void receive(std::uint32_t stream, edge_list const& edges);
    void receive_as_it_lies(std::uint32_t stream, edge const& e);
    void put_back(std::uint32_t stream, edge const& e, buffer const& saved);
    std::uint32_t emit(std::uint32_t stream, operation op, buffer const& place, std::int64_t offset, std::int64_t bytes, int peer);
    void await_over(std::uint32_t stream, int peer, std::uint32_t over);

    // A stream of the host's, where `stream` is a device's.
    [[nodiscard]] std::uint32_t of_host(std::uint32_t stream);
    void send_packed(std::uint32_t stream, edge_list const& edges);
    [[nodiscard]] bool in_segments(edge_list const& edges) const noexcept;
    [[nodiscard]] message_ring ring_for(edge_list const& edges);

    plan_builder& build_;
    std::uint32_t next_line_;
    std::optional<device_lines> lines_; ///< the next ones, where arrays are in a device
    std::optional<std::uint32_t> host_;
    std::map<int, arrival> arriving_;      ///< by source
    std::map<int, std::uint32_t> leaving_; ///< by target: given when it is over
    std::map<int, message_ring> rings_;    ///< by source: what arrives in segments
};

} // namespace sode::internal::mpi
