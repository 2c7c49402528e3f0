// SPDX-License-Identifier: Apache-2.0
#include "collective/bruck.hpp"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

namespace sode::internal {
namespace {

struct sizes {
    double machines, ranks, here, block; // `here`: ranks of a machine, the most

    explicit sizes(block_terms const& t)
        : machines(t.machines.machines()), ranks(t.ranks()), here(0), block(static_cast<double>(t.bytes)) {
        for (int m = 0; m < t.machines.machines(); ++m) here = std::max(here, static_cast<double>(t.machines.on(m).size()));
    }
};

} // namespace

int fewest_ranks(machine_map const& machines) {
    int fewest = machines.ranks();
    for (int m = 0; m < machines.machines(); ++m) fewest = std::min(fewest, machines.on(m).size());
    return fewest;
}

expense cost_of_bruck(block_terms const& t) {
    sizes const s{t};
    auto const& n = t.costs.network;
    auto const& memory = t.costs.of(distance::near).memory;
    bool const alltoall = t.kind == block_kind::alltoall;
    double const leaders = t.leaders, mine = s.block * (alltoall ? s.ranks : 1), all = s.block * s.ranks;
    // Into memory of the leader and out of it.
    expense sum{.source = mine * memory.stage_byte, .target = all * memory.stage_byte, .latency = 2 * memory.flag * leaders};
    int const machines = t.machines.machines();
    for (int unit = 1; unit < machines; unit *= t.radix) {
        double messages = 0, blocks = 0; // blocks: of machines
        for (int j = 1; j < t.radix && j * unit < machines; ++j) {
            ++messages;
            if (!alltoall) blocks += std::min(unit, machines - j * unit);
            for (int d = 0; alltoall && d < machines; ++d) blocks += d / unit % t.radix == j ? 1 : 0;
        }
        auto const bytes = blocks * s.block * s.here * (alltoall ? s.here : 1); // of all leaders
        auto const core = messages * n.overhead + bytes / leaders * n.host_byte;
        bool const copies = alltoall && blocks > messages;
        sum += {.source = core + (copies ? bytes / leaders * t.costs.local_byte_big : 0),
                .target = core,
                .link = bytes * n.byte,
                .latency = n.latency};
    }
    return sum;
}

expense cost_of_pairs(block_terms const& t) {
    sizes const s{t};
    auto const& n = t.costs.network;
    double const others = s.ranks - s.here, core = others * (n.overhead + s.block * n.host_byte);
    return {.source = core, .target = core, .link = s.here * others * s.block * n.byte, .latency = n.latency};
}

void choose_bruck(block_terms& t, int radix, int leaders) {
    auto const machines = t.machines.machines();
    std::vector<int> radices{radix}, numbers{leaders};
    if (radix == 0) {
        radices.clear();
        for (int const r : {2, 3, 4, 8, 16})
            if (r < machines) radices.push_back(r);
        radices.push_back(std::max(machines, 2));
    }
    if (leaders == 0) {
        numbers.clear();
        for (int n = 1; n <= std::min(fewest_ranks(t.machines), 16); n *= 2) numbers.push_back(n);
    }
    double least = std::numeric_limits<double>::infinity();
    auto best = std::pair{2, 1};
    for (int const r : radices)
        for (int const n : numbers) {
            t.radix = r;
            t.leaders = n;
            if (auto const cost = cost_of_bruck(t).total(); cost < least) least = cost, best = {r, n};
        }
    t.radix = best.first;
    t.leaders = best.second;
}

} // namespace sode::internal
