// SPDX-License-Identifier: Apache-2.0
// Plans as GOAL: what a reader of that text sends, receives and waits for is what the plans do. A small interpreter of GOAL, which
// knows nothing of plans, runs it to the end; the messages are counted against an evaluation of the same plans; and a byte that a
// rank sends on is never sent before it has come.
#include "collective/catalogue.hpp"
#include "evaluation/evaluate.hpp"
#include "plan/combiners.hpp"
#include "plan/dump.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <deque>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <tuple>

namespace sode::internal::testing {
namespace {

struct goal_operation {
    std::string kind; // calc, send, recv
    std::int64_t bytes = 0;
    int peer = -1;
    std::int64_t tag = 0;
    std::set<int> requires_over, requires_begun;
};
using goal_rank = std::map<int, goal_operation>; // by label
using goal = std::vector<goal_rank>;

int label_of(std::string const& word) {
    return std::stoi(word.substr(1));
}

goal parse(std::string const& text) {
    goal g;
    goal_rank* now = nullptr;
    std::istringstream in{text};
    for (std::string line; std::getline(in, line);) {
        std::istringstream words{line};
        std::string first, second;
        if (!(words >> first) || first[0] == '#') continue;
        words >> second;
        if (first == "num_ranks") {
            g.resize(std::stoul(second));
        } else if (first == "rank") {
            now = &g.at(std::stoul(second));
        } else if (first == "}") {
            now = nullptr;
        } else if (first.back() == ':') {
            auto& op = (*now)[label_of(first.substr(0, first.size() - 1))];
            op.kind = second;
            std::string amount, skip;
            words >> amount;
            op.bytes = std::stoll(amount);
            if (second != "calc") {
                EXPECT_EQ(amount.back(), 'b') << line;
                words >> skip >> op.peer >> skip >> op.tag;
                EXPECT_EQ(skip, "tag") << line;
            }
        } else {
            std::string third;
            words >> third;
            EXPECT_TRUE(second == "requires" || second == "irequires") << line;
            auto& op = (*now)[label_of(first)];
            (second == "requires" ? op.requires_over : op.requires_begun).insert(label_of(third));
        }
    }
    return g;
}

/// Runs it: an operation begins when what it requires is over or begun. A message is over when both ends have begun. \return how
/// many operations have not ended
std::size_t left_of(goal const& g) {
    struct state {
        bool begun = false, over = false;
    };
    std::vector<std::map<int, state>> all(g.size());
    std::map<std::tuple<int, int, std::int64_t>,
             std::pair<std::deque<std::pair<int, std::int64_t>>, std::deque<std::pair<int, std::int64_t>>>>
        waiting; // from, to, tag: labels and bytes of sends, of receives
    for (bool moved = true; moved;) {
        moved = false;
        for (std::size_t r = 0; r < g.size(); ++r)
            for (auto const& [label, op] : g[r]) {
                auto& s = all[r][label];
                if (s.begun) continue;
                auto const holds = [&](std::set<int> const& list, bool over) {
                    return std::all_of(list.begin(), list.end(), [&](int l) { return over ? all[r][l].over : all[r][l].begun; });
                };
                if (!holds(op.requires_over, true) || !holds(op.requires_begun, false)) continue;
                moved = s.begun = true;
                int const own = static_cast<int>(r);
                if (op.kind == "calc")
                    s.over = true;
                else if (op.kind == "send")
                    waiting[{own, op.peer, op.tag}].first.emplace_back(label, op.bytes);
                else
                    waiting[{op.peer, own, op.tag}].second.emplace_back(label, op.bytes);
            }
        for (auto& [key, ends] : waiting)
            while (!ends.first.empty() && !ends.second.empty()) {
                EXPECT_EQ(ends.first.front().second, ends.second.front().second) << "bytes at both ends";
                all[static_cast<std::size_t>(std::get<0>(key))][ends.first.front().first].over = true;
                all[static_cast<std::size_t>(std::get<1>(key))][ends.second.front().first].over = true;
                ends.first.pop_front();
                ends.second.pop_front();
                moved = true;
            }
    }
    std::size_t left = 0;
    for (std::size_t r = 0; r < g.size(); ++r)
        for (auto const& [label, op] : g[r]) left += all[r][label].over ? 0U : 1U;
    return left;
}

collective_terms terms_of(collective_kind kind, std::vector<int> const& machines, std::int64_t elements) {
    collective_terms t;
    t.machines = machine_map{machines};
    t.kind = kind;
    t.subcluster = 2;
    if (kind == collective_kind::broadcast || kind == collective_kind::reduce) t.root = 0;
    t.costs.network.overhead = 0.5; // many pieces
    if (kind == collective_kind::barrier) return t;
    t.parts = {{8 * elements, kind == collective_kind::broadcast ? 0 : combiner(reduction::sum, element::i64)}};
    return t;
}

std::vector<plan> plans_of(algorithm const& a, collective_terms const& t) {
    std::vector<plan> plans;
    for (int r = 0; r < t.ranks(); ++r) plans.push_back(a.build(t, r));
    return plans;
}

constexpr std::array kinds{collective_kind::barrier, collective_kind::broadcast, collective_kind::reduce,
                           collective_kind::allreduce};

TEST(Goal, RunsToTheEndAndMovesWhatThePlansMove) {
    int looked = 0;
    for (auto const& machines : {std::vector<int>{0, 1, 2, 3, 4}, {0, 0, 1, 1, 1, 2}, {0, 1, 2, 3, 4, 5, 6, 7}, {0, 1, 2}})
        for (auto const kind : kinds)
            for (auto const* a : all_algorithms()) {
                auto const t = terms_of(kind, machines, 70);
                if (!a->can(t)) continue;
                auto const plans = plans_of(*a, t);
                auto const g = parse(dump(plans, dump_format::goal));
                ASSERT_EQ(g.size(), machines.size());
                EXPECT_EQ(left_of(g), 0U) << a->name() << " " << t.title();
                std::uint64_t sends = 0, bytes = 0;
                for (auto const& rank : g)
                    for (auto const& [label, op] : rank)
                        if (op.kind == "send" && op.tag < 1 << 24) ++sends, bytes += static_cast<std::uint64_t>(op.bytes);
                step_table table;
                for (auto const& p : plans) table.add(p);
                table.close();
                auto const wires = make_topology("crossbar", std::array{t.machines.machines()});
                auto const e = evaluate(table, t.machines, *wires, {});
                EXPECT_EQ(sends, e.messages) << a->name() << " " << t.title();
                EXPECT_EQ(bytes, e.bytes) << a->name() << " " << t.title();
                ++looked;
            }
    EXPECT_GE(looked, 40);
}

// One machine: counters of other ranks are messages.
TEST(Goal, MemoryThatRanksShareBecomesMessages) {
    auto const t = terms_of(collective_kind::broadcast, {0, 0, 0}, 4);
    auto const g = parse(dump(plans_of(algorithms::staged, t), dump_format::goal));
    EXPECT_EQ(left_of(g), 0U);
    int told = 0;
    for (auto const& [label, op] : g[0]) told += op.kind == "send" ? 1 : 0;
    EXPECT_EQ(told, 2);
    for (int r : {1, 2}) EXPECT_THAT(g[static_cast<std::size_t>(r)].size(), ::testing::Ge(2U));
}

// Follows what each operation requires, as deep as it goes.
bool comes_after(goal_rank const& ops, int later, int earlier) {
    std::set<int> seen;
    std::deque<int> todo{later};
    while (!todo.empty()) {
        int const l = todo.front();
        todo.pop_front();
        if (!seen.insert(l).second) continue;
        auto const& op = ops.at(l);
        if (op.requires_over.contains(earlier)) return true;
        todo.insert(todo.end(), op.requires_over.begin(), op.requires_over.end());
        todo.insert(todo.end(), op.requires_begun.begin(), op.requires_begun.end());
    }
    return false;
}

TEST(Goal, WhatIsSentOnHasComeBefore) {
    auto const t = terms_of(collective_kind::broadcast, {0, 1, 2, 3, 4, 5, 6, 7}, 70);
    auto const plans = plans_of(algorithms::trinary, t);
    auto const g = parse(dump(plans, dump_format::goal));
    int pairs = 0;
    for (std::size_t r = 1; r < g.size(); ++r) {
        // Flow by flow in the order of the labels: piece k of a flow that is sent is piece k of the flow that came with as many.
        std::map<int, std::vector<int>> comes, goes; // by peer
        for (auto const& [label, op] : g[r])
            if (op.kind == "recv")
                comes[op.peer].push_back(label);
            else if (op.kind == "send")
                goes[op.peer].push_back(label);
        for (auto const& [to, sent] : goes) {
            int sources = 0;
            for (auto const& [from, came] : comes) {
                if (came.size() != sent.size()) continue;
                bool all = true;
                for (std::size_t k = 0; k < sent.size(); ++k) all = all && comes_after(g[r], sent[k], came[k]);
                sources += all ? 1 : 0;
            }
            EXPECT_GE(sources, 1) << "rank " << r << " to " << to;
            pairs += sources;
        }
    }
    EXPECT_GE(pairs, 7);
}

} // namespace
} // namespace sode::internal::testing
