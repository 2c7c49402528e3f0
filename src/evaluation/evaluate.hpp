// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/machine_map.hpp"
#include "cost/profile.hpp"
#include "evaluation/step_table.hpp"
#include "evaluation/topology.hpp"

#include <cstdint>
#include <vector>

namespace sode::internal {

/// What an evaluation takes things to cost. Times in nanoseconds. LogGP (Alexandrov et al., SPAA 1995), and the load of links.
struct evaluation_costs {
    double overhead = 0;      ///< o: of the core, for one message, at each end
    double latency = 0;       ///< L: from injection to arrival of the first byte, without the links in between
    double hop = 0;           ///< of each link
    double byte = 0;          ///< G: a byte into the network, and over each link
    std::int64_t eager = 0;   ///< messages beyond this ask the receiver first
    double step = 0;          ///< of the core, for each step of a plan
    double flag = 0;          ///< from one core of a machine to another
    double copied_byte = 0;   ///< within a machine
    double combined_byte = 0; ///< of a reduction

    /// What a profile says: of ranks that are near, and of its network.
    [[nodiscard]] static evaluation_costs of(profile const& p);
};

/// What happened at one rank, for a timeline.
struct evaluated_step {
    std::int32_t rank = 0;
    std::uint32_t stream = 0;
    operation op = operation::end;
    std::int32_t peer = -1;
    double begin = 0, end = 0;
};

struct evaluation {
    double epoch = 0;           ///< from the first start to the last end of the first epoch
    double repeated = 0;        ///< of each later one, if there were several
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
};

/// Runs the plans of all ranks against costs instead of memory: what they would take on a machine that nobody has. Every stream,
/// every counter and every message is followed; a rank's streams share its core, messages that meet at a link wait for each other.
/// Nothing is moved. Cost: about a microsecond for each step of each epoch, and 64 bytes for each step.
[[nodiscard]] evaluation evaluate(step_table const& plans, machine_map const& machines, topology const& wires,
                                  evaluation_costs const& costs, evaluation_options const& options = {});

} // namespace sode::internal
