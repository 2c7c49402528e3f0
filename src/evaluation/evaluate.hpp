// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/machine_map.hpp"
#include "evaluation/costs.hpp"
#include "evaluation/step_table.hpp"
#include "evaluation/topology.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace sode::internal {

/// A network that joins machines of a group only: machine m is in group m / wires->machines().
struct inner_network {
    topology const* wires = nullptr; ///< of one group
    evaluation_costs costs;          ///< of its messages and links: overhead, latency, hop, byte, eager, packet and interfaces
};

/// What happened at one rank, for a timeline.
struct evaluated_step {
    std::int32_t rank = 0;
    std::uint32_t stream = 0;
    operation op = operation::end;
    std::int32_t peer = -1;
    double begin = 0, end = 0;
    bool by_interface = false; ///< no core has worked
};

struct evaluation {
    double epoch = 0;           ///< from the first start to the last end of the first epoch
    double repeated = 0;        ///< of each later one, if there were several
    double planning = 0;        ///< what the slowest caller needs once
    double starting = 0;        ///< what the slowest caller's `start` takes
    double busiest_core = 0;    ///< the most that a core had to do, in all epochs
    double busiest_link = 0;    ///< the most that a link was busy
    std::uint64_t messages = 0; ///< of all epochs
    std::uint64_t bytes = 0;    ///< of these
    std::uint64_t steps = 0;    ///< of plans
    bool finished = false;      ///< false: some ranks wait for ever
    std::vector<double> ends{}; ///< of the first epoch, by rank
    std::vector<evaluated_step> timeline{};
};

struct evaluation_options {
    int epochs = 1; ///< back to back: a rank begins the next one when it is over this one
    bool timeline = false;
    std::span<inner_network const> inner{}; ///< innermost first; a message goes by the first that joins both machines
};

/// Runs the plans of all ranks against costs instead of memory: what they would take on a machine that nobody has. Every stream,
/// every counter and every message is followed; a rank's streams share its core, messages that meet at a link wait for each other.
/// Ranks that share a core (step_table::cores) have it in turn, and one that waits gives it up: engine inline only. Errors:
/// internal, with another one. Nothing is moved. Cost: about a microsecond for each step of each epoch, and 64 bytes for each step.
[[nodiscard]] evaluation evaluate(step_table const& plans, machine_map const& machines, topology const& wires,
                                  evaluation_costs const& costs, evaluation_options const& options = {});

} // namespace sode::internal
