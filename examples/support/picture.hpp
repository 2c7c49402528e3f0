// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/sode.hpp>

namespace examples {

/// Shows a plate of temperatures between 0 and 1 as the command line asks: `--picture FILE.png` writes a heat map, one pixel an
/// element up to 2048 x 2048; `--preview` (or a terminal on stdout) prints a small one. Collective; nothing is gathered if nobody
/// looks. Errors: std::runtime_error, if the file cannot be written.
void show(sode::runtime const& rt, sode::buffered<double, 2> const& plate);

} // namespace examples
