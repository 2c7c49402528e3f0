// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cost/profile.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace sode::internal {

/// Who runs the plans (src/engine).
enum class plan_runner : std::uint8_t {
    caller,    ///< "inline": the core that calls start and wait
    thread,    ///< "thread": another core of the rank's, woken by start
    interfaces ///< "triggered": network interfaces, from queues that start fills and arrivals move on; what computes goes to the
               ///< core
};
[[nodiscard]] std::string_view to_string(plan_runner who) noexcept;

/// What an evaluation takes things to cost. Times in nanoseconds. LogGP (Alexandrov et al., SPAA 1995), and the load of links.
struct evaluation_costs {
    double overhead = 0;                       ///< o: of the core, for one message, at each end
    double latency = 0;                        ///< L: from injection to arrival of the first byte, without the links in between
    double hop = 0;                            ///< of each link
    double byte = 0;                           ///< G: a byte into the network, and over each link
    std::int64_t eager = 0;                    ///< messages beyond this ask the receiver first
    double step = 0;                           ///< of the core, for each step of a plan
    double flag = 0;                           ///< until one core of a machine sees what another one has said
    double shared_byte = 0;                    ///< of the core, for each byte that another core of the machine has written,
    double reclaim_byte = 0;                   ///< and for each computed one that it stores where another core has read
    double local_byte = 0;                     ///< the same within its own cache,
    double local_byte_big = 0;                 ///< and past it, of buffers of more than
    std::int64_t cache_bytes = 0;              ///< bytes; 0: all are
    double host_byte = 0;                      ///< of the core, for each byte of a message, at each end
    std::vector<network_protocol> protocols{}; ///< instead of overhead, latency, byte and host_byte, by the size of a message

    [[nodiscard]] network_protocol protocol_for(std::int64_t bytes) const noexcept;

    plan_runner runner = plan_runner::caller;
    double start = 0;        ///< of the caller's core, before anything else
    double yield = 0;        ///< of a core that ranks share, from one of them to the next
    double wake = 0;         ///< until another core has seen what one has written for it, asleep or polling: a thread, a caller
    double queued = 0;       ///< of the caller's core, for each descriptor that `start` hands to an interface
    double made = 0;         ///< of the caller's core, once, for each of these: what planning takes
    double planned = 0;      ///< what planning takes beside
    double packet = 0;       ///< of an interface, for each message: the least time from one to the next
    double trigger = 0;      ///< of an interface, from an arrival to what it moves on
    double loopback = 0;     ///< from a packet of an interface to its own machine to the queue that it moves on
    unsigned interfaces = 1; ///< of a machine, each with its own rate; streams say which they would have

    /// What a profile says: of ranks that are near, and of its network.
    [[nodiscard]] static evaluation_costs of(profile const& p, plan_runner who = plan_runner::caller);
};

/// What a network of a profile says instead of its `network`. `hop`: of each link.
[[nodiscard]] evaluation_costs with_network(evaluation_costs c, network const& n, double hop);

} // namespace sode::internal
