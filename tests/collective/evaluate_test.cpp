// SPDX-License-Identifier: Apache-2.0
// What plans would take on machines that nobody has: closed forms of LogGP where there are any, links that messages share, and
// collectives of many machines.
#include "collective/evaluated.hpp"
#include "plan/combiners.hpp"

#include <sode/error.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numeric>
#include <set>

namespace sode::internal::testing {
namespace {

// Of powers of two, so that sums are exact.
constexpr evaluation_costs network_only{.overhead = 256, .latency = 1024, .hop = 64, .byte = 0.125, .eager = 1 << 20};

collective_terms one_rank_each(collective_kind kind, int machines, std::int64_t elements) {
    collective_terms t;
    std::vector<int> list(static_cast<std::size_t>(machines));
    std::iota(list.begin(), list.end(), 0);
    t.machines = machine_map{list};
    t.kind = kind;
    if (kind == collective_kind::broadcast || kind == collective_kind::reduce) t.root = 0;
    if (kind != collective_kind::barrier)
        t.parts = {{8 * elements, kind == collective_kind::broadcast ? 0 : combiner(reduction::sum, element::i64)}};
    return t;
}

// One message: overhead, the bytes into the network, latency and links, overhead.
double message(double bytes, int links) {
    auto const& c = network_only;
    return 2 * c.overhead + c.latency + links * c.hop + bytes * c.byte;
}

TEST(Evaluate, OneMessage) {
    auto const wires = make_topology("crossbar", std::array{2});
    for (std::int64_t const elements : {1, 512}) {
        auto const t = one_rank_each(collective_kind::broadcast, 2, elements);
        auto const e = evaluated(algorithms::k_nomial, t, *wires, network_only);
        EXPECT_EQ(e.messages, 1U);
        EXPECT_EQ(e.bytes, static_cast<std::uint64_t>(8 * elements));
        EXPECT_DOUBLE_EQ(e.epoch, message(8.0 * static_cast<double>(elements), 2));
    }
}

TEST(Evaluate, TwoTreesTakeLittleMoreThanAllOfItOnce) {
    auto const wires = make_topology("crossbar", std::array{64});
    constexpr std::int64_t elements = 1 << 19; // 4 MiB
    double const once = network_only.byte * 8 * elements;
    for (auto const kind : {collective_kind::broadcast, collective_kind::reduce}) {
        auto const t = one_rank_each(kind, 64, elements);
        EXPECT_LT(evaluated(algorithms::two_trees, t, *wires, network_only).epoch, 2 * once);
        EXPECT_GT(evaluated(algorithms::k_nomial, t, *wires, network_only).epoch, 4 * once);
    }
}

TEST(Evaluate, ALargeMessageAsksFirst) {
    auto const wires = make_topology("crossbar", std::array{2});
    auto costs = network_only;
    auto const t = one_rank_each(collective_kind::broadcast, 2, 512);
    auto const eager = evaluated(algorithms::k_nomial, t, *wires, costs).epoch;
    costs.eager = 1024;
    EXPECT_GT(evaluated(algorithms::k_nomial, t, *wires, costs).epoch, eager + costs.latency / 2);
}

// log2(p) rounds of one message each, whoever is asked.
TEST(Evaluate, RoundsAddUp) {
    for (int const machines : {2, 4, 8, 64, 1024}) {
        auto const wires = make_topology("crossbar", std::array{machines});
        auto const rounds = std::log2(machines);
        auto const e =
            evaluated(algorithms::recursive_doubling, one_rank_each(collective_kind::allreduce, machines, 1), *wires, network_only);
        EXPECT_EQ(e.messages, static_cast<std::uint64_t>(machines * rounds));
        // A rank begins the receives of all rounds at once, before anything else.
        EXPECT_GE(e.epoch, rounds * message(8, 2));
        EXPECT_LE(e.epoch, rounds * (message(8, 2) + 2 * network_only.overhead));
    }
}

TEST(Evaluate, AMessageMayBeSentEarly) {
    // A late receiver costs nothing but its own time: what has arrived waits for it.
    auto const wires = make_topology("crossbar", std::array{4});
    auto const e =
        evaluated(algorithms::k_nomial, one_rank_each(collective_kind::reduce, 4, 1), *wires, network_only, {.epochs = 3});
    EXPECT_GT(e.repeated, 0);
    EXPECT_LE(e.repeated, e.epoch + 1e-9);
}

TEST(Topology, RoutesAreAsLongAsTheyMustBe) {
    std::vector<std::uint32_t> path;
    auto const links = [&](topology const& t, int from, int to) {
        path.clear();
        t.route(from, to, path);
        for (auto const l : path) EXPECT_LT(l, t.links());
        EXPECT_EQ(std::set<std::uint32_t>(path.begin(), path.end()).size(), path.size()) << "no link twice";
        return path.size();
    };
    auto const torus = make_topology("torus", std::array{4, 5, 6});
    EXPECT_EQ(torus->machines(), 120);
    EXPECT_EQ(links(*torus, 0, 0), 0U);
    EXPECT_EQ(links(*torus, 0, 1), 1U);
    EXPECT_EQ(links(*torus, 0, 5), 1U) << "around";
    EXPECT_EQ(links(*torus, 0, 119), 3U) << "around in all dimensions";
    EXPECT_EQ(links(*torus, 0, 3 + 6 * 2 + 30 * 2), 7U) << "the farthest";
    auto const tree = make_topology("fat-tree", std::array{4, 3, 2});
    EXPECT_EQ(links(*tree, 0, 3), 2U);
    EXPECT_EQ(links(*tree, 0, 4), 4U);
    EXPECT_EQ(links(*tree, 0, 23), 6U);
    auto const fly = make_topology("dragonfly", std::array{2, 4, 5});
    EXPECT_EQ(fly->machines(), 40);
    EXPECT_EQ(links(*fly, 0, 1), 2U);
    EXPECT_EQ(links(*fly, 0, 2), 3U);
    for (int from = 0; from < 40; ++from)
        for (int to = 0; to < 40; ++to) EXPECT_LE(links(*fly, from, to), 5U);
    EXPECT_THROW(static_cast<void>(make_topology("hypercube", std::array{2})), error);
    EXPECT_THROW(static_cast<void>(make_topology("dragonfly", std::array{2})), error);
}

// In a torus of one dimension everybody sends half around: each link carries as many messages as that is far.
TEST(Evaluate, MessagesShareLinks) {
    constexpr int machines = 16;
    auto const ring = make_topology("torus", std::array{machines});
    auto const cross = make_topology("crossbar", std::array{machines});
    auto costs = network_only;
    costs.byte = 1;
    auto const t = one_rank_each(collective_kind::allreduce, machines, 4096);
    auto const wired = evaluated(algorithms::recursive_doubling, t, *ring, costs);
    auto const free = evaluated(algorithms::recursive_doubling, t, *cross, costs);
    EXPECT_GT(wired.epoch, 2 * free.epoch);
    EXPECT_GE(wired.epoch, wired.busiest_link);
    // The ring's neighbours are next to each other: there nobody meets anybody.
    auto const around = evaluated(algorithms::ring, t, *ring, costs);
    EXPECT_LT(around.epoch, wired.epoch);
    EXPECT_NEAR(around.busiest_link, 2.0 * (machines - 1) / machines * 8 * 4096, 1e-6);
}

TEST(Evaluate, ATimelineSaysWhoDidWhat) {
    auto const wires = make_topology("crossbar", std::array{4});
    auto const e =
        evaluated(algorithms::k_nomial, one_rank_each(collective_kind::broadcast, 4, 8), *wires, network_only, {.timeline = true});
    EXPECT_FALSE(e.timeline.empty());
    for (auto const& s : e.timeline) {
        EXPECT_LE(s.begin, s.end);
        EXPECT_LE(s.end, e.epoch);
    }
}

// What the chooser compares has the terms that the steps of the plans have: packing into lines that others hold, combining, and
// that who takes and who gives work at once.
TEST(Evaluate, ClosedFormsOfOneMachineAgreeWithTheirPlans) {
    auto const wires = make_topology("crossbar", std::array{1});
    for (auto const kind : {collective_kind::broadcast, collective_kind::reduce})
        for (std::int64_t const elements : {2048, 8192, 131072})
            for (auto const* a : {&algorithms::staged, &algorithms::sliced_stages, &algorithms::pipelined}) {
                auto t = one_rank_each(kind, 2, elements);
                t.machines = machine_map{2};
                t.costs.local_byte_big = t.costs.local_byte; // the evaluator knows one rate
                if (!a->can(t)) continue;
                auto const e = evaluated(*a, t, *wires, evaluation_costs::of(t.costs));
                auto const ratio = a->cost(t, distance::near).total() / e.epoch;
                EXPECT_THAT(ratio, ::testing::AllOf(::testing::Gt(0.7), ::testing::Lt(1.3)))
                    << t.title() << " by " << a->name() << ": " << e.epoch << " ns";
            }
}

// Results that are stored where another core has read are dearer than results for oneself, if the machine says so.
TEST(Evaluate, ResultsThatAnotherCoreHasReadCostWhoStoresThem) {
    auto const wires = make_topology("crossbar", std::array{1});
    evaluation_costs costs{.shared_byte = 0.125, .local_byte = 0.125};
    auto const time = [&](collective_kind kind, algorithm const& a) {
        auto t = one_rank_each(kind, 2, 2048);
        t.machines = machine_map{2};
        return evaluated(a, t, *wires, costs).epoch;
    };
    auto const all = time(collective_kind::allreduce, algorithms::sliced_stages);
    auto const copies = time(collective_kind::broadcast, algorithms::staged);
    costs.reclaim_byte = 0.0625;
    EXPECT_DOUBLE_EQ(time(collective_kind::allreduce, algorithms::sliced_stages), all) << "as dear as any other byte";
    costs.reclaim_byte = 0.625;
    EXPECT_DOUBLE_EQ(time(collective_kind::allreduce, algorithms::sliced_stages), all + 4 * 2048 * (0.625 - 0.125))
        << "of a half each";
    EXPECT_DOUBLE_EQ(time(collective_kind::broadcast, algorithms::staged), copies) << "copies take lines without reading them";
}

// Who waits for a word begins to load what it tells of when it is there: half a word's way later.
TEST(Evaluate, BytesFollowTheirWord) {
    auto const wires = make_topology("crossbar", std::array{1});
    auto t = one_rank_each(collective_kind::broadcast, 2, 128);
    t.machines = machine_map{2};
    evaluation_costs const costs{.flag = 64};
    EXPECT_DOUBLE_EQ(evaluated(algorithms::staged, t, *wires, costs).epoch, 64 + 32 + 64)
        << "and the root hears that they are read";
}

TEST(Evaluate, EveryAlgorithmEndsOnAnyNumberOfMachines) {
    for (int machines = 2; machines <= 40; ++machines) {
        auto const wires = make_topology("torus", std::array{machines});
        for (auto const kind :
             {collective_kind::barrier, collective_kind::broadcast, collective_kind::reduce, collective_kind::allreduce})
            for (auto const* a : all_algorithms()) {
                auto const t = one_rank_each(kind, machines, 512);
                if (a->can(t)) static_cast<void>(evaluated(*a, t, *wires, network_only, {.epochs = 2}));
            }
    }
}

} // namespace
} // namespace sode::internal::testing
