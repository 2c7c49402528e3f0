// SPDX-License-Identifier: Apache-2.0
#include "evaluation/costs.hpp"

#include <algorithm>
#include <limits>

namespace sode::internal {

std::string_view to_string(plan_runner who) noexcept {
    switch (who) {
    case plan_runner::caller: return "inline";
    case plan_runner::thread: return "thread";
    case plan_runner::interfaces: return "triggered";
    }
    return "?";
}

evaluation_costs evaluation_costs::of(profile const& p, plan_runner who) {
    auto const& near = p.of(distance::near).memory;
    auto const& e = p.engines;
    bool const offloaded = who == plan_runner::interfaces;
    return {.overhead = p.network.overhead,
            .latency = p.network.latency,
            .hop = 0,
            .byte = p.network.byte,
            .eager = p.network.eager_bytes,
            .step = 1,
            .flag = near.flag,
            .shared_byte = near.stream_byte,
            .reclaim_byte = near.reclaim_byte,
            .local_byte = p.local_byte,
            .local_byte_big = p.local_byte_big,
            .cache_bytes = p.core_cache_bytes,
            .host_byte = p.network.host_byte,
            .runner = who,
            .start = offloaded ? e.doorbell : e.start,
            .yield = e.yield,
            .wake = e.wake,
            .queued = offloaded ? e.queued : 0,
            .made = offloaded ? e.made : 0,
            .planned = who == plan_runner::thread ? e.thread : 0,
            .packet = e.packet,
            .trigger = e.trigger,
            .loopback = e.loopback,
            .interfaces = static_cast<unsigned>(std::max<std::int64_t>(e.interfaces, 1))};
}

network_protocol evaluation_costs::protocol_for(std::int64_t bytes) const noexcept {
    for (auto const& p : protocols)
        if (p.up_to_bytes == 0 || bytes <= p.up_to_bytes) return p;
    return {.overhead = overhead, .latency = latency, .byte = byte, .host_byte = host_byte};
}

evaluation_costs with_network(evaluation_costs c, network const& n, double hop) {
    c.protocols = n.protocols;
    c.hop = hop;
    c.eager = std::numeric_limits<std::int64_t>::max(); // what a protocol asks for is in its latency
    c.interfaces = n.serial ? 1U : static_cast<unsigned>(n.links);
    return c;
}

} // namespace sode::internal
