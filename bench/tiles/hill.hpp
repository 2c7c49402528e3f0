// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/types.hpp>

#include <array>
#include <cmath>

namespace sode::internal::bench {

/// What a field of n points in each dimension begins with: something smooth that differs everywhere.
template <std::size_t N> double hill(std::array<index_t, N> const& at, index_t n) {
    double product = 0.1;
    for (auto const i : at) product *= std::sin(3.1 * static_cast<double>(i + 1) / static_cast<double>(n));
    return 1 + product;
}

} // namespace sode::internal::bench
