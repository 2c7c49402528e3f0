// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "support/image.hpp"

#include <sode/sode.hpp>

#include <algorithm>

namespace examples {

/// The plate at a size for people, on rank `root` (elsewhere all zero): as it is if its longer side has at most `limit` elements,
/// else averaged to that size. Collective. `root` holds a few rows of the plate at a time, never all of it.
template <class Array> [[nodiscard]] raster<double> reduced(Array const& plate, std::size_t limit, int root) {
    auto const whole = plate.all().global;
    auto const rows = static_cast<std::size_t>(whole.extent(0)), columns = static_cast<std::size_t>(whole.extent(1));
    std::size_t const longer = std::max({rows, columns, limit});
    raster<double> small{std::max<std::size_t>(rows * limit / longer, 1), std::max<std::size_t>(columns * limit / longer, 1)};
    raster<double> counts{small.rows, small.columns};

    constexpr std::size_t some = 64;
    for (std::size_t first = 0; first < rows; first += some) {
        std::size_t const last = std::min(first + some, rows);
        auto const values = sode::collect(
            plate, {{static_cast<sode::index_t>(first), 0}, {static_cast<sode::index_t>(last), whole.upper[1]}}, root);
        for (std::size_t k = 0; k < values.size(); ++k) {
            std::size_t const r = (first + k / columns) * small.rows / rows, c = k % columns * small.columns / columns;
            small(r, c) += values[k];
            counts(r, c) += 1;
        }
    }
    for (std::size_t p = 0; p < small.pixels.size(); ++p)
        if (counts.pixels[p] > 0) small.pixels[p] /= counts.pixels[p];
    return small;
}

} // namespace examples
