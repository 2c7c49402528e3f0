// SPDX-License-Identifier: Apache-2.0
// Trinary×3: the trees of a torus of any shape share no link, reach every machine, and give nobody more to send than everything
// once; the plans made of them are proven for many shapes, roots, lengths and ranks of a machine; changes of them are found; and
// one rank's plan of 4,096 is small and quickly made.
#include "base/clock.hpp"
#include "collective/algorithms/between_machines/torus_trees.hpp"
#include "collective/catalogue.hpp"
#include "evaluation/evaluate.hpp"
#include "plan/combiners.hpp"
#include "support/mutations.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <random>
#include <set>

namespace sode::internal::testing {
namespace {

using shape = std::vector<int>;

int machines_of(shape const& s) {
    return std::accumulate(s.begin(), s.end(), 1, std::multiplies<>{});
}

// Every shape of up to four dimensions of 1 to 5, and some longer ones.
std::vector<shape> shapes() {
    std::vector<shape> list;
    for (int a = 1; a <= 5; ++a) {
        list.push_back({a});
        for (int b = 1; b <= 5; ++b) {
            list.push_back({a, b});
            for (int c = 1; c <= 5; ++c) {
                list.push_back({a, b, c});
                if (a <= 3 && b <= 3) list.push_back({a, b, c, 1 + (a + c) % 3});
            }
        }
    }
    list.insert(list.end(), {{67}, {1, 127, 1}, {2, 64}, {9, 7, 11}, {16, 3, 5}, {2, 2, 2, 2, 2, 2, 2}, {8, 8, 8}});
    return list;
}

void look_at_trees(shape const& s, int root) {
    auto const machines = machines_of(s);
    torus_trees const trees{s, root};
    auto const dimensions = std::count_if(s.begin(), s.end(), [](int n) { return n > 1; });
    ASSERT_EQ(trees.trees(), dimensions);
    auto const wires = make_topology("torus", s);
    std::set<std::uint32_t> used, used_up;
    std::vector<std::uint32_t> path;
    std::vector<int> sends(static_cast<std::size_t>(machines));
    int deepest = 0;
    for (int t = 0; t < trees.trees(); ++t) {
        std::vector<int> depth(static_cast<std::size_t>(machines), -1), next{root};
        depth[static_cast<std::size_t>(root)] = 0;
        for (std::size_t i = 0; i < next.size(); ++i) {
            auto const children = trees.children(t, next[i]);
            EXPECT_LE(children.size(), static_cast<std::size_t>(dimensions));
            sends[static_cast<std::size_t>(next[i])] += static_cast<int>(children.size());
            for (int const child : children) {
                EXPECT_EQ(trees.parent(t, child), next[i]);
                auto& d = depth[static_cast<std::size_t>(child)];
                ASSERT_EQ(d, -1) << "reached twice";
                d = depth[static_cast<std::size_t>(next[i])] + 1;
                deepest = std::max(deepest, d);
                next.push_back(child);
                path.clear();
                wires->route(next[i], child, path);
                ASSERT_EQ(path.size(), 1U) << "neighbours";
                EXPECT_TRUE(used.insert(path[0]).second) << "a link of two trees";
                path.clear();
                wires->route(child, next[i], path);
                EXPECT_TRUE(used_up.insert(path[0]).second) << "a link of two trees, up";
            }
        }
        EXPECT_EQ(static_cast<int>(next.size()), machines) << "machines that a tree reaches";
    }
    for (int const n : sends) EXPECT_LE(n, dimensions);
    EXPECT_LE(deepest, trees.depth());
    if (machines > 1) {
        EXPECT_GE(deepest, trees.depth() - 1);
    }
    // Up and down at once, where the two ways of a dimension are two links.
    bool const two_ways = std::ranges::all_of(s, [](int n) { return n != 2; });
    for (auto const link : used_up) EXPECT_FALSE(two_ways && used.contains(link));
}

TEST(TorusTrees, ShareNoLinkAndReachEverybody) {
    std::mt19937 random{3};
    int looked = 0;
    for (auto const& s : shapes())
        for (int const root : {0, machines_of(s) - 1, static_cast<int>(random() % static_cast<unsigned>(machines_of(s)))}) {
            look_at_trees(s, root);
            ++looked;
            if (::testing::Test::HasFailure()) FAIL() << fmt::format("torus {}, root {}", fmt::join(s, " x "), root);
        }
    fmt::print("{} tori and roots\n", looked);
}

TEST(TorusTrees, NearestToACube) {
    EXPECT_EQ(nearest_to_cube(36), (shape{3, 3, 4}));
    EXPECT_EQ(nearest_to_cube(4096), (shape{16, 16, 16}));
    EXPECT_EQ(nearest_to_cube(67), (shape{1, 1, 67}));
    EXPECT_EQ(nearest_to_cube(2), (shape{1, 1, 2}));
}

// So many ranks of each machine.
collective_terms terms_on(shape const& s, std::vector<int> const& machines, collective_kind kind, std::int64_t elements, int root) {
    collective_terms t;
    t.machines = machine_map{machines};
    t.torus = s;
    t.kind = kind;
    if (kind != collective_kind::allreduce) t.root = root;
    t.parts = {{8 * elements, kind == collective_kind::broadcast ? 0 : combiner(reduction::sum, element::i64)}};
    t.costs.network.overhead = 0.5; // many pieces
    return t;
}

std::vector<int> ranks_on(int machines, std::mt19937& random, bool one_each) {
    std::vector<int> list;
    for (int m = 0; m < machines; ++m)
        for (auto n = one_each ? 1 : 1 + random() % 3; n > 0; --n) list.push_back(m);
    return list;
}

struct made {
    std::vector<plan> plans;
    std::vector<std::vector<array_model>> models;
};
made all_of(collective_terms const& t) {
    made m;
    for (int r = 0; r < t.ranks(); ++r) {
        m.plans.push_back(algorithms::trinary.build(t, r));
        m.models.push_back(collective_models(t, r));
    }
    return m;
}

TEST(Trinary, IsProvenOnToriOfManyShapes) {
    std::mt19937 random{5};
    int proven = 0;
    for (auto const& s : shapes()) {
        auto const machines = machines_of(s);
        if (machines < 2 || machines > 40) continue;
        for (auto const kind : {collective_kind::broadcast, collective_kind::reduce, collective_kind::allreduce}) {
            auto const list = ranks_on(machines, random, random() % 2 == 0);
            auto t = terms_on(s, list, kind, 25 + 2 * static_cast<int>(random() % 40), static_cast<int>(random() % list.size()));
            if (kind != collective_kind::broadcast && random() % 2 == 0) {
                t.some_in_place = true;
                t.in_place.assign(list.size(), kind == collective_kind::allreduce);
                if (kind == collective_kind::reduce) t.in_place[static_cast<std::size_t>(t.root)] = true;
            }
            if (!algorithms::trinary.can(t)) continue;
            ++proven;
            auto const m = all_of(t);
            for (auto const& f : verify(m.plans, m.models, {.epochs = 3, .most_findings = 2, .machines = t.machines.list()}))
                ADD_FAILURE() << f.message;
            if (HasFailure()) FAIL() << fmt::format("{} on {}, machines {}", t.title(), fmt::join(s, " x "), fmt::join(list, " "));
        }
    }
    fmt::print("{} collectives proven\n", proven);
    EXPECT_GE(proven, 300);
}

bool only_waits(descriptor const& d) {
    return d.op == operation::wait;
}

// Waits until a message of its own is over.
bool of_own_message(spot const& s) {
    auto const& p = s.sound;
    auto const& k = p.counters[s.here().trigger];
    return only_waits(s.here()) && k.host == p.rank && k.writer == p.rank && k.index >= 3;
}

std::vector<harmless> harmless_changes() {
    using enum mutation_kind;
    using enum operation;
    return {
        {repeat, "what has been waited for need not be waited for again", [](spot const& s) { return only_waits(s.here()); }},
        {swap, "what is waited for together may be waited for in any order",
         [](spot const& s) { return only_waits(s.here()) && only_waits(s.next()); }},
        {drop, "a message that is sent has been received, where channels hold nothing",
         [](spot const& s) { return of_own_message(s); }},
        {threshold_down, "likewise", [](spot const& s) { return of_own_message(s); }},
        {threshold_up, "who gets nothing may wait for this epoch's end as well as for that of the one before",
         [](spot const& s) { return only_waits(s.here()) && s.here().threshold < 0 && s.here().strides == 0; }},
        {swap, "what comes before a loop may as well come first in it",
         [](spot const& s) { return only_waits(s.here()) && s.next().op == loop; }},
        {swap, "others may know before this rank brings itself what it has",
         [](spot const& s) { return s.here().op == signal && s.next().op == copy; }},
        {swap, "what a rank brings itself may come after the ends of its messages",
         [](spot const& s) { return s.here().op == copy && only_waits(s.next()); }},
        {swap, "the ends of its messages are awaited before or after others know",
         [](spot const& s) { return s.here().op == signal && only_waits(s.next()); }},
        {swap_operands, "they commute", [](spot const& s) { return s.here().op == reduce; }},
        {threshold_up, "what is not waited for comes no later", [](spot const& s) { return s.here().trigger == 0; }},
        {wrong_peer, "who is waited for is said for reports only", [](spot const& s) { return moves_data(s.here().op); }},
    };
}

TEST(Trinary, WhatIsChangedIsFound) {
    int tried = 0;
    for (auto const& s : {shape{2, 2}, shape{3}, shape{3, 2}})
        for (auto const kind : {collective_kind::broadcast, collective_kind::reduce, collective_kind::allreduce}) {
            std::vector<int> list(static_cast<std::size_t>(machines_of(s)));
            std::iota(list.begin(), list.end(), 0);
            list.insert(list.begin() + 1, 0); // two on the first machine
            auto const t = terms_on(s, list, kind, 59, 2);
            auto const m = all_of(t);
            auto const result = try_mutations(m.plans, m.models, harmless_changes(), 8, {}, t.machines.list());
            for (auto const& survivor : result.survivors)
                ADD_FAILURE() << fmt::format("{} on {}: not found: {}", t.title(), fmt::join(s, " x "), survivor);
            ++tried;
        }
    EXPECT_EQ(tried, 9);
}

// The bar is 1 ms; how long it takes here is printed, how much there is to make is checked.
TEST(Trinary, APlanOf4096RanksIsSmall) {
    std::vector<int> list(4096);
    std::iota(list.begin(), list.end(), 0);
    auto t = terms_on({16, 16, 16}, list, collective_kind::broadcast, 1 << 20, 1234);
    t.costs = {};
    t.proofs = false;
    std::size_t most = 0;
    auto const since = now_ns();
    for (int r = 0; r < t.ranks(); ++r) most = std::max(most, algorithms::trinary.build(t, r).descriptors.size());
    fmt::print("{:.4f} ms a rank, {} descriptors at most\n", static_cast<double>(now_ns() - since) * 1e-6 / t.ranks(), most);
    EXPECT_LE(most, 100U);
}

// Three ends of a flow for each link, three links in and three out: what P3's three network interfaces carry at once.
TEST(Trinary, FlowsGoByStreamsOfTheirOwn) {
    std::vector<int> list(64);
    std::iota(list.begin(), list.end(), 0);
    auto const t = terms_on({4, 4, 4}, list, collective_kind::broadcast, 4096, 0);
    for (int r = 0; r < 64; ++r) {
        auto const p = algorithms::trinary.build(t, r);
        auto const where = streams_of(p);
        std::set<std::uint32_t> sends, receives;
        std::set<int> from;
        for (std::size_t i = 0; i < p.descriptors.size(); ++i) {
            if (p.descriptors[i].op == operation::send) sends.insert(where[i]);
            if (p.descriptors[i].op == operation::receive) receives.insert(where[i]), from.insert(p.descriptors[i].peer);
        }
        EXPECT_EQ(receives.size(), r == 0 ? 0U : 3U);
        EXPECT_EQ(from.size(), receives.size()) << "each tree comes from another side";
        EXPECT_LE(sends.size(), 3U);
        // Each tree by an interface of its own.
        std::set<int> interfaces;
        for (auto const i : receives) interfaces.insert(p.streams[i].nic);
        for (auto const i : sends) EXPECT_LT(p.streams[i].nic, 3);
        EXPECT_EQ(interfaces.size(), receives.size());
    }
}

// Proven as it is at most that many ranks; nothing about it depends on the number.
TEST(Trinary, FourThousandRanksAreEvaluated) {
    std::vector<int> list(4096);
    std::iota(list.begin(), list.end(), 0);
    auto t = terms_on({16, 16, 16}, list, collective_kind::broadcast, 1 << 13, 77);
    t.costs = {};
    t.proofs = false;
    step_table plans;
    for (int r = 0; r < t.ranks(); ++r) plans.add(algorithms::trinary.build(t, r));
    plans.close();
    auto const wires = make_topology("torus", t.torus);
    evaluation_costs const costs{.overhead = 100, .latency = 500, .hop = 100, .byte = 0.08, .eager = 1 << 20};
    auto const e = evaluate(plans, t.machines, *wires, costs);
    EXPECT_TRUE(e.finished);
    EXPECT_EQ(e.bytes, 4095ULL << 16U);
    // Of each link's: a third.
    EXPECT_NEAR(e.busiest_link, costs.byte * static_cast<double>(1 << 16) / 3, costs.byte * 64);
}

} // namespace
} // namespace sode::internal::testing
