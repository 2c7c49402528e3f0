// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "channel/edge.hpp"

#include <vector>

namespace sode::internal {

/// Some bytes of an edge, as they lie at both ends.
struct edge_part {
    edge const* whole = nullptr;
    layout source{};
    layout target{};
    std::int64_t bytes = 0;
};

/// What goes from one rank to another at a time, one part behind the other.
struct segment {
    std::vector<edge_part> parts;
    std::int64_t bytes = 0;
};

/// Where segments lie between two stages: each in the slot of its number, by turns.
struct segment_ring {
    std::int64_t slot_bytes = 0;
    std::int64_t slots = 0;

    [[nodiscard]] std::int64_t bytes() const noexcept { return slot_bytes * slots; }
    [[nodiscard]] std::int64_t slot_of(std::int64_t segment) const noexcept { return segment % slots; }
    /// So many segments before this one, also over the end of an epoch, the slot was used last, where each epoch has `all`.
    [[nodiscard]] std::int64_t since_last_use(std::int64_t segment, std::int64_t all) const noexcept {
        if (segment >= slots) return slots;
        auto const last = (all - 1 - segment) / slots * slots + segment; // of the epoch before
        return all - last + segment;
    }
};

/// What a counter says when segment `k` of `all` is over that counts them, relative to the end of the epoch.
[[nodiscard]] constexpr std::int32_t counted(std::int64_t k, std::int64_t all) noexcept {
    return static_cast<std::int32_t>(k + 1 - all);
}

/// The ring of all these edges, of one pair of ranks. Needs no layouts. Of at least one edge `features.segment` is not 0.
[[nodiscard]] segment_ring ring_of(edge_span edges) noexcept;
/// The edges in their order, cut where loops begin anew, so that nests stay nests, and small ones put together. Both ends come to
/// the same. Cost: O(segments * loops).
[[nodiscard]] std::vector<segment> segments_of(edge_span edges);

/// Packs a segment behind byte `at` of `place`, which is in the builder, or unpacks it from there. Both return the last descriptor.
descriptor& pack(plan_builder& b, std::uint32_t stream, segment const& s, std::uint32_t place, std::int64_t at);
descriptor& unpack(plan_builder& b, std::uint32_t stream, segment const& s, std::uint32_t place, std::int64_t at, int peer);

} // namespace sode::internal
