// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "channel/edge.hpp"

#include <map>
#include <optional>
#include <vector>

namespace sode {

/// True if all ranks are on the node of the first; an empty list says that they are.
[[nodiscard]] bool on_one_node(std::vector<int> const& nodes) noexcept;

/// What forcing a method comes to over several nodes: the reference method needs common memory everywhere; without it, slow and
/// obvious means one message a pair of ranks.
[[nodiscard]] std::optional<method> forced_over(std::vector<int> const& nodes, std::optional<method> forced) noexcept;

namespace mpi {

/// What one rank exchanges with ranks that it shares no memory with, in one epoch of a plan: one message to each and from each, all
/// edges of a pair one behind the other, in the order in which they are given, which must be the same at both ends. Each end
/// decides alone whether it packs: a single edge whose bytes lie together is sent out of the array, or received into it. So is one
/// that goes `as_it_lies`, at both ends; what its gaps held at the target is saved before and put back afterwards.
class messages {
public:
    /// What knows when messages are over: counters of this rank from `first_line` on, at most one for each message.
    /// `slowly`: pack byte by byte.
    messages(plan_builder& b, std::uint32_t first_line, bool slowly) : build_(b), next_line_(first_line), slowly_(slowly) {}

    using by_peer = std::map<int, std::vector<edge>>;
    /// First asks for all that can arrive, then packs and sends. Everybody's first message goes to the neighbour above, and so on
    /// round, so that no rank is sent to by two at once (paper P0, pairwise order).
    void begin(std::uint16_t stream, by_peer const& arriving, by_peer const& leaving);
    /// Waits for what comes from `source`, and unpacks it.
    void arrive(std::uint16_t stream, int source);
    [[nodiscard]] bool sends_to(int target) const { return leaving_.contains(target); }
    /// Waits until what goes to `target` has left its place, if anything does. Every message must be waited for.
    void leave(std::uint16_t stream, int target);

private:
    struct arrival {
        std::vector<edge> edges; ///< to unpack, or whose gaps to put back; none where the bytes arrive in their place
        buffer place;
        std::uint32_t over = 0;
    };

    void send(std::uint16_t stream, std::vector<edge> const& edges);
    void receive(std::uint16_t stream, std::vector<edge> const& edges);
    void receive_as_it_lies(std::uint16_t stream, edge const& e);
    void put_back(std::uint16_t stream, edge const& e, buffer const& saved);
    [[nodiscard]] copy_program as_asked(copy_program p) const { return slowly_ ? by_reference(std::move(p)) : p; }
    std::uint32_t emit(std::uint16_t stream, operation op, buffer const& place, std::int64_t offset, std::int64_t bytes, int peer);
    void await(std::uint16_t stream, int peer, std::uint32_t over);

    plan_builder& build_;
    std::uint32_t next_line_;
    bool slowly_;
    std::map<int, arrival> arriving_;      ///< by source
    std::map<int, std::uint32_t> leaving_; ///< by target: given when it is over
};

} // namespace mpi
} // namespace sode
