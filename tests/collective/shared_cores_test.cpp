// SPDX-License-Identifier: Apache-2.0
// Ranks that share cores: whose turn it is, what a rank's waiting costs the others, and that nobody is faster for having less of a
// core.
#include "collective/evaluated.hpp"
#include "evaluation/shared_core.hpp"
#include "plan/combiners.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

namespace sode::internal::testing {
namespace {

// Of powers of two, so that sums are exact. A word from core to core is faster than a core from rank to rank, and to read what
// another core has written is half a copy, as it is of own bytes.
constexpr evaluation_costs costs{.flag = 64, .shared_byte = 0.0625, .local_byte = 0.125, .local_byte_big = 0.125, .yield = 1024};

collective_terms on_one_machine(collective_kind kind, int ranks, std::int64_t elements, int root = 0) {
    collective_terms t;
    t.machines = machine_map{ranks};
    t.kind = kind;
    if (kind == collective_kind::broadcast || kind == collective_kind::reduce) t.root = root;
    if (kind != collective_kind::barrier)
        t.parts = {{8 * elements, kind == collective_kind::broadcast ? 0 : combiner(reduction::sum, element::i64)}};
    return t;
}

evaluation on_cores(int cores, algorithm const& a, collective_terms const& t, evaluation_options const& options = {},
                    evaluation_costs const& c = costs) {
    auto const wires = make_topology("crossbar", std::array{1});
    step_table plans{core_map{t.machines, cores}};
    for (int r = 0; r < t.ranks(); ++r) plans.add(build_by_leaders(a, t, r));
    plans.close();
    auto e = evaluate(plans, t.machines, *wires, c, options);
    EXPECT_TRUE(e.finished) << t.title() << " by " << a.name() << " on " << cores << " cores";
    return e;
}

constexpr std::array kinds{collective_kind::barrier, collective_kind::broadcast, collective_kind::reduce,
                           collective_kind::allreduce, collective_kind::scan};

TEST(SharedCore, GoesRound) {
    shared_core core{3, 10};
    EXPECT_EQ(core.turn(0, 0), 0);
    core.run(0);
    EXPECT_TRUE(core.runs(0));
    EXPECT_FALSE(core.runs(1));
    core.give_up(100);
    EXPECT_TRUE(core.idle());
    EXPECT_EQ(core.turn(1, 0), 110);
    EXPECT_EQ(core.turn(2, 0), 120);
    EXPECT_EQ(core.turn(0, 0), 130) << "after all others";
    EXPECT_EQ(core.turn(1, 111), 140) << "its turn is just over";
    EXPECT_EQ(core.turn(1, 140), 140);
    EXPECT_EQ(core.turn(2, 1001), 1020);
}

TEST(SharedCore, ARankThatHasItForItselfGoesOnAtOnce) {
    shared_core core{1, 10};
    core.run(0);
    core.give_up(100);
    EXPECT_EQ(core.turn(0, 50), 100);
    EXPECT_EQ(core.turn(0, 123), 123);
}

TEST(CoreMap, DealsRanksOutInTurn) {
    core_map const cores{machine_map{std::vector{0, 0, 0, 0, 0, 1, 1}}, 2};
    ASSERT_TRUE(cores.shared());
    EXPECT_EQ(cores.cores(), 4U);
    EXPECT_THAT(cores.ranks_of(0), ::testing::ElementsAre(0, 2, 4));
    EXPECT_THAT(cores.ranks_of(1), ::testing::ElementsAre(1, 3));
    EXPECT_THAT(cores.ranks_of(3), ::testing::ElementsAre(6));
    EXPECT_TRUE(cores.together(0, 4));
    EXPECT_FALSE(cores.together(0, 1));
    EXPECT_FALSE(cores.together(-1, 1)) << "nobody has said it";
    EXPECT_EQ(cores.place(4), 2);
    EXPECT_FALSE((core_map{machine_map{4}, 4}.shared()));
    EXPECT_FALSE((core_map{machine_map{4}, 0}.shared()));
}

// Each rank sees the root's word when it is its turn.
TEST(SharedCores, AChainCostsATurnForEachRank) {
    auto c = costs;
    for (int ranks = 2; ranks <= 16; ++ranks) {
        auto const first = on_cores(1, algorithms::in_lines, on_one_machine(collective_kind::broadcast, ranks, 1), {}, c).epoch;
        EXPECT_GE(first, (ranks - 1) * c.yield);
        EXPECT_LT(first, ranks * c.yield);
        // The last one's turn comes after all others have looked in vain; then theirs comes again.
        auto const last =
            on_cores(1, algorithms::in_lines, on_one_machine(collective_kind::broadcast, ranks, 1, ranks - 1), {}, c).epoch;
        EXPECT_GE(last, 2 * (ranks - 1) * c.yield);
        EXPECT_LT(last, (2 * ranks - 1) * c.yield);
    }
}

// Who is the last to come goes on to the next barrier without giving the core up: so the others of its core have a turn each.
TEST(SharedCores, ABarrierTakesATurnForEachOtherRank) {
    for (int const ranks : {2, 4, 8, 16}) {
        auto const t = on_one_machine(collective_kind::barrier, ranks, 0);
        EXPECT_DOUBLE_EQ(on_cores(1, algorithms::in_lines, t, {.epochs = 16}).repeated, (ranks - 1) * costs.yield) << ranks;
        auto const halves = on_cores(2, algorithms::in_lines, t, {.epochs = 16}).repeated;
        EXPECT_GE(halves, (ranks / 2 - 1) * costs.yield) << ranks;
        EXPECT_LE(halves, ranks * costs.yield) << ranks;
    }
}

// Ranks 1 and 3 have looked in vain when rank 2 says its word. Nobody polls its line then: each loads it at its turn.
TEST(SharedCores, AWordIsLoadedByWhoHasItsTurn) {
    auto c = costs;
    c.start = 4096;
    auto const t = on_one_machine(collective_kind::broadcast, 4, 1, 2);
    auto const ends = on_cores(2, algorithms::in_lines, t, {}, c).ends;
    c.flag = 0;
    auto const at_once = on_cores(2, algorithms::in_lines, t, {}, c).ends;
    EXPECT_DOUBLE_EQ(ends[1], at_once[1] + 64);
    EXPECT_DOUBLE_EQ(ends[3], at_once[3] + 2 * 64) << "its turn comes when rank 1 has loaded it";
}

TEST(SharedCores, NobodyIsFasterOnFewerCores) {
    for (auto const kind : kinds)
        for (auto const* a : all_algorithms())
            for (std::int64_t const elements : {1, 128, 8192})
                for (int const ranks : {3, 4, 7}) {
                    auto const t = on_one_machine(kind, ranks, elements);
                    if (!a->can(t)) continue;
                    auto const apart = on_cores(0, *a, t).epoch;
                    EXPECT_GE(on_cores(1, *a, t).epoch, apart) << t.title() << " by " << a->name();
                    EXPECT_GE(on_cores(2, *a, t).epoch, apart) << t.title() << " by " << a->name();
                    EXPECT_EQ(on_cores(ranks, *a, t).epoch, apart) << "a core each";
                }
}

TEST(SharedCores, WhatACoreHasToDoIsALowerLimit) {
    auto free = costs;
    free.yield = 0;
    for (auto const kind : kinds)
        for (auto const* a : all_algorithms())
            for (int const cores : {1, 2, 3}) {
                auto const t = on_one_machine(kind, 8, 8192);
                if (!a->can(t)) continue;
                auto const e = on_cores(cores, *a, t);
                EXPECT_GE(e.epoch, e.busiest_core) << t.title() << " by " << a->name();
                auto const without = on_cores(cores, *a, t, {}, free);
                EXPECT_GE(without.epoch, without.busiest_core) << t.title() << " by " << a->name();
            }
}

TEST(SharedCores, EveryAlgorithmEndsOnAnyNumberOfCores) {
    for (int ranks = 2; ranks <= 9; ++ranks)
        for (int cores = 1; cores < ranks; ++cores)
            for (auto const kind : kinds)
                for (auto const* a : all_algorithms()) {
                    auto const t = on_one_machine(kind, ranks, 4096);
                    if (a->can(t)) static_cast<void>(on_cores(cores, *a, t, {.epochs = 3}));
                }
}

// Between machines, too, where messages come while a rank has no core.
TEST(SharedCores, MachinesOfSharedCores) {
    auto const wires = make_topology("crossbar", std::array{3});
    collective_terms t = on_one_machine(collective_kind::allreduce, 12, 64);
    t.machines = machine_map{std::vector{0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2}};
    auto c = costs;
    c.overhead = 256;
    c.latency = 1024;
    c.eager = 1 << 20;
    for (auto const* a : all_algorithms()) {
        if (!a->can(t)) continue;
        double before = 0;
        for (int const cores : {4, 1}) {
            step_table plans{core_map{t.machines, cores}};
            for (int r = 0; r < t.ranks(); ++r) plans.add(build_by_leaders(*a, t, r));
            plans.close();
            auto const e = evaluate(plans, t.machines, *wires, c, {.epochs = 2});
            EXPECT_TRUE(e.finished) << a->name();
            EXPECT_GE(e.epoch, before) << a->name();
            before = e.epoch;
        }
    }
}

} // namespace
} // namespace sode::internal::testing
