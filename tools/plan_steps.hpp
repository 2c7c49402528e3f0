// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "model/block_faces.hpp"
#include "model/makespan.hpp"

#include <string>
#include <vector>

namespace sode::internal::tools {

/// `sode plan --steps`.
struct step_options {
    std::string program; ///< "himeno", "laplace"; empty: none
    double point = 0;    ///< nanoseconds of one machine for one point
    bool no_barrier = false;
};

/// Errors: usage, for a program that is not known, or a point without time.
void check(step_options const& o);

/// Prints what a step of such a program takes, by each network alone, by the choice, and with contiguous faces by the first network
/// and others by the second: the points of the largest block, the exchange, the barrier that ends it (paper P0, fig. 10), and
/// for himeno the allreduce of one element. These two by the fastest algorithm, over the profile's `network`.
void print_steps(step_options const& o, block_grid const& g, profile const& costs, std::vector<network> const& list,
                 network_choice const& chosen);

} // namespace sode::internal::tools
