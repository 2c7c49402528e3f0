// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "array/strips.hpp"
#include "layout/layout.hpp"

#include <span>

namespace sode::internal {

/// How elements lie in one block of memory: what geometry says of a rank, worked out once.
struct site {
    int dims = 0;
    std::array<index_t, max_dims> lower{};   ///< places of the first element
    std::array<index_t, max_dims> strides{}; ///< bytes between neighbours
    index_t element_bytes = 0;
    index_t components = 1;
    index_t component_bytes = 0;
};
[[nodiscard]] site site_of(geometry const& g, int rank);

/// The elements that lie at these stretches, one for each dimension, of all components; row-major, components first.
[[nodiscard]] layout layout_of(site const& s, std::span<stretch const> along);
/// The elements at these places of `rank`'s block, of all components. Empty if one of the spans is.
[[nodiscard]] layout layout_of(geometry const& g, int rank, geometry::block const& places);

} // namespace sode::internal
