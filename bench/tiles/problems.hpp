// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "stencil/solver.hpp"

#include <memory>
#include <string>
#include <vector>

namespace sode::internal::bench {

/// A problem of time tiles, solved with so many steps at a time: 1 are single steps as a program without march() takes them
/// (overlap), 0 as many as the library chooses. n points in each dimension of the whole; `layers` in the first one.
///
/// heat: 7 points in space. wave: 25 points, radius 4, second order in time. water: shallow water by Rusanov's fluxes, radius 1,
/// three fields. All of doubles.
[[nodiscard]] std::unique_ptr<solver> tiled_problem(std::string const& name, runtime& rt, problem_size size, int steps);
[[nodiscard]] std::vector<std::string> tiled_problems();

} // namespace sode::internal::bench
