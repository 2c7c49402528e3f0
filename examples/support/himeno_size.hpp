// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/sode.hpp>

#include <array>
#include <string_view>

namespace examples {

struct himeno_grid {
    sode::index<3> points;

    /// Floating-point operations of one step, as the benchmark counts them.
    [[nodiscard]] double operations() const noexcept {
        return 34.0 * static_cast<double>(points[0] - 2) * static_cast<double>(points[1] - 2) * static_cast<double>(points[2] - 2);
    }
};

/// The benchmark's grids: XS, S, M, L, XL. Errors: sode::error{usage}, for another name.
[[nodiscard]] himeno_grid himeno_size(std::string_view name);

/// "2x2x1", or nothing at all: any. Errors: sode::error{usage}, if it is not three positive numbers.
[[nodiscard]] std::array<sode::node_extent, 3> nodes_of(std::string_view text);

} // namespace examples
