// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/geometry.hpp>

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

namespace sode::internal::files {

using place = std::array<index_t, max_dims>;

/// What one rank has of an array: in each dimension some runs of global indices, ascending, and every combination of them.
struct share {
    geometry const* shape = nullptr;
    std::array<std::vector<geometry::span>, max_dims> runs;
};

/// All that `rank` owns; nothing, if that is no element.
[[nodiscard]] std::optional<share> owned_share(geometry const& g, int rank);

/// What `rank` gives when every element is given once: all that it owns, or nothing, if an earlier rank has the same.
[[nodiscard]] std::optional<share> given_share(geometry const& g, int rank);

/// Calls row(at, count) for the elements of `s` in row-major order: `count` of them, from `at` on, in the last dimension.
void for_each_row(share const& s, std::function<void(place const& at, index_t count)> const& row);

/// Calls slab(box, part) for boxes that together hold all of `s` and have `most` elements at most, which is positive. Along the
/// last dimension a box may hold elements that are not of `s`; `part` is what is.
void for_each_slab(share const& s, index_t most, std::function<void(geometry::block const& box, share const& part)> const& slab);

/// The place of an element in a row-major array of these extents, from the box's lower bounds on.
[[nodiscard]] index_t element_of(geometry const& g, geometry::block const& box, place const& at) noexcept;
[[nodiscard]] geometry::block whole(geometry const& g) noexcept;
[[nodiscard]] index_t elements(geometry const& g, geometry::block const& box) noexcept;

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

} // namespace sode::internal::files
