// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "array/halo/face_networks.hpp"
#include "array/halo/halo_spec.hpp"
#include "pattern/edge_set.hpp"

#include <optional>
#include <vector>

namespace sode::internal {

/// Who sends which box to whom in one exchange, worked out for any rank. An edge belongs to a *slot*: a field and a direction, as
/// its target sees it (-1: from the lower neighbour; -2: from the next one below, where the neighbour's block is narrower than the
/// halo). Empty blocks do not count.
class halo_edges final : public edge_set {
public:
    explicit halo_edges(halo_spec const& spec);

    struct direction {
        int field = 0;
        std::array<std::int8_t, max_dims> step{};
    };

    [[nodiscard]] int slots() const noexcept { return static_cast<int>(directions_.size()); }
    [[nodiscard]] int slots(int /*rank*/) const noexcept override { return slots(); }
    [[nodiscard]] direction const& at(int slot) const noexcept { return directions_[static_cast<std::size_t>(slot)]; }
    /// Cost: O(slots). Errors: usage, if edges are forced in line that do not fit into one.
    void from(int rank, outgoing& result) const override;
    void locate(edge& e) const override;
    void into(int rank, std::vector<edge>& result) const override;
    [[nodiscard]] std::vector<int> sources(int rank) const override { return others(rank, false); }
    [[nodiscard]] std::vector<int> targets(int rank) const override { return others(rank, true); }
    [[nodiscard]] bool all_shared() const override { return spec_.shares_fields(); }
    /// How faces between machines are shared out among networks.
    [[nodiscard]] face_networks const& networks() const noexcept { return networks_; }
    /// Whether it could go by that one of its next best ways as well. What two ranks have in one line goes there together, or not
    /// at all.
    [[nodiscard]] static bool could_go(edge const& e, way const* other) noexcept;
    /// The other end of an edge, and which layers of the target's halo the edge is about.
    struct link {
        int rank = -1;
        std::array<index_t, max_dims> wrap{};   ///< index at the source = index at the target + wrap
        std::array<index_t, max_dims> nearer{}; ///< layers between the target's block and these
        std::array<index_t, max_dims> layers{}; ///< 0 where the direction does not move
    };
    /// Where the box that lies in that direction from `target` comes from. nullopt if nothing is there, or the rank owns nothing.
    [[nodiscard]] std::optional<link> source_of(direction const& d, int target) const;
    /// True if `rank` receives (or sends, `as_source`) an edge of that slot, be it from itself.
    [[nodiscard]] bool takes_part(int rank, int slot, bool as_source) const;

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
    struct ghost_box {
        std::array<index_t, max_dims> lower{}, count{};
        std::array<index_t, max_dims> wrap{}; // from there to where it comes from
    };
    [[nodiscard]] site const& site_of(int field, int rank) const;
    [[nodiscard]] std::vector<int> others(int rank, bool as_source) const;
    [[nodiscard]] std::optional<link> follow(direction const& d, site const& from, bool to_target) const;
    void measure(edge& e, link const& along, site const& source) const;
    void choose_ways(std::span<edge> of_one_target) const;
    [[nodiscard]] std::vector<network_edge> between_wired_machines() const;
    void cut_faces(std::span<edge> of_one_target) const;
    [[nodiscard]] std::optional<edge> mirror(edge const& e) const;
    [[nodiscard]] std::int64_t chunks_of(edge const& e, edge const& back) const;
    [[nodiscard]] std::int64_t span_of(edge const& e) const;
    [[nodiscard]] bool keeps_still(edge const& e) const;
    [[nodiscard]] layout box(edge const& e, int rank, ghost_box const& b) const;
    [[nodiscard]] ghost_box target_box(edge const& e) const;
    [[nodiscard]] layout target_layout(edge const& e) const;
    [[nodiscard]] layout source_layout(edge const& e) const;

    halo_spec const& spec_;
    way const* forced_;
    std::vector<direction> directions_;
    std::vector<std::array<chain, max_dims>> chains_; // by field and array dimension
    face_networks networks_;
    mutable std::array<site, 8> sites_; // those last used
    mutable std::size_t next_site_ = 0;
};

} // namespace sode::internal
