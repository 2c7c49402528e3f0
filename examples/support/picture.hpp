// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "support/heat_colours.hpp"

#include <sode/sode.hpp>

namespace examples {

/// Shows a plate as the command line asks: `--picture FILE.png` writes a picture, one pixel an element up to 2048 x 2048;
/// `--preview` (or a terminal on stdout) prints a small one. `colours` says what it looks like: heat_map() if it has temperatures
/// between 0 and 1. Collective; nothing is collected if nobody looks. Errors: std::runtime_error, if the file cannot be written.
void show(sode::runtime const& rt, sode::buffered<double, 2> const& plate, image (*colours)(raster<double> const&) = heat_map);

} // namespace examples
