// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "array/copy/copy_spec.hpp"
#include "array/site.hpp"
#include "pattern/edge_set.hpp"

#include <unordered_map>
#include <vector>

namespace sode::internal {

/// Who sends which elements to whom in one copy, worked out for any pair of ranks.
///
/// What passes between two ranks is a product of strips, one of each dimension that counts: along a dimension, those elements that
/// both nodes have. It is never a list of elements. Where several ranks hold copies of an element, each rank takes it from itself
/// if it can, else from the copy whose place in the rank grid is like its own; all copies of a target get it.
class copy_edges final : public edge_set {
public:
    explicit copy_edges(copy_spec const& spec);

    static constexpr std::uint32_t target_array = 0;
    static constexpr std::uint32_t source_array = 1; ///< unless both are one

    /// Cost of these: O(extents of the rank grids + ranks that pass something to or from `rank`).
    void from(int rank, outgoing& result) const override;
    void locate(edge& e) const override;
    [[nodiscard]] std::vector<int> sources(int rank) const override;
    [[nodiscard]] std::vector<int> targets(int rank) const override;
    [[nodiscard]] int slots(int rank) const override;
    [[nodiscard]] bool all_shared() const override { return spec_.from.shape->shared(); }

private:
    using strips = std::vector<strip>;
    using coordinates = std::array<int, max_dims>;

    /// Fills `found` with the strips of each dimension that counts; false if nothing passes.
    bool meet(int source, int target, std::vector<strips const*>& found) const;
    [[nodiscard]] bool serves(coordinates const& source, int target) const;
    [[nodiscard]] coordinates wanted_copy(int target) const;
    [[nodiscard]] strips const& common(std::size_t dim, int source_coordinate, int target_coordinate) const;
    void add_items(int source, int target, std::vector<edge>& list) const;
    [[nodiscard]] std::vector<int> partners(int rank, bool as_source) const;

    copy_spec const& spec_;
    std::vector<std::size_t> to_dims_;     ///< that count, pairwise
    std::vector<std::size_t> from_dims_;   ///< with these
    std::array<bool, max_dims> decided_{}; ///< dimensions of the source's rank grid along which there are no copies
    // Pairs of ranks share the strips of their coordinates.
    mutable std::vector<std::unordered_map<std::uint64_t, strips>> known_;
};

} // namespace sode::internal
