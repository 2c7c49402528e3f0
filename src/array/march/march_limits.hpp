// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "array/halo/halo_spec.hpp"

#include <sode/detail/marching.hpp>

#include <span>
#include <string>

namespace sode::internal {

/// How far a step of a march reads, and how many of them can be taken at a time: equal on all ranks.
struct march_limits {
    std::array<index_t, max_dims> lower{}; ///< elements below and above that a step reads, of any field
    std::array<index_t, max_dims> upper{};
    std::array<index_t, max_dims> lag{}; ///< see tile_shape
    std::array<index_t, max_dims> extent{};
    std::array<bool, max_dims> wraps{};
    /// Periodic, and filled between steps as a boundary condition is, since every window has all of the dimension. Then not in
    /// `wraps`.
    std::array<bool, max_dims> refilled{};
    index_t most = 1;     ///< steps at a time
    index_t asked = 0;    ///< by the program; 0: it is to be chosen
    std::string why_most; ///< what keeps it from being more
};

/// \param fields    of `spec`, the exchange that the march belongs to, those that change
/// \param constant  arrays that steps read and do not change
[[nodiscard]] march_limits limits_of(halo_spec const& spec, std::span<int const> fields, detail::march_terms const& terms);

} // namespace sode::internal
