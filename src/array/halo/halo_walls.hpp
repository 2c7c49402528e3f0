// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "array/halo/halo_edges.hpp"

#include <sode/detail/wall.hpp>

#include <string_view>
#include <vector>

namespace sode::internal {

/// A walk over a box of one rank's block: `count` elements in each dimension, from the index `first` on, `step` (1, 0 or -1) apart.
struct wall_walk {
    std::array<index_t, max_dims> first{};
    std::array<index_t, max_dims> count{};
    std::array<std::int8_t, max_dims> step{};
};

/// The ghost elements outside the domain that one rank has, in one exchange: what fills them, step by step, and what has to be in
/// them in the end.
///
/// A side of a rank's block is a *wall* where the domain ends and the field has a condition. Dimensions are filled in ascending
/// order, each over the ghost elements of the dimensions before it and over the halo; see <sode/boundary.hpp>.
class halo_walls {
public:
    /// All outlive it.
    halo_walls(halo_spec const& spec, halo_edges const& edges, int rank) : spec_(spec), edges_(edges), rank_(rank) {}

    /// Components [first, first + count) of a field, which have the same rules.
    struct part {
        int field = 0;
        index_t first = 0;
        index_t count = 1;
    };
    /// One rule, for all ghost elements that lie outside in `dim` on `side` and inside, or filled before, in all others.
    struct fill {
        part of;
        int dim = 0;
        int side = 0;
        detail::wall_rule const* rule = nullptr;
        geometry::block ghosts;
        bool waits = false; ///< reads what other ranks bring
    };
    /// In an order in which they may be done; those that wait behind the others.
    [[nodiscard]] std::vector<fill> fills() const;
    /// The ranks whose elements those that wait look at, ascending.
    [[nodiscard]] std::vector<int> awaited() const;
    /// What a rule that copies takes its values from.
    [[nodiscard]] wall_walk source_of(fill const& f) const;
    /// The elements that a function may look at.
    [[nodiscard]] geometry::block looked_at(fill const& f) const;

    /// What is to be in a box of ghost elements: elements of a rank's block, a constant, or what a function made at other ghost
    /// elements of this rank.
    struct image {
        part of;
        std::array<std::int8_t, max_dims> step{};
        enum class origin : std::uint8_t { element, constant, call } from = origin::element;
        int source = 0; ///< the rank whose elements they are
        wall_walk there;
        wall_walk here;
        bool negative = false;
        detail::wall_rule const* constant = nullptr;
        std::string_view copied_by{}; ///< elements: a rule that does it
    };
    /// For all boxes outside. `apart`: no element is the source of two elements of one image.
    [[nodiscard]] std::vector<image> images(bool apart) const;

    /// Where a walk lies at `rank`. Both ends of a copy name the rank in whose order they go through it.
    [[nodiscard]] layout at(int rank, part const& of, wall_walk const& w, int ordered_by) const;
    [[nodiscard]] layout at_home(part const& of, wall_walk const& w) const { return at(rank_, of, w, rank_); }
    [[nodiscard]] static wall_walk walk_of(geometry::block const& b);

    /// Layers of the block that the fills of a side depend on; 0 where there is no wall, or it is a constant.
    [[nodiscard]] index_t depth(int field, int dim, int side) const;
    /// True if there is a wall there, of any component.
    [[nodiscard]] bool has_wall(int field, int dim, int side) const;

private:
    enum class beyond : std::uint8_t { nothing, neighbour, itself, wall };
    [[nodiscard]] beyond what_is(part const& of, int dim, int side) const;
    [[nodiscard]] detail::wall_rule const* rule_of(part const& of, int dim, int side) const;
    [[nodiscard]] std::vector<part> parts() const;
    void add_fills(part const& of, int dim, int side, std::vector<fill>& list) const;
    void add_images(part const& of, std::array<std::int8_t, max_dims> const& step, bool apart, std::vector<image>& list) const;
    [[nodiscard]] index_t layers(int field, int dim, int side) const;

    halo_spec const& spec_;
    halo_edges const& edges_;
    int rank_;
};

/// How many elements inside a rule looks at, or copies, for that many layers.
[[nodiscard]] index_t depth_of(detail::wall_rule const& rule, index_t layers) noexcept;
[[nodiscard]] std::string_view name_of(detail::wall_rule const& rule) noexcept;

} // namespace sode::internal
