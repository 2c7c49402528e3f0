// SPDX-License-Identifier: Apache-2.0
// Allgather and alltoall by Bruck's algorithm: what each rank sends, forwards and gets is proven by verify() for 2 to 67 and 127 to
// 129 machines, any radix, machines with unequal numbers of ranks, in place and out of gaps; and a plan that is changed in one
// place is found wrong.
#include "array/exchange/own_ends.hpp"
#include "array/exchange/regular_blocks.hpp"
#include "array/half_shared.hpp"
#include "array/transfer_mutations.hpp"
#include "collective/block_catalogue.hpp"
#include "collective/block_pairs.hpp"
#include "collective/bruck.hpp"
#include "collective/harmless_changes.hpp"
#include "evaluation/evaluate.hpp"

#include <sode/error.hpp>

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <utility>

namespace sode::internal::testing {
namespace {

// The ends of all ranks. With `gaps` a block is elements with holes between them; `in_place`: its own block stays.
struct exchange_of_blocks {
    exchange_spec spec;
    block_terms terms;
};
exchange_of_blocks blocks_over(block_kind kind, std::vector<int> const& machines, std::int64_t elements, bool gaps, bool in_place) {
    static std::vector<double> memory(1 << 20);
    exchange_of_blocks x;
    x.spec.name = "blocks";
    x.spec.machines = machine_map{machines};
    auto const ranks = static_cast<int>(machines.size());
    auto const step = gaps ? 2 : 1;
    auto const block = datatype::contiguous(8).repeated(elements, 8 * step);
    bool const alltoall = kind == block_kind::alltoall;
    auto* const given = memory.data();
    auto* const got = given + (ranks + 1) * elements * step;
    half_shared const where{nullptr};
    for (int r = 0; r < ranks; ++r) {
        std::vector<message_end> ends;
        for (int other = 0; other < ranks; ++other) {
            if (other == r && in_place) continue;
            auto* const mine = alltoall ? given + other * elements * step : in_place ? got + r * elements * step : given;
            ends.push_back(send_init(mine, block, other));
            ends.push_back(recv_init(got + other * elements * step, block, other));
        }
        x.spec.ends[r] = take_ends(ends, r, ranks, where).told;
    }
    x.terms = block_terms{x.spec};
    x.terms.kind = kind;
    x.terms.bytes = 8 * elements;
    for (auto const& [r, ends] : x.spec.ends) {
        auto const shape = block_shape_of(ends, r, ranks);
        EXPECT_TRUE(shape.has_value()) << "rank " << r;
        if (!shape) continue;
        // With one other rank, all is given to all.
        EXPECT_TRUE(shape->kind == kind || ranks == 2);
        EXPECT_EQ(shape->bytes, x.terms.bytes);
        x.terms.blocks[r] = blocks_of(ends, kind, ranks);
    }
    return x;
}

struct all_plans {
    std::vector<plan> plans;
    std::vector<std::vector<array_model>> models;
};
all_plans plans_of(exchange_of_blocks const& x) {
    all_plans all;
    for (int r = 0; r < x.terms.ranks(); ++r) {
        all.plans.push_back(plan_bruck(x.terms, r));
        all.models.push_back(exchange_models(x.spec, r));
    }
    return all;
}
void prove(exchange_of_blocks const& x) {
    auto const all = plans_of(x);
    auto const machines = x.terms.machines.list();
    std::string where;
    for (int const m : machines) where += " " + std::to_string(m);
    for (auto const& f : verify(all.plans, all.models, {.epochs = 3, .most_findings = 2, .machines = machines}))
        ADD_FAILURE() << to_string(x.terms.kind) << ", radix " << x.terms.radix << ", leaders " << x.terms.leaders << ", machines"
                      << where << ": " << f.message;
    std::int64_t delivered = 0;
    for (auto const& p : all.plans)
        for (auto const& d : p.deliveries) delivered += d.target.bytes();
    std::int64_t expected = 0;
    for (auto const& [r, ends] : x.spec.ends)
        for (auto const& e : ends.ends) expected += e.sends ? 0 : e.where.bytes();
    EXPECT_EQ(delivered, expected);
}

std::vector<int> one_rank_each(int machines) {
    std::vector<int> list;
    for (int m = 0; m < machines; ++m) list.push_back(m);
    return list;
}

TEST(Bruck, AnyNumberOfMachinesAndAnyRadix) {
    for (int machines = 2; machines <= 67; machines += machines < 14 ? 1 : machines / 2)
        for (auto const kind : {block_kind::allgather, block_kind::alltoall}) {
            auto x = blocks_over(kind, one_rank_each(machines), 1 + machines % 3, machines % 2 == 0, machines % 4 == 1);
            for (int const radix : {2, 3, 5, machines}) {
                x.terms.radix = radix;
                if (radix <= machines && (machines < 40 || radix == 3)) prove(x);
                if (HasFailure()) return;
            }
        }
    prove(blocks_over(block_kind::alltoall, one_rank_each(67), 1, false, false));
    for (int const machines : {127, 128, 129}) {
        auto x = blocks_over(block_kind::allgather, one_rank_each(machines), 1, false, false);
        x.terms.radix = 1 + machines % 4 + 1;
        prove(x);
        if (HasFailure()) return;
    }
}

TEST(Bruck, MachinesWithUnequalNumbersOfRanksAndSeveralLeaders) {
    std::mt19937 random{23};
    for (int i = 0; i < 16; ++i) {
        std::vector<int> machines;
        int const count = 2 + static_cast<int>(random() % 7), fewest = 1 + static_cast<int>(random() % 3);
        for (int m = 0; m < count; ++m)
            for (auto n = fewest + static_cast<int>(random() % 3); n > 0; --n) machines.push_back(m);
        if (i % 3 == 0) { // in no order
            std::shuffle(machines.begin(), machines.end(), random);
            std::map<int, int> names;
            for (int& m : machines) m = names.try_emplace(m, static_cast<int>(names.size())).first->second;
        }
        for (auto const kind : {block_kind::allgather, block_kind::alltoall}) {
            auto x = blocks_over(kind, machines, 1 + static_cast<int>(random() % 5), i % 2 == 0, i % 4 == 1);
            EXPECT_GE(fewest_ranks(x.terms.machines), fewest);
            for (x.terms.leaders = 1; x.terms.leaders <= fewest; ++x.terms.leaders) {
                x.terms.radix = 2 + static_cast<int>(random() % 4);
                prove(x);
                if (HasFailure()) return;
            }
        }
    }
}

TEST(Bruck, WhatIsChangedIsFound) {
    for (auto const kind : {block_kind::allgather, block_kind::alltoall})
        for (int const leaders : {1, 2})
            for (auto const& machines : std::vector<std::vector<int>>{{0, 0, 1, 1, 2, 2, 3, 3}, {0, 1, 2, 3}}) {
                auto x = blocks_over(kind, machines, 2, false, false);
                x.terms.leaders = leaders;
                if (leaders > fewest_ranks(x.terms.machines)) continue;
                auto const all = plans_of(x);
                auto known = harmless_changes();
                for (auto const& h : harmless_to_transfers()) known.push_back(h);
                known.push_back({mutation_kind::swap, "others may know before what this rank has sent is gone",
                                 [](spot const& s) { return s.here().op == operation::signal && only_waits(s.next()); }});
                auto const result = try_mutations(all.plans, all.models, known, 8, {0}, machines);
                EXPECT_GT(result.tried, 0U);
                for (auto const& s : result.survivors)
                    ADD_FAILURE() << to_string(kind) << ", " << leaders << " leaders, " << machines.size()
                                  << " ranks: not found: " << s;
            }
}

std::pair<int, std::int64_t> messages_and_bytes(exchange_of_blocks const& x) {
    std::pair<int, std::int64_t> sum;
    for (auto const& p : plans_of(x).plans)
        for (auto const& d : p.descriptors)
            if (d.op == operation::send) {
                ++sum.first;
                sum.second += static_cast<std::int64_t>(p.programs[d.program].bytes);
            }
    return sum;
}

TEST(Bruck, RoundsAreDigitsAndLargeBlocksAreNotForwarded) {
    std::vector<int> machines;
    for (int r = 0; r < 24; ++r) machines.push_back(r / 3);
    constexpr std::int64_t of_machine = 8 * 9; // bytes for another machine
    auto x = blocks_over(block_kind::alltoall, machines, 1, false, false);
    x.terms.radix = 2;
    EXPECT_EQ(messages_and_bytes(x), std::pair(8 * 3, 8 * 3 * 4 * of_machine));
    x.terms.radix = 8;
    EXPECT_EQ(messages_and_bytes(x), std::pair(8 * 7, 8 * 7 * of_machine));
    auto y = blocks_over(block_kind::allgather, machines, 1, false, false);
    y.terms.radix = 2;
    EXPECT_EQ(messages_and_bytes(y), std::pair(8 * 3, std::int64_t{8 * 7 * 24}));
}

// The model against the evaluator, on machines of four ranks.
TEST(Bruck, TheModelTakesFewRoundsForSmallBlocksAndOneForLargeOnes) {
    std::vector<int> machines;
    for (int r = 0; r < 64; ++r) machines.push_back(r / 4);
    auto const wires = make_topology("crossbar", std::array{16});
    auto const time = [&](exchange_of_blocks const& x) {
        step_table plans;
        for (int r = 0; r < x.terms.ranks(); ++r) plans.add(plan_bruck(x.terms, r));
        plans.close();
        auto const e = evaluate(plans, x.terms.machines, *wires, evaluation_costs::of(x.terms.costs));
        EXPECT_TRUE(e.finished);
        return e.epoch;
    };
    auto small = blocks_over(block_kind::alltoall, machines, 1, false, false);
    choose_bruck(small.terms);
    EXPECT_LE(small.terms.radix, 8);
    EXPECT_LT(cost_of_bruck(small.terms).total(), cost_of_pairs(small.terms).total());
    auto const chosen = time(small);
    small.terms.radix = 16;
    small.terms.leaders = 1;
    EXPECT_LT(chosen, time(small));
    auto large = blocks_over(block_kind::alltoall, machines, 100, false, false);
    large.terms.bytes = 100 << 10;
    choose_bruck(large.terms);
    EXPECT_EQ(large.terms.radix, 16);
}

// What Bruck's algorithm is held against by `sode plan`: the messages of all pairs, and one for each pair of machines.
TEST(Bruck, PairsAreProvenToo) {
    for (auto const& machines : std::vector<std::vector<int>>{{0, 1, 2}, {0, 0, 1, 1, 2}, {0, 0, 0}})
        for (auto const kind : {block_kind::allgather, block_kind::alltoall})
            for (bool const together : {false, true}) {
                auto x = blocks_over(kind, machines, 3, false, false);
                x.terms.forced = together ? &ways::mpi_machine : nullptr;
                block_pairs const pairs{x.terms, together};
                std::vector<plan> plans;
                std::vector<std::vector<array_model>> models;
                for (int r = 0; r < x.terms.ranks(); ++r) {
                    auto const ranks = x.terms.ranks();
                    auto const in = kind == block_kind::alltoall ? x.terms.bytes * ranks : x.terms.bytes;
                    plans.push_back(plan_pairs(pairs, r));
                    models.push_back({{.ordinal = 0, .bytes = in, .owned = contiguous(0, in), .readable = {}},
                                      {.ordinal = 1,
                                       .bytes = x.terms.bytes * ranks,
                                       .owned = {},
                                       .readable = contiguous(0, x.terms.bytes * ranks)}});
                    auto const places = blocks_in_order(x.terms, r);
                    EXPECT_EQ(places.array_bytes, (std::vector<std::int64_t>{in, x.terms.bytes * ranks}));
                    EXPECT_EQ(places.given.size(), kind == block_kind::alltoall ? machines.size() : 1);
                }
                for (auto const& f : verify(plans, models, {.epochs = 3, .most_findings = 2, .machines = machines}))
                    ADD_FAILURE() << to_string(kind) << (together ? ", together: " : ": ") << f.message;
            }
}

TEST(Bruck, WhatIsAskedForIsKeptAndTheRestChosen) {
    std::vector<int> machines;
    for (int r = 0; r < 32; ++r) machines.push_back(r / 4);
    auto x = blocks_over(block_kind::alltoall, machines, 1, false, false);
    EXPECT_TRUE(choose_blocks(x.terms, {}).bruck);
    EXPECT_TRUE(choose_blocks(x.terms, bruck_wish{.radix = 3, .leaders = 4}).bruck);
    EXPECT_EQ(name_of_bruck(x.terms), "bruck:3 by 4 leaders");
    EXPECT_TRUE(choose_blocks(x.terms, bruck_wish{.radix = 5, .leaders = 0}).bruck);
    EXPECT_EQ(x.terms.radix, 5);
    EXPECT_THROW(static_cast<void>(choose_blocks(x.terms, bruck_wish{.radix = 0, .leaders = 5})), error);
    // A message of each pair, where they cost nothing.
    x.terms.costs.network = {.overhead = 0, .latency = 1500, .byte = 0, .host_byte = 0, .eager_bytes = 65536};
    auto const chosen = choose_blocks(x.terms, {});
    EXPECT_FALSE(chosen.bruck);
    EXPECT_LT(chosen.expected.total(), chosen.instead.total());
}

TEST(Bruck, OtherPatternsAreNotTakenForIt) {
    std::vector<int> const machines{0, 0, 1};
    auto const sound = blocks_over(block_kind::alltoall, machines, 2, false, false).spec.ends.at(0);
    ASSERT_TRUE(block_shape_of(sound, 0, 3));
    auto const with = [&](auto change) {
        auto ends = sound;
        change(ends.ends);
        return block_shape_of(ends, 0, 3).has_value();
    };
    EXPECT_FALSE(with([](auto& e) { e.pop_back(); }));
    EXPECT_FALSE(with([](auto& e) { e.push_back(e.back()); }));
    EXPECT_FALSE(with([](auto& e) { e.back().tag = 1; }));
    EXPECT_FALSE(with([](auto& e) { e.back().where = contiguous(0, 8); }));
    EXPECT_FALSE(with([](auto& e) { e.clear(); }));
}

TEST(Bruck, IsAskedForByName) {
    EXPECT_FALSE(bruck_wish_of("pull"));
    EXPECT_FALSE(bruck_wish_of(""));
    EXPECT_EQ(bruck_wish_of("bruck")->radix, 0);
    EXPECT_EQ(bruck_wish_of("bruck:4")->radix, 4);
    EXPECT_EQ(bruck_wish_of("bruck:4:2")->leaders, 2);
    for (auto const* wrong : {"bruck:", "bruck:1", "bruck:x", "bruck:4:0"})
        EXPECT_THROW(static_cast<void>(bruck_wish_of(wrong)), error);
}

} // namespace
} // namespace sode::internal::testing
