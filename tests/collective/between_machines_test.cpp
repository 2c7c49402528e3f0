// SPDX-License-Identifier: Apache-2.0
// Algorithms between many machines: what each rank sends, combines and gets is proven by verify() for 1 to 67 and 127 to 129
// machines, any root, odd counts, ranks spread over machines in no regular way, in place and not, and operators that do not
// commute.
#include "terms_over.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <random>
#include <set>
#include <utility>

namespace sode::internal::testing {
namespace {

constexpr std::array rooted_and_not{collective_kind::barrier,   collective_kind::broadcast,      collective_kind::reduce,
                                    collective_kind::allreduce, collective_kind::reduce_scatter, collective_kind::scan};

std::vector<algorithm const*> between_machines() {
    std::vector<algorithm const*> list;
    for (auto const* a : all_algorithms()) {
        collective_terms t;
        t.machines = machine_map{std::vector<int>{0, 1}};
        t.root = 0;
        t.parts = {{4096, combiner(reduction::sum, element::i64)}};
        bool some = false, one_machine = false;
        for (auto const kind : rooted_and_not) {
            t.kind = kind;
            t.machines = machine_map{std::vector<int>{0, 1}};
            some = some || a->can(t);
            t.machines = machine_map{2};
            one_machine = one_machine || a->can(t);
        }
        if (some && !one_machine && a->name() != "over-machines") list.push_back(a);
    }
    return list;
}

int prove_all(collective_terms const& t) {
    int proven = 0;
    for (auto const* a : between_machines()) {
        if (!a->can(t)) continue;
        ++proven;
        prove_one(*a, t);
    }
    return proven;
}

TEST(BetweenMachines, AnyNumberOfThemAndAnyRoot) {
    std::mt19937 random{7};
    for (int machines = 2; machines <= 67; machines += machines < 20 ? 1 : 3)
        for (auto const kind : rooted_and_not) {
            prove_all(terms_over(kind, one_rank_each(machines), 1 + 2 * static_cast<int>(random() % 40),
                                 static_cast<int>(random() % static_cast<unsigned>(machines))));
            if (HasFailure()) return;
        }
}

TEST(BetweenMachines, RoundThePowerOfTwo) {
    for (int const machines : {127, 128, 129})
        for (auto const kind : rooted_and_not) {
            prove_all(terms_over(kind, one_rank_each(machines), 3, machines / 3));
            if (HasFailure()) return;
        }
}

// What is dealt out in parts, of which the last one is longer.
TEST(BetweenMachines, MuchOfIt) {
    std::mt19937 random{17};
    for (int machines = 2; machines <= 33; machines += machines < 10 ? 1 : 5)
        for (int i = 0; i < 3; ++i) {
            auto const list = i == 0 ? one_rank_each(machines) : irregular(machines, random, i == 1);
            auto t = terms_over(collective_kind::allreduce, list, 8 * machines + 1 + static_cast<int>(random() % 400), -1);
            if (i == 2) {
                t.some_in_place = true;
                t.in_place.assign(list.size(), true);
            }
            EXPECT_GE(prove_all(t), 4);
            if (HasFailure()) return;
        }
}

TEST(BetweenMachines, RanksInNoRegularWay) {
    std::mt19937 random{11};
    for (int i = 0; i < 60; ++i) {
        auto const machines = irregular(2 + static_cast<int>(random() % 9), random, i % 2 == 0);
        auto const ranks = machines.size();
        for (auto const kind : rooted_and_not) {
            auto t = terms_over(kind, machines, 1 + 2 * static_cast<int>(random() % 60), static_cast<int>(random() % ranks));
            if (t.kind != collective_kind::barrier && t.kind != collective_kind::broadcast && random() % 2 == 0) {
                t.some_in_place = true;
                t.in_place.assign(ranks, true);
                if (t.kind == collective_kind::reduce) {
                    t.in_place.assign(ranks, false);
                    t.in_place[static_cast<std::size_t>(t.root)] = true;
                }
            }
            prove_all(t);
            if (HasFailure()) return;
        }
    }
}

TEST(BetweenMachines, OrderIsKeptForOperatorsThatDoNotCommute) {
    std::mt19937 random{13};
    int proven = 0;
    for (int i = 0; i < 40; ++i) {
        auto const machines = irregular(2 + static_cast<int>(random() % 20), random, i % 4 != 0);
        for (auto const kind : {collective_kind::reduce, collective_kind::allreduce}) {
            auto t = terms_over(kind, machines, 35, static_cast<int>(random() % machines.size()));
            t.operators = {{.name = "after", .element_bytes = 8, .commutes = false}};
            t.parts[0].combiner = user_combiners;
            proven += prove_all(t);
            if (HasFailure()) return;
        }
    }
    EXPECT_GE(proven, 60);
}

// Whom each leader has heard of, directly or through others, when it goes on: what only a barrier owes, and verify() cannot see.
std::vector<std::set<int>> heard_of(algorithm const& a, collective_terms const& t) {
    struct step {
        bool sends;
        int peer;
    };
    std::vector<std::vector<step>> todo;
    std::vector<std::size_t> at(static_cast<std::size_t>(t.ranks()));
    for (int r = 0; r < t.ranks(); ++r) {
        plan const p = a.build(t, r);
        std::map<std::uint32_t, int> arrivals; // by counter
        for (auto const& d : p.descriptors)
            if (d.op == operation::receive) arrivals[d.signal] = d.peer;
        todo.emplace_back();
        for (auto const& d : p.descriptors) {
            if (d.op == operation::wait && arrivals.contains(d.trigger)) todo.back().push_back({false, arrivals[d.trigger]});
            if (d.op == operation::send) todo.back().push_back({true, d.peer});
        }
    }
    std::vector<std::set<int>> known(static_cast<std::size_t>(t.ranks()));
    std::map<std::pair<int, int>, std::deque<std::set<int>>> on_the_way;
    for (int r = 0; r < t.ranks(); ++r) known[static_cast<std::size_t>(r)] = {r};
    for (bool moved = true; std::exchange(moved, false);)
        for (int r = 0; r < t.ranks(); ++r) {
            auto const i = static_cast<std::size_t>(r);
            while (at[i] < todo[i].size()) {
                auto const [sends, peer] = todo[i][at[i]];
                auto& link = on_the_way[sends ? std::pair{r, peer} : std::pair{peer, r}];
                if (sends) {
                    link.push_back(known[i]);
                } else {
                    if (link.empty()) break;
                    known[i].insert(link.front().begin(), link.front().end());
                    link.pop_front();
                }
                ++at[i];
                moved = true;
            }
        }
    return known;
}

TEST(BetweenMachines, NobodyLeavesABarrierBeforeAllHaveCome) {
    for (int machines = 2; machines <= 67; ++machines) {
        auto const t = terms_over(collective_kind::barrier, one_rank_each(machines), 0, -1);
        for (auto const* a : all_algorithms()) {
            if (!a->can(t)) continue;
            for (auto const& known : heard_of(*a, t)) ASSERT_EQ(known.size(), t.ranks()) << a->name() << ", " << machines;
        }
    }
}

// The least rounds where little is combined, the fewest bytes where it is much.
TEST(BetweenMachines, TheModelTakesWhatTheAmountAsksFor) {
    auto const best = [](collective_kind kind, int machines, std::int64_t elements, std::vector<int> torus = {}) {
        auto t = terms_over(kind, one_rank_each(machines), elements, 0);
        t.torus = std::move(torus);
        return std::string{choose_algorithm(t).best->name()};
    };
    EXPECT_EQ(best(collective_kind::barrier, 64, 0), "dissemination");
    EXPECT_EQ(best(collective_kind::allreduce, 64, 1), "recursive-multiplying");
    EXPECT_EQ(best(collective_kind::allreduce, 32, 1), "recursive-doubling");
    EXPECT_EQ(best(collective_kind::allreduce, 64, 1 << 20), "recursive-halving");
    EXPECT_EQ(best(collective_kind::allreduce, 67, 1 << 20), "ring");
    EXPECT_EQ(best(collective_kind::broadcast, 64, 1), "k-nomial");
    EXPECT_EQ(best(collective_kind::allreduce, 67, 1 << 17), "circulant");
    EXPECT_EQ(best(collective_kind::broadcast, 64, 1 << 17, {8, 8}), "trinary"); // a torus, and they know
    EXPECT_EQ(best(collective_kind::broadcast, 64, 1 << 17), "circulant");
    EXPECT_EQ(best(collective_kind::broadcast, 67, 1 << 17), "circulant");
    EXPECT_EQ(best(collective_kind::reduce, 67, 1 << 17), "circulant");
    EXPECT_NE(best(collective_kind::broadcast, 2, 1 << 17), "two-trees"); // nothing to share
}

// What makes two trees worth it: no machine sends more than all once and a piece, and all machines but one send.
TEST(BetweenMachines, TwoTreesShareTheWork) {
    for (int machines = 3; machines <= 130; ++machines) {
        auto const t = terms_over(collective_kind::broadcast, one_rank_each(machines), 512, machines / 2);
        int idle = 0;
        for (int r = 0; r < machines; ++r) {
            std::int64_t sent = 0;
            auto const p = algorithms::two_trees.build(t, r);
            for (auto const& d : p.descriptors)
                if (d.op == operation::send) sent += static_cast<std::int64_t>(p.programs[d.program].bytes);
            EXPECT_LE(sent, t.bytes() + t.grain()) << machines << " machines, rank " << r;
            idle += sent == 0 ? 1 : 0;
        }
        EXPECT_LE(idle, 1) << machines << " machines";
    }
}

TEST(BetweenMachines, WhatRoundsIsNotCombinedInGroupsUnasked) {
    auto t = terms_over(collective_kind::allreduce, one_rank_each(64), 1, -1);
    auto const exact = choose_algorithm(t);
    EXPECT_TRUE(exact.best->regroups(t)) << exact.best->name();
    t.parts[0].combiner = combiner(reduction::sum, element::f64);
    auto const rounds = choose_algorithm(t);
    EXPECT_FALSE(rounds.best->regroups(t)) << rounds.best->name();
    EXPECT_EQ(choose_algorithm(t, "k-nomial").best->name(), "k-nomial");
}

} // namespace
} // namespace sode::internal::testing
