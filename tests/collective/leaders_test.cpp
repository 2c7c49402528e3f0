// SPDX-License-Identifier: Apache-2.0
// Several leaders of each machine: what each rank sends, combines and gets is proven by verify() for machines with unequal numbers
// of ranks, also fewer than leaders, any root, odd counts, in place and not; and a plan that is changed in one place is found
// wrong.
#include "evaluated.hpp"
#include "harmless_changes.hpp"
#include "terms_over.hpp"

#include <sode/error.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>
#include <string_view>

namespace sode::internal::testing {
namespace {

constexpr std::array kinds{collective_kind::broadcast, collective_kind::reduce, collective_kind::allreduce, collective_kind::scan,
                           collective_kind::exscan};

// Machines of 1 to 5 ranks.
std::vector<int> unequal(int machines, std::mt19937& random) {
    std::vector<int> list;
    for (int m = 0; m < machines; ++m)
        for (auto n = 1 + random() % 5; n > 0; --n) list.push_back(m);
    return list;
}

int prove_with(collective_terms t, int leaders) {
    int proven = 0;
    for (auto const* a : all_algorithms()) {
        if (!a->can(t) || leader_shares{t}.most(*a) < leaders) continue;
        t.leaders = leaders;
        ++proven;
        prove_one(*a, t);
    }
    return proven;
}

TEST(Leaders, AnyNumberOfThemOnMachinesWithUnequalNumbersOfRanks) {
    std::mt19937 random{5};
    std::map<collective_kind, int> proven;
    for (int i = 0; i < 20; ++i) {
        auto const machines = unequal(2 + static_cast<int>(random() % 7), random);
        auto const root = static_cast<int>(random() % machines.size());
        for (auto const kind : kinds) {
            auto t = terms_over(kind, machines, 1 + 2 * static_cast<int>(random() % 60), root);
            if (kind != collective_kind::broadcast && i % 2 == 0) {
                t.some_in_place = true;
                t.in_place.assign(machines.size(), kind != collective_kind::reduce);
                t.in_place[static_cast<std::size_t>(root)] = true;
            }
            for (int leaders = 2; leaders <= 5; ++leaders) proven[kind] += prove_with(t, leaders);
            if (HasFailure()) return;
        }
    }
    for (auto const kind : kinds) EXPECT_GE(proven[kind], 20) << to_string(kind);
}

TEST(Leaders, AnyNumberOfMachines) {
    for (int machines = 2; machines <= 67; machines += machines < 9 ? 1 : machines / 2) {
        std::vector<int> list;
        for (int r = 0; r < 2 * machines; ++r) list.push_back(r % machines); // in turn
        for (auto const kind : {collective_kind::broadcast, collective_kind::reduce, collective_kind::allreduce})
            if (machines < 30 || kind != collective_kind::allreduce)
                prove_with(terms_over(kind, list, 2 * std::max(machines, 17) + 1, machines / 3), 2);
        if (HasFailure()) return;
    }
    for (int const machines : {127, 128, 129}) {
        std::vector<int> list;
        for (int r = 0; r < 2 * machines; ++r) list.push_back(r / 2);
        auto t = terms_over(collective_kind::broadcast, list, 17, machines);
        t.leaders = 2;
        prove_one(algorithms::k_nomial, t);
        if (HasFailure()) return;
    }
}

TEST(Leaders, AnyRoot) {
    std::vector<int> const machines{0, 0, 0, 1, 1, 2, 3, 3, 3, 3};
    for (int root = 0; root < 10; ++root)
        for (auto const kind : {collective_kind::broadcast, collective_kind::reduce})
            for (int leaders = 2; leaders <= 4; ++leaders) EXPECT_GE(prove_with(terms_over(kind, machines, 65, root), leaders), 2);
}

TEST(Leaders, OrderIsKeptForOperatorsThatDoNotCommute) {
    std::mt19937 random{3};
    for (int i = 0; i < 20; ++i) {
        auto const machines = unequal(2 + static_cast<int>(random() % 6), random);
        for (auto const kind : {collective_kind::reduce, collective_kind::allreduce, collective_kind::scan}) {
            auto t = terms_over(kind, machines, 35, static_cast<int>(random() % machines.size()));
            t.operators = {{.name = "after", .element_bytes = 8, .commutes = false}};
            t.parts[0].combiner = user_combiners;
            prove_with(t, 2);
            prove_with(t, 3);
            if (HasFailure()) return;
        }
    }
}

TEST(Leaders, EachSendsItsShare) {
    std::vector<int> const machines{0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2};
    auto t = terms_over(collective_kind::allreduce, machines, 1024, -1);
    std::map<int, std::int64_t> sent;
    for (t.leaders = 1; t.leaders <= 4; ++t.leaders)
        for (int r = 0; r < t.ranks(); ++r) {
            auto const p = build_by_leaders(algorithms::over_machines, t, r);
            std::int64_t bytes = 0, messages = 0;
            for (auto const& d : p.descriptors)
                if (d.op == operation::send) {
                    bytes += static_cast<std::int64_t>(p.programs[d.program].bytes);
                    ++messages;
                }
            EXPECT_EQ(messages, r % 4 < t.leaders ? 2 : 0) << "rank " << r << ", " << t.leaders << " leaders";
            sent[t.leaders] = std::max(sent[t.leaders], bytes);
        }
    EXPECT_EQ(sent[2], sent[1] / 2);
    EXPECT_EQ(sent[4], sent[1] / 4);
}

// Who speaks for another share is heard of there, too: that it is done with the epoch before need not be waited for.
std::vector<harmless> known(collective_kind kind) {
    auto all = harmless_changes();
    for (auto const how : {mutation_kind::drop, mutation_kind::threshold_down})
        all.push_back({how, "another share tells as much", [kind](spot const& s) {
                           if (s.here().op != operation::wait) return false;
                           auto const& c = s.sound.counters[s.here().trigger];
                           bool const by_root = s.sound.rank == 1 && c.host != s.sound.rank;
                           return kind == collective_kind::broadcast ? c.kind == counter_kind::sum || by_root
                                                                     : kind == collective_kind::reduce && c.host != s.sound.rank;
                       }});
    return all;
}

TEST(Leaders, WhatIsChangedIsFound) {
    for (auto const& machines : std::vector<std::vector<int>>{{0, 0, 0, 1, 1}, {0, 0, 1, 2, 2}})
        for (auto const kind : {collective_kind::broadcast, collective_kind::reduce, collective_kind::allreduce})
            for (auto const* a : {&algorithms::k_nomial, &algorithms::over_machines}) {
                auto t = terms_over(kind, machines, 32, 1);
                if (kind != collective_kind::broadcast) {
                    t.operators = {{.name = "after", .element_bytes = 8, .commutes = false}};
                    t.parts[0].combiner = user_combiners;
                }
                t.leaders = 2;
                std::vector<plan> plans;
                std::vector<std::vector<array_model>> models;
                for (int r = 0; r < t.ranks(); ++r) {
                    plans.push_back(build_by_leaders(*a, t, r));
                    models.push_back(collective_models(t, r));
                }
                auto const result = try_mutations(plans, models, known(kind), 8, {}, t.machines.list());
                for (auto const& s : result.survivors)
                    ADD_FAILURE() << t.title() << " by " << a->name() << ", " << t.ranks() << " ranks: not found: " << s;
            }
}

// Where the cores pay for bytes, as with TCP, and the network does not.
TEST(Leaders, TheModelTakesSeveralWhereCoresAreTheLimit) {
    std::vector<int> machines;
    for (int r = 0; r < 32; ++r) machines.push_back(r / 8);
    auto t = terms_over(collective_kind::allreduce, machines, 1 << 14, -1);
    t.costs.network.host_byte = 1;
    t.costs.network.byte = 0.01;
    auto const chosen = choose_algorithm(t);
    EXPECT_GT(chosen.leaders, 1) << chosen.best->name();
    auto const wires = make_topology("crossbar", std::array{4});
    auto costs = evaluation_costs::of(t.costs);
    costs.host_byte = 1;
    auto const one = evaluated(*chosen.best, t, *wires, costs).epoch;
    t.leaders = chosen.leaders;
    EXPECT_LT(evaluated(*chosen.best, t, *wires, costs).epoch, one);

    EXPECT_EQ(choose_algorithm(terms_over(collective_kind::broadcast, machines, 16, 0)).leaders, 1);
}

TEST(Leaders, AreNotChosenWhereTheyChangeRounding) {
    std::vector<int> machines;
    for (int r = 0; r < 32; ++r) machines.push_back(r / 8);
    auto t = terms_over(collective_kind::allreduce, machines, 1 << 14, -1);
    t.parts[0].combiner = combiner(reduction::sum, element::f64);
    t.costs.network.host_byte = 1;
    t.costs.network.byte = 0.01;
    EXPECT_EQ(choose_algorithm(t, "ring").leaders, 1);
    EXPECT_EQ(choose_algorithm(t, "ring:4").leaders, 4);
}

TEST(Leaders, MoreThanThereAreRanksAreRefused) {
    auto const t = terms_over(collective_kind::allreduce, {0, 0, 1}, 1 << 10, -1);
    auto const complaint = [&](std::string_view wish) -> std::string {
        try {
            return std::string{choose_algorithm(t, wish).best->name()} + " was chosen";
        } catch (error const& e) {
            EXPECT_EQ(e.kind(), error_kind::usage);
            return e.what();
        }
    };
    for (auto const* wish : {":3", "ring:3"})
        EXPECT_THAT(complaint(wish), ::testing::HasSubstr("as many leaders as a machine has ranks"));
    for (auto const* wish : {":0", ":-1", "ring:", "ring:two", "ring:2 "})
        EXPECT_THAT(complaint(wish), ::testing::HasSubstr("write ring:4, or ring"));
    EXPECT_EQ(choose_algorithm(t, ":2").leaders, 2);
}

} // namespace
} // namespace sode::internal::testing
