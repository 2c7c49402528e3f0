// SPDX-License-Identifier: Apache-2.0
// Circulant graphs: the n-block schedule brings every block once, in the fewest rounds, from who has it. Bine: everybody combines
// in the same order, and fewer bytes go between groups of machines. Plans of both are proven for many blocks, and changes are
// found.
#include "collective/algorithms/between_machines/bine_numbers.hpp"
#include "collective/algorithms/between_machines/circulant_graph.hpp"
#include "evaluated.hpp"
#include "harmless_changes.hpp"
#include "terms_over.hpp"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <string>

namespace sode::internal::testing {
namespace {

// Rounds of all numbers, one after the other.
void broadcast_by(circulant_graph const& g, int blocks) {
    std::vector<std::map<int, circulant_graph::step>> into(static_cast<std::size_t>(g.all()));
    for (int v = 1; v < g.all(); ++v)
        for (auto const& a : g.arrivals(v, blocks)) ASSERT_TRUE(into[static_cast<std::size_t>(v)].emplace(a.round, a).second);
    std::vector<std::vector<bool>> has(static_cast<std::size_t>(g.all()), std::vector<bool>(static_cast<std::size_t>(blocks)));
    has[0].assign(static_cast<std::size_t>(blocks), true);
    int const rounds = blocks - 1 + g.rounds();
    std::vector<int> sent(static_cast<std::size_t>(g.all()));
    for (int i = 0; i < rounds; ++i) {
        std::set<int> senders;
        std::vector<std::pair<int, int>> got;
        for (int v = 1; v < g.all(); ++v) {
            auto const a = into[static_cast<std::size_t>(v)].find(i);
            if (a == into[static_cast<std::size_t>(v)].end()) continue;
            auto const [round, from, block] = a->second;
            ASSERT_TRUE(has[static_cast<std::size_t>(from)][static_cast<std::size_t>(block)]) << "sent before it has come";
            ASSERT_TRUE(senders.insert(from).second) << "two messages of a round";
            got.emplace_back(v, block);
            ++sent[static_cast<std::size_t>(from)];
        }
        for (auto const& [v, block] : got) {
            auto const come = has[static_cast<std::size_t>(v)][static_cast<std::size_t>(block)];
            ASSERT_FALSE(come) << "twice";
            has[static_cast<std::size_t>(v)][static_cast<std::size_t>(block)] = true;
        }
    }
    for (auto const& all : has) ASSERT_EQ(std::ranges::count(all, false), 0) << "something is missing";
    for (int v = 0; v < g.all(); v += 1 + g.all() / 20) {
        auto const out = g.departures(v, blocks);
        ASSERT_EQ(static_cast<int>(out.size()), sent[static_cast<std::size_t>(v)]);
        for (auto const& d : out) {
            auto const& a = into[static_cast<std::size_t>(d.other)].at(d.round);
            ASSERT_TRUE(a.other == v && a.block == d.block);
        }
    }
}

TEST(CirculantGraph, EveryBlockComesOnceInTheFewestRounds) {
    for (int all = 2; all <= 1100; all += all < 140 ? 1 : 37) {
        circulant_graph const g{all};
        ASSERT_TRUE(1 << g.rounds() >= all && 1 << (g.rounds() - 1) < all);
        for (int const blocks : {1, 2, 3, 5, 8, 13, 64})
            if (all <= 140 || blocks == 5) broadcast_by(g, blocks);
        if (HasFatalFailure()) FAIL() << all << " numbers";
    }
}

TEST(CirculantGraph, IsWorkedOutByEachForItselfQuickly) {
    circulant_graph const g{100'003};
    EXPECT_EQ(g.rounds(), 17);
    for (int v = 1; v < g.all(); v += 911) {
        std::set<int> blocks;
        for (auto const& a : g.arrivals(v, 40)) blocks.insert(a.block);
        EXPECT_EQ(blocks.size(), 40U);
    }
}

// Where messages cost little, there are many; of many machines fewer, as each is proven against all others.
collective_terms in_many_blocks(collective_kind kind, std::vector<int> const& machines, int elements, int root) {
    auto t = terms_over(kind, machines, elements, root);
    t.costs.network.overhead = machines.size() < 20 ? 0.5 : 50;
    return t;
}

TEST(Circulant, IsProvenForManyBlocks) {
    std::mt19937 random{29};
    for (int machines = 2; machines <= 67; machines += machines < 10 ? 1 : machines / 2)
        for (auto const kind : {collective_kind::broadcast, collective_kind::reduce, collective_kind::allreduce})
            for (bool const one_each : {true, false}) {
                if (!one_each && machines > 14) continue;
                auto const list = one_each ? one_rank_each(machines) : irregular(machines, random, machines % 2 == 0);
                auto const elements = 8 * machines + 1 + 2 * static_cast<int>(random() % 200);
                auto t = in_many_blocks(kind, list, elements, static_cast<int>(random() % list.size()));
                if (kind != collective_kind::broadcast && random() % 2 == 0) {
                    t.some_in_place = true;
                    t.in_place.assign(list.size(), kind == collective_kind::allreduce);
                    if (kind == collective_kind::reduce) t.in_place[static_cast<std::size_t>(t.root)] = true;
                }
                ASSERT_TRUE(algorithms::circulant.can(t));
                prove_one(algorithms::circulant, t);
                if (HasFailure()) return;
            }
    for (int const machines : {127, 128, 129}) {
        prove_one(algorithms::circulant, in_many_blocks(collective_kind::broadcast, one_rank_each(machines), 65, machines / 2));
        prove_one(algorithms::circulant, in_many_blocks(collective_kind::reduce, one_rank_each(machines), 33, 1));
        if (HasFailure()) return;
    }
}

// No byte of an allreduce is sent more than twice, and nobody sends more blocks of a broadcast than there are rounds.
TEST(Circulant, NobodySendsMoreThanHeMust) {
    for (int const machines : {2, 3, 5, 8, 13, 21, 33, 67})
        for (auto const kind : {collective_kind::broadcast, collective_kind::allreduce}) {
            auto const t = in_many_blocks(kind, one_rank_each(machines), 64 * machines, 0);
            std::vector<std::int64_t> bytes;
            std::size_t most = 0;
            for (int r = 0; r < machines; ++r) {
                auto const p = algorithms::circulant.build(t, r);
                bytes.push_back(0);
                std::size_t messages = 0;
                for (auto const& d : p.descriptors)
                    if (d.op == operation::send) bytes.back() += static_cast<std::int64_t>(p.programs[d.program].bytes), ++messages;
                most = std::max(most, messages);
            }
            auto const rounds = static_cast<std::size_t>(circulant_graph{machines}.rounds());
            if (kind == collective_kind::allreduce) {
                EXPECT_EQ(*std::ranges::max_element(bytes), 2 * t.bytes() * (machines - 1) / machines) << machines;
                EXPECT_LE(most, 3 * rounds) << machines; // a message is cut in two where parts wrap around
            } else {
                auto const total = std::accumulate(bytes.begin(), bytes.end(), std::int64_t{0});
                EXPECT_EQ(total, t.bytes() * (machines - 1)) << machines;
                EXPECT_LE(most, 64 - 1 + rounds) << machines;
            }
        }
}

// Where the model takes it, it is ahead of what there was before, by the evaluator, too.
TEST(Circulant, IsAheadWhereItIsChosen) {
    auto const wires = make_topology("crossbar", std::array{67});
    for (auto const& [kind, elements] :
         {std::pair{collective_kind::broadcast, 1 << 17}, std::pair{collective_kind::reduce, 1 << 17},
          std::pair{collective_kind::allreduce, 1 << 13}, std::pair{collective_kind::allreduce, 1 << 17}}) {
        auto const t = terms_over(kind, one_rank_each(67), elements, 0);
        auto const costs = evaluation_costs::of(t.costs);
        EXPECT_EQ(choose_algorithm(t).best->name(), "circulant") << t.title();
        auto const by = evaluated(algorithms::circulant, t, *wires, costs).epoch;
        for (auto const* a : {&algorithms::two_trees, &algorithms::ring, &algorithms::recursive_halving, &algorithms::trinary})
            if (a->can(t)) {
                EXPECT_LT(by, evaluated(*a, t, *wires, costs).epoch) << t.title() << ", " << a->name();
            }
    }
}

TEST(Bine, AllCombineInTheSameOrder) {
    for (int machines = 2; machines <= 130; ++machines) {
        bine_numbers const of{machines};
        std::vector<std::string> sums(static_cast<std::size_t>(machines));
        for (int m = 0; m < machines; ++m)
            if (!of.is_leaf(m)) sums[static_cast<std::size_t>(m)] = std::to_string(m);
        for (int step = of.steps(); step-- > 0;) {
            auto next = sums;
            for (int m = 0; m < machines; ++m) {
                if (of.is_leaf(m)) continue;
                int const other = of.partner(m, step);
                ASSERT_EQ(of.partner(other, step), m);
                ASSERT_NE(of.lower_in(m, step), of.lower_in(other, step));
                auto const& mine = sums[static_cast<std::size_t>(m)];
                auto const& theirs = sums[static_cast<std::size_t>(other)];
                next[static_cast<std::size_t>(m)] = "(" + (of.lower_in(m, step) ? mine + theirs : theirs + mine) + ")";
            }
            sums = next;
        }
        for (int m = 1; m < machines; ++m) {
            ASSERT_EQ(sums[static_cast<std::size_t>(m)], of.is_leaf(m) ? "" : sums[0]) << machines << " machines";
        }
    }
}

// Bytes that leave a group of machines that follow each other.
std::int64_t between_groups(algorithm const& a, collective_terms const& t, int group) {
    std::int64_t sum = 0;
    for (int r = 0; r < t.ranks(); ++r) {
        auto const p = a.build(t, r);
        for (auto const& d : p.descriptors)
            if (d.op == operation::send && d.peer / group != r / group)
                sum += static_cast<std::int64_t>(p.programs[d.program].bytes);
    }
    return sum;
}

TEST(Bine, FewerBytesGoBetweenGroups) {
    for (int const group : {7, 9, 11, 13}) { // where groups are aligned to powers of two it is otherwise
        auto const few = terms_over(collective_kind::allreduce, one_rank_each(128), 128, -1);
        EXPECT_LT(between_groups(algorithms::bine, few, group), between_groups(algorithms::recursive_doubling, few, group))
            << group;
        auto const much = terms_over(collective_kind::allreduce, one_rank_each(128), 4096, -1);
        EXPECT_LT(between_groups(algorithms::bine_halving, much, group), between_groups(algorithms::recursive_halving, much, group))
            << group;
    }
}

// Values commute here, and a message may bring what several steps combine.
std::vector<harmless> known(bool parts) {
    using enum mutation_kind;
    auto all = harmless_changes();
    auto const waited_for_before = [](spot const& s) {
        for (std::size_t i = 0; i < s.at; ++i)
            if (auto const& d = s.sound.descriptors[i];
                d.trigger == s.here().trigger && d.threshold >= s.here().threshold && stream_of(s.sound, i) == s.stream())
                return s.here().op == operation::reduce;
        return false;
    };
    all.push_back({swap_operands, "they commute", [](spot const& s) { return s.here().op == operation::reduce; }});
    all.push_back({no_trigger, "a step before has waited for the same message", waited_for_before});
    all.push_back({threshold_down, "a step before has waited for the same message", waited_for_before});
    all.push_back({swap, "they commute, or are of other bytes",
                   [](spot const& s) { return s.here().op == operation::reduce && s.next().op == operation::reduce; }});
    all.push_back(
        {swap, "what is combined is of other bytes than what is sent", [parts](spot const& s) {
             return parts && s.here().op == operation::send && is_one_of(s.next().op, {operation::reduce, operation::copy});
         }});
    all.push_back({swap, "what is sent next is a machine's own part still",
                   [parts](spot const& s) { return parts && s.here().op == operation::wait && s.next().op == operation::send; }});
    return all;
}

TEST(CirculantAndBine, WhatIsChangedIsFound) {
    for (auto const& machines : std::vector<std::vector<int>>{{0, 0, 1, 2, 2}, {0, 1, 2, 3}})
        for (auto const kind : {collective_kind::broadcast, collective_kind::reduce, collective_kind::allreduce})
            for (auto const* a : {&algorithms::bine, &algorithms::bine_halving, &algorithms::circulant}) {
                auto t = in_many_blocks(kind, machines, 40, 1);
                if (kind != collective_kind::broadcast) {
                    t.operators = {{.name = "with", .element_bytes = 8, .commutes = true}};
                    t.parts[0].combiner = user_combiners;
                }
                if (!a->can(t)) continue;
                std::vector<plan> plans;
                std::vector<std::vector<array_model>> models;
                for (int r = 0; r < t.ranks(); ++r) {
                    plans.push_back(a->build(t, r));
                    models.push_back(collective_models(t, r));
                }
                bool const parts = a == &algorithms::circulant && kind == collective_kind::allreduce;
                auto const result = try_mutations(plans, models, known(parts), 8, {}, t.machines.list());
                EXPECT_GT(result.tried, 0U);
                for (auto const& s : result.survivors)
                    ADD_FAILURE() << t.title() << " by " << a->name() << ", " << t.ranks() << " ranks: not found: " << s;
            }
}

} // namespace
} // namespace sode::internal::testing
