// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/wall.hpp>

#include <cstddef>

namespace sode::internal {

/// A periodic dimension as a boundary condition: what stands outside is what stands as far inside at the other end. For a dimension
/// that no rank's border cuts, between the steps of a tile.
class wrap_around final : public detail::wall_function {
public:
    wrap_around(int dims, std::size_t element_bytes, index_t extent) : dims_(dims), bytes_(element_bytes), extent_(extent) {}

    void fill(detail::ghost_box const& where) override;

    /// A rule that calls it.
    [[nodiscard]] static detail::wall_rule rule(int dims, std::size_t element_bytes, index_t extent);

private:
    int dims_;
    std::size_t bytes_;
    index_t extent_;
};

} // namespace sode::internal
