// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "support/image.hpp"

namespace examples {

/// The colour of a temperature between 0 (black) and 1 (pale yellow), by way of violet, red and orange. Perceptual: lightness rises
/// evenly, so that equal steps of temperature look equal, also to the colour-blind and in grey.
///
/// Source: the map "inferno" of S. van der Walt and N. Smith (CC0), as M. Zucker's polynomial of degree 6.
[[nodiscard]] rgb heat_colour(double temperature) noexcept;

[[nodiscard]] image heat_map(raster<double> const& temperatures);

} // namespace examples
