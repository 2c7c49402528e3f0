// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <vector>

namespace sode::internal {

/// Spanning trees of a torus that share no link: as many as it has dimensions longer than 1, each from the same root. In all of
/// them together a machine sends over each of its links to the next machine of a dimension once at most, and never over those to
/// the one before; so it sends no more than everything once where each tree carries an equal part. In three dimensions these are
/// three trees in which a machine has three children at most: Trinary×3 (Matsumoto, Adachi et al. 2012; Morie et al., paper P3).
///
/// They are the trees that Johnsson and Ho (1989) found in a hypercube, with rings in place of its bits. Machine numbers are
/// row-major, places are counted from the root. In tree t a machine that is at place 0 of dimension t hears from the last place of
/// that dimension, around the ring: nobody hears of it. Any other one hears from the machine before it in the next dimension after
/// t, in turn, in which its own place is not 0. So no two trees come to a machine in the same dimension.
class torus_trees {
public:
    /// \param extents  of the torus; those of 1 have no links and do not count
    torus_trees(std::span<int const> extents, int root);

    [[nodiscard]] int trees() const noexcept { return static_cast<int>(dimensions_.size()); }
    /// Of the root: -1. Cost: O(dimensions).
    [[nodiscard]] int parent(int tree, int machine) const;
    /// Which dimension the link from the parent belongs to: a number from 0 on, of those that are longer than 1. No two trees come
    /// to a machine, and no machine sends in two trees, in the same one. Of the root: -1.
    [[nodiscard]] int dimension_to(int tree, int machine) const;
    /// One for each dimension at most. Cost: O(dimensions^2).
    [[nodiscard]] std::vector<int> children(int tree, int machine) const;
    /// The most steps from the root to any other machine, in any tree. Closed form.
    [[nodiscard]] int depth() const noexcept;

private:
    struct dimension {
        int extent;
        int stride; // of machine numbers
        int root;   // its place
    };
    [[nodiscard]] int place(dimension const& d, int machine) const noexcept {
        return (machine / d.stride % d.extent - d.root + d.extent) % d.extent;
    }
    [[nodiscard]] int beside(dimension const& d, int machine, int by) const noexcept;
    std::vector<dimension> dimensions_;
    int root_;
};

/// Extents of a torus of so many machines that is as near to a cube as their number allows: of 36 it is 3 x 3 x 4. A prime number
/// of them is a ring.
[[nodiscard]] std::vector<int> nearest_to_cube(int machines);

} // namespace sode::internal
