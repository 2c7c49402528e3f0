// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "support/image.hpp"

namespace examples {

/// Depths of water as one sees them from above: deep blue troughs, pale crests, and light from the upper left on the slopes. The
/// colours span the depths that there are, their middle being the mean; level water has the colour of the middle.
[[nodiscard]] image water_surface(raster<double> const& depths);

} // namespace examples
