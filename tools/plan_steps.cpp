// SPDX-License-Identifier: Apache-2.0
#include "plan_steps.hpp"

#include "plan_collective.hpp"

#include <sode/error.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace sode::internal::tools {
namespace {

constexpr double us = 1e-3; // nanoseconds

/// Where every face is contiguous, or none is, that is one network alone.
std::vector<int> contiguous_by_first(std::vector<network_edge> const& edges, std::size_t faces) {
    std::vector<int> assignment(faces, 0);
    for (auto const& e : edges)
        if (e.rows > 1) assignment[static_cast<std::size_t>(e.face)] = 1;
    return assignment;
}

} // namespace

void check(step_options const& o) {
    if (o.program != "himeno" && o.program != "laplace")
        throw error{error_kind::usage, fmt::format("there is no program \"{}\"", o.program), "", "write --steps himeno or laplace"};
    if (o.point <= 0)
        throw error{error_kind::usage, "--steps needs the time of one point",
                    "the time of one point cannot be derived from the networks",
                    "measure this time on one machine, and pass --point NANOSECONDS"};
}

void print_steps(step_options const& o, block_grid const& g, profile const& costs, std::vector<network> const& list,
                 network_choice const& chosen) {
    auto const edges = edges_of(g);
    double points = 1, all_points = 1;
    for (int d = 0; d < g.dims(); ++d) {
        points *= static_cast<double>(g.block(d, 0));
        all_points *= static_cast<double>(g.extents[static_cast<std::size_t>(d)]);
    }
    double const computing = points * o.point * us;
    double const barrier = o.no_barrier ? 0 : fastest_us("barrier", g.size(), 0, costs);
    double const allreduce = o.program == "himeno" ? fastest_us("allreduce", g.size(), g.element_bytes, costs) : 0;
    fmt::print("\nsteps of {}: {:.0f} points at {:g} ns take {:.1f} us, the barrier {:.1f} us, the allreduce {:.1f} us\n",
               o.program, points, o.point, computing, barrier, allreduce);
    fmt::print("  {:>10}  {:>11}  {:>13}\n", "step us", "exchange us", "x one machine");
    auto const line = [&](std::vector<int> const& assignment, std::string const& words) {
        double const exchange = predict_makespan(edges, list, assignment), step = computing + exchange + barrier + allreduce;
        fmt::print("  {:>10.1f}  {:>11.1f}  {:>13.2f}  {}\n", step, exchange, all_points * o.point * us / step, words);
    };
    line(chosen.assignment, "(chosen)");
    for (int n = 0; n < static_cast<int>(list.size()); ++n)
        line(std::vector<int>(chosen.assignment.size(), n), list[static_cast<std::size_t>(n)].name + " alone");
    if (list.size() == 2)
        line(contiguous_by_first(edges, chosen.assignment.size()),
             fmt::format("contiguous faces by {}, others by {}", list[0].name, list[1].name));
}

} // namespace sode::internal::tools
