// SPDX-License-Identifier: Apache-2.0
// Who runs the plans that are evaluated: closed forms for a caller, a thread and network interfaces, what a branch costs,
// interfaces that work at once, and networks inside networks.
#include "collective/evaluated.hpp"
#include "plan/combiners.hpp"

#include <gtest/gtest.h>

#include <array>
#include <numeric>

namespace sode::internal::testing {
namespace {

// Of powers of two, so that sums are exact.
evaluation_costs costs_of(plan_runner who) {
    return {.overhead = 256, .latency = 1024, .hop = 64, .byte = 0.125, .eager = 1 << 20, .runner = who, .start = 32, .wake = 128};
}

collective_terms broadcast_to(int machines, std::int64_t elements) {
    collective_terms t;
    std::vector<int> list(static_cast<std::size_t>(machines));
    std::iota(list.begin(), list.end(), 0);
    t.machines = machine_map{list};
    t.kind = collective_kind::broadcast;
    t.root = 0;
    t.parts = {{8 * elements, 0}};
    return t;
}

constexpr double wire = 1024 + 2 * 64 + 8 * 64 * 0.125; // 64 elements over a crossbar

TEST(EvaluateEngines, OneMessageByEach) {
    auto const wires = make_topology("crossbar", std::array{2});
    auto const t = broadcast_to(2, 64);
    auto const by = [&](evaluation_costs const& c) { return evaluated(algorithms::k_nomial, t, *wires, c).epoch; };
    EXPECT_DOUBLE_EQ(by(costs_of(plan_runner::caller)), 32 + 2 * 256 + wire);
    EXPECT_DOUBLE_EQ(by(costs_of(plan_runner::thread)), 32 + 128 + 2 * 256 + wire + 128);
    auto c = costs_of(plan_runner::interfaces);
    c.queued = 16;
    c.trigger = 512;
    // One descriptor is queued; no core has an overhead.
    EXPECT_DOUBLE_EQ(by(c), 32 + 16 + wire + 512 + 128);
}

TEST(EvaluateEngines, StartGrowsWithThePiecesOfInterfacesOnly) {
    auto const wires = make_topology("torus", std::array{2, 2, 2});
    auto const starting = [&](plan_runner who, std::int64_t elements) {
        auto c = costs_of(who);
        c.queued = who == plan_runner::interfaces ? 16 : 0;
        return evaluated(algorithms::trinary, broadcast_to(8, elements), *wires, c).starting;
    };
    EXPECT_EQ(starting(plan_runner::thread, 1 << 8), starting(plan_runner::thread, 1 << 18));
    EXPECT_LT(2 * starting(plan_runner::interfaces, 1 << 8), starting(plan_runner::interfaces, 1 << 18));
}

// A core has nothing to do between start and wait.
TEST(EvaluateEngines, InterfacesLeaveTheCoreAlone) {
    auto const wires = make_topology("torus", std::array{3, 3, 3});
    auto const t = broadcast_to(27, 1 << 14);
    EXPECT_DOUBLE_EQ(evaluated(algorithms::trinary, t, *wires, costs_of(plan_runner::interfaces)).busiest_core, 32);
    EXPECT_GT(evaluated(algorithms::trinary, t, *wires, costs_of(plan_runner::thread)).busiest_core, 32 + 3 * 256);
}

TEST(EvaluateEngines, ABranchCostsAPacketOfItsOwn) {
    auto const wires = make_topology("torus", std::array{3, 3, 3});
    auto const t = broadcast_to(27, 1 << 14);
    auto c = costs_of(plan_runner::interfaces);
    auto const free = evaluated(algorithms::trinary, t, *wires, c).epoch;
    c.loopback = 1024;
    auto const late = evaluated(algorithms::trinary, t, *wires, c).epoch;
    EXPECT_GE(late, free + 1024);
    c.packet = 64;
    EXPECT_GT(evaluated(algorithms::trinary, t, *wires, c).epoch, late);
    // Nothing branches on a ring.
    auto const ring = make_topology("torus", std::array{7});
    auto chain = broadcast_to(7, 1 << 14);
    chain.torus = {7};
    c.packet = 0;
    auto const with = evaluated(algorithms::trinary, chain, *ring, c).epoch;
    c.loopback = 0;
    EXPECT_DOUBLE_EQ(with, evaluated(algorithms::trinary, chain, *ring, c).epoch);
}

TEST(EvaluateEngines, ThreeInterfacesAreThreeTimesAsFast) {
    auto const wires = make_topology("torus", std::array{3, 3, 3});
    auto const t = broadcast_to(27, 1 << 20);
    for (auto const who : {plan_runner::caller, plan_runner::interfaces}) {
        auto c = costs_of(who);
        c.overhead = 1;
        auto const one = evaluated(algorithms::trinary, t, *wires, c).epoch;
        c.interfaces = 3;
        auto const three = evaluated(algorithms::trinary, t, *wires, c).epoch;
        EXPECT_GT(one, 2 * three);
        EXPECT_GE(three, 0.125 * (8 << 20) / 3);
    }
}

TEST(EvaluateEngines, AMessageGoesByTheInnermostNetwork) {
    auto const all = make_topology("crossbar", std::array{4});
    auto const ring = make_topology("torus", std::array{2});
    auto slow = costs_of(plan_runner::caller), quick = slow;
    slow.start = quick.start = 0;
    slow.latency = 1 << 20;
    quick.latency = 16;
    std::array const inner{inner_network{ring.get(), quick}};
    auto t = broadcast_to(4, 1);
    t.subcluster = 2;
    auto const both = evaluated(algorithms::tiered, t, *all, slow, {.inner = inner});
    // One message between sub-clusters, one inside.
    EXPECT_GT(both.epoch, 1 << 20);
    EXPECT_LT(both.epoch, (1 << 20) + 4 * 256 + 1024);
    EXPECT_EQ(both.messages, 3U);
    EXPECT_GT(evaluated(algorithms::tiered, t, *all, slow).epoch, 2 << 20);
}

} // namespace
} // namespace sode::internal::testing
