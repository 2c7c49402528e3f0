// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "array/halo/halo_spec.hpp"
#include "channel/edge.hpp"
#include "model/chooser.hpp"

#include <vector>

namespace sode {

/// Who sends which box to whom in one exchange, worked out for any rank. An edge belongs to a *slot*: a field and a direction, as
/// its target sees it (-1: from the lower neighbour).
class halo_edges {
public:
    explicit halo_edges(halo_spec const& spec);

    struct direction {
        int field = 0;
        std::array<std::int8_t, max_dims> step{};
    };
    struct item {
        int slot = 0;
        int source = 0;
        int target = 0;
        std::array<index_t, max_dims> wrap{}; ///< source index = target index + wrap (periodic neighbours)
        edge_features features{};
        choice chosen{};
        std::int64_t stage_offset = 0; ///< in_line: within the payload
        int first_slot = 0;            ///< the lowest slot of this pair of ranks
        std::int64_t together = 0;     ///< bytes of all edges of this pair
    };
    struct outgoing {
        std::vector<item> items;      ///< by target; own copies (target = source) included
        std::int64_t stage_bytes = 0; ///< of one instance of the source's stage
    };

    [[nodiscard]] int slots() const noexcept { return static_cast<int>(directions_.size()); }
    [[nodiscard]] direction const& at(int slot) const noexcept { return directions_[static_cast<std::size_t>(slot)]; }
    /// All edges whose source is `rank`, with the method of each and its place in the stage. Cost: O(slots).
    /// Errors: usage, if edges are forced in line that do not fit into one.
    void from(int rank, outgoing& result) const;
    /// All edges whose target is `rank`, by source and slot, own copies included; without a method and a place.
    void into(int rank, std::vector<item>& result) const;
    /// The ranks that `rank` receives from (never itself), ascending; and those that it sends to.
    [[nodiscard]] std::vector<int> sources(int rank) const { return others(rank, false); }
    [[nodiscard]] std::vector<int> targets(int rank) const { return others(rank, true); }
    /// True if `rank` receives (or sends, `as_source`) an edge of that slot, be it from itself.
    [[nodiscard]] bool takes_part(int rank, int slot, bool as_source) const;
    /// Where the box of `i` lies in the array at its target and at its source.
    [[nodiscard]] layout target_layout(item const& i) const;
    [[nodiscard]] layout source_layout(item const& i) const;
    /// The edge that goes the other way: from the target of `i`, and as far into its halo as `i` into this one's. nullopt if there
    /// is none.
    [[nodiscard]] std::optional<item> mirror(item const& i) const;

private:
    // Along one dimension, the coordinate before and behind each one that owns anything, -1 = none.
    struct chain {
        std::vector<int> before, behind;
    };
    // One rank's block of one field. Asked for again and again while a plan is built, and not free to work out.
    struct site {
        int field = -1;
        int rank = -1;
        std::array<int, max_dims> coordinates{};
        geometry::block owned{};
        geometry::block allocated{};
        std::array<index_t, max_dims> strides{};
        std::array<std::uint8_t, max_dims> order{}; // dimensions, the one with the longest stride first
        index_t component_bytes = 0;
        [[nodiscard]] bool empty() const noexcept { return owned[0].size() == 0; }
    };
    [[nodiscard]] site const& site_of(int field, int rank) const;
    [[nodiscard]] std::vector<int> others(int rank, bool as_source) const;
    [[nodiscard]] bool neighbour(direction const& d, std::array<int, max_dims> const& from, bool to_target, int& rank,
                                 std::array<index_t, max_dims>& wrap) const;
    void measure(item& i, site const& s) const;
    [[nodiscard]] std::int64_t chunks_of(item const& i) const;
    [[nodiscard]] std::int64_t span_of(item const& i) const;
    [[nodiscard]] bool keeps_still(item const& i) const;
    [[nodiscard]] layout box(item const& i, int rank, std::array<index_t, max_dims> const& lower,
                             std::array<index_t, max_dims> const& count) const;
    void target_box(item const& i, std::array<index_t, max_dims>& lower, std::array<index_t, max_dims>& count) const;

    halo_spec const& spec_;
    std::optional<method> forced_;
    std::vector<direction> directions_;
    std::vector<std::array<chain, max_dims>> chains_; // by field and array dimension
    mutable std::array<site, 8> sites_;               // those last used
    mutable std::size_t next_site_ = 0;
};

} // namespace sode
