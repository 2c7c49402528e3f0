// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/api.hpp>
#include <sode/types.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace sode::detail {

/// The condition for ghost elements outside the domain, on one side of one dimension.
enum class wall_kind : std::uint8_t { untouched, constant, nearest, mirror, mirror_at_point, computed, periodic };

/// The ghost elements on one side of one component on one rank: a box that a function of the program fills.
struct ghost_box {
    std::byte* first = nullptr; ///< the element with the indices `origin`
    int dim = 0;
    int side = 0;
    index_t component = 0;
    index_t edge = 0; ///< the outermost index inside the domain, along `dim`
    std::array<index_t, max_dims> origin{};
    std::array<index_t, max_dims> lower{};
    std::array<index_t, max_dims> upper{};
    std::array<index_t, max_dims> strides{}; ///< bytes
    std::array<index_t, max_dims> period{};  ///< > 0: indices in this dimension wrap around after this number
};

class SODE_API wall_function {
public:
    wall_function() = default;
    virtual ~wall_function() = default;
    wall_function(wall_function const&) = delete;
    wall_function& operator=(wall_function const&) = delete;
    wall_function(wall_function&&) = delete;
    wall_function& operator=(wall_function&&) = delete;
    virtual void fill(ghost_box const& where) = 0;
};

struct wall_rule {
    wall_kind kind = wall_kind::untouched;
    bool negative = false;                     ///< for mirrors: with a change of sign
    bool comparable = false;                   ///< for a constant: equal values have equal bytes
    index_t depth = 0;                         ///< for a function: number of inner elements that the function may read
    std::vector<std::byte> value{};            ///< for a constant: one element
    std::shared_ptr<wall_function> function{}; ///< for a function
};

/// One side: one rule for all components, or one for each. Empty: untouched.
using wall = std::vector<wall_rule>;
/// All sides of a field.
using walls = std::array<std::array<wall, 2>, max_dims>;

} // namespace sode::detail
