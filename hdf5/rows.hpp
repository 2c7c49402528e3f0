// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/geometry.hpp>
#include <sode/halo_source.hpp>

#include <cstddef>
#include <functional>
#include <vector>

namespace sode::files {

using place = std::array<index_t, max_dims>;

/// The boxes of global indices that `rank` owns: one, or where dimensions are cyclic one for each chunk.
[[nodiscard]] std::vector<geometry::block> owned_boxes(geometry const& g, int rank);

/// The same without those of which a rank before it has a copy: over all ranks every element once.
[[nodiscard]] std::vector<geometry::block> boxes_to_give(geometry const& g, int rank);

[[nodiscard]] index_t elements(geometry const& g, geometry::block const& b) noexcept;

/// Calls row(at) for the first index of every row of `b`, in row-major order.
void for_each_row(geometry const& g, geometry::block const& b, std::function<void(place const&)> const& row);

/// Calls slab(part) for parts of `b` that follow one another in row-major order and have `most` elements at most, which is
/// positive.
void for_each_slab(geometry const& g, geometry::block b, index_t most, std::function<void(geometry::block const&)> const& slab);

/// Copies `count` elements that follow `at` in the last dimension, between a rank's block and packed memory.
class row_copy {
public:
    /// \param memory  the rank's allocation of the array
    row_copy(geometry const& g, int rank, std::byte* memory) noexcept;

    void pack(index_t component, place const& at, index_t count, std::byte* to) const;
    void unpack(index_t component, place const& at, index_t count, std::byte const* from) const;

private:
    [[nodiscard]] std::byte* address(index_t component, place const& at) const;

    geometry const* shape_;
    int rank_;
    std::byte* memory_;
    index_t stride_; // bytes between neighbours of a row
};

/// The place of an element in a row-major array of the global extents.
[[nodiscard]] index_t file_index(geometry const& g, place const& at) noexcept;

} // namespace sode::files
