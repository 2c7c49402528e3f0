// SPDX-License-Identifier: Apache-2.0
// The plans of random messages, all ranks of a job at once, held against verify(); whether verify() would notice a mistake in them;
// and what ranks tell each other.
#include "array/exchange/matched_ends.hpp"
#include "array/exchange/own_ends.hpp"
#include "array/exchange/told_ends.hpp"
#include "array/half_shared.hpp"
#include "array/random_messages.hpp"
#include "array/transfer_mutations.hpp"
#include "pattern/plan_edges.hpp"
#include "plan/dump.hpp"
#include "support/cases.hpp"
#include "support/mutations.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <utility>

namespace sode::internal::testing {
namespace {

exchange_spec random_spec(generator& g, int ranks) {
    exchange_spec spec;
    spec.name = "exchange";
    spec.machines = ranks;
    auto const messages = random_messages(g, ranks);
    std::vector<std::vector<message_end>> ends(static_cast<std::size_t>(ranks));
    static std::vector<std::byte> memory(2 * slots * slot_bytes);
    auto const place = [&](int which) { return memory.data() + which * slots * slot_bytes; };
    for (auto const& m : messages) {
        auto const out = datatype_of(g, m.out), in = datatype_of(g, m.in);
        ends[static_cast<std::size_t>(m.source)].push_back(send_init(place(m.out.memory), out, m.target, m.tag));
        ends[static_cast<std::size_t>(m.target)].push_back(recv_init(place(m.in.memory), in, m.source, m.tag));
    }
    half_shared const where{place(0)};
    for (int r = 0; r < ranks; ++r) {
        auto told = take_ends(ends[static_cast<std::size_t>(r)], r, ranks, where).told;
        for (auto& region : told.regions) region.shared = chance(g, 50);
        spec.ends[r] = std::move(told);
    }
    return spec;
}

struct all_ranks {
    std::vector<plan> plans;
    std::vector<std::vector<array_model>> models;
};
all_ranks build(exchange_spec const& spec) {
    matched_ends const messages{spec};
    all_ranks a;
    for (int r = 0; r < spec.ranks(); ++r) a.plans.push_back(plan_edges(messages, r)), a.models.push_back(exchange_models(spec, r));
    return a;
}

TEST(exchange_plan, random_messages_are_delivered) {
    int const cases = random_cases(150);
    for (int ranks : {1, 2, 3, 4, 7})
        for (int c = 0; c < cases && !HasFailure(); ++c) {
            generator g{static_cast<std::uint64_t>(ranks * 100003 + c)};
            auto spec = random_spec(g, ranks);
            way const* const forced[] = {nullptr,           &ways::pull,      &ways::stage,
                                         &ways::stage_wide, &ways::reference, &ways::mpi_machine};
            spec.forced = forced[c % 6];
            if (chance(g, 40)) {
                std::vector<int> machine_of;
                for (int r = 0; r < ranks; ++r) machine_of.push_back(static_cast<int>(pick(g, 0, 2)));
                spec.machines = machine_of;
            }
            auto const a = build(spec);
            for (auto const& f : verify(a.plans, a.models, {.machines = spec.machines.list()}))
                ADD_FAILURE() << ranks << " ranks, case " << c << ": " << f.message;
            index_t sent = 0, delivered = 0;
            for (auto const& [r, mine] : spec.ends)
                for (auto const& e : mine.ends) sent += e.sends ? e.where.bytes() : 0;
            for (auto const& p : a.plans)
                for (auto const& d : p.deliveries) delivered += d.target.bytes();
            ASSERT_EQ(sent, delivered) << ranks << " ranks, case " << c;
        }
}

TEST(exchange_plan, ranks_are_told_what_was_said) {
    for (int c = 0; c < 200; ++c) {
        generator g{static_cast<std::uint64_t>(c)};
        for (auto const& [r, mine] : random_spec(g, 3).ends) ASSERT_TRUE(from_words(to_words(mine)) == mine) << "case " << c;
    }
}

// Sums over all ranks: all that tells ranks that their lists do not fit together, before anybody knows another's.
TEST(exchange_plan, pairing_sees_every_end) {
    auto const adds_up = [](exchange_spec const& spec) {
        std::array<std::uint64_t, 2> all{};
        for (auto const& [rank, mine] : spec.ends) {
            auto const sums = pairing_of(mine, rank);
            for (std::size_t i = 0; i < all.size(); ++i) all[i] += sums[i];
        }
        return all == std::array<std::uint64_t, 2>{};
    };
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        generator g{seed};
        auto spec = random_spec(g, 4);
        ASSERT_TRUE(adds_up(spec)) << seed;
        for (auto& [rank, mine] : spec.ends)
            for (std::size_t i = 0; i < mine.ends.size(); ++i) {
                auto& e = mine.ends[i];
                auto const sound = e;
                e.tag += 1000;
                EXPECT_FALSE(adds_up(spec)) << "another tag, seed " << seed;
                e = sound;
                e.peer = (e.peer + 1) % 4;
                EXPECT_FALSE(adds_up(spec)) << "another peer, seed " << seed;
                e = sound;
                e.where = contiguous(0, e.where.bytes() + 8);
                EXPECT_FALSE(adds_up(spec)) << "more bytes, seed " << seed;
                e = sound;
                e.sends = !e.sends;
                EXPECT_FALSE(adds_up(spec)) << "the other way, seed " << seed;
                e = sound;
            }
        ASSERT_TRUE(adds_up(spec)) << seed;
    }
}

// A ring of columns of one matrix, both ways: each rank's ends lie interleaved in one region.
TEST(exchange_plan, every_mistake_is_found) {
    constexpr int ranks = 3;
    std::vector<double> matrix(6 * 5);
    auto const column = datatype::contiguous(8).repeated(6, 40);
    for (auto how : {&ways::pull, &ways::stage, &ways::stage_wide}) {
        exchange_spec spec;
        spec.machines = ranks;
        spec.forced = how;
        half_shared const where{reinterpret_cast<std::byte const*>(matrix.data())};
        for (int r = 0; r < ranks; ++r) {
            int const left = (r + ranks - 1) % ranks, right = (r + 1) % ranks;
            std::vector<message_end> const ends{send_init(&matrix[3], column, right), recv_init(&matrix[0], column, left),
                                                send_init(&matrix[1], column, left, 1), recv_init(&matrix[4], column, right, 1)};
            spec.ends[r] = take_ends(ends, r, ranks, where).told;
            ASSERT_EQ(spec.ends[r].regions.size(), 1U);
            spec.ends[r].regions[0].shared = true;
        }
        auto const a = build(spec);
        for (auto const& f : verify(a.plans, a.models)) ADD_FAILURE() << f.message;
        auto const result = try_mutations(a.plans, a.models, harmless_to_transfers(), 8, {});
        EXPECT_GT(result.tried, 0U);
        for (auto const& s : result.survivors) ADD_FAILURE() << how->name() << ", not found: " << s;
        for (auto const& s : result.refuted) ADD_FAILURE() << how->name() << ", not harmless: " << s;
    }
}

// Each rank gives to some others, as MPI_Alltoallv, MPI_Gatherv and MPI_Scatterv have it, between unequal machines.
exchange_spec given_by(std::vector<int> const& machines, std::function<index_t(int, int)> const& elements) {
    exchange_spec spec;
    spec.name = "exchange";
    spec.machines = machine_map{machines};
    spec.forced = &ways::mpi_machine;
    auto const ranks = static_cast<int>(machines.size());
    static std::vector<double> memory(1 << 14);
    half_shared const nobody{nullptr};
    for (int r = 0; r < ranks; ++r) {
        std::vector<message_end> ends;
        auto* at = memory.data();
        auto const take = [&](index_t n) { return std::exchange(at, at + n); };
        for (int other = 0; other < ranks; ++other)
            if (auto const n = elements(r, other); n > 0) ends.push_back(send_init(take(n), datatype::contiguous(8 * n), other));
        for (int other = 0; other < ranks; ++other)
            if (auto const n = elements(other, r); n > 0) ends.push_back(recv_init(take(n), datatype::contiguous(8 * n), other));
        spec.ends[r] = take_ends(ends, r, ranks, nobody).told;
    }
    return spec;
}

// By pair of machines.
std::map<std::pair<int, int>, int> messages_between(std::vector<plan> const& plans, machine_map const& machines) {
    std::map<std::pair<int, int>, int> count;
    for (auto const& p : plans)
        for (auto const& d : p.descriptors)
            if (d.op == operation::send) ++count[{machines.of(p.rank), machines.of(d.peer)}];
    return count;
}

TEST(exchange_plan, one_message_carries_what_goes_from_one_machine_to_another) {
    std::vector<int> const machines{0, 0, 0, 1, 2, 2, 1, 2, 2};
    std::map<std::string, std::function<index_t(int, int)>> const patterns{
        {"alltoallv", [](int from, int to) { return (5 * from + 3 * to) % 7; }},
        {"gatherv", [](int from, int to) { return to == 4 ? from % 4 : 0; }},
        {"scatterv", [](int from, int to) { return from == 1 ? 1 + to % 3 : 0; }},
        {"allgatherv", [](int from, int) { return from % 3; }}};
    for (auto const& [name, elements] : patterns) {
        auto const spec = given_by(machines, elements);
        auto const a = build(spec);
        for (auto const& f : verify(a.plans, a.models, {.machines = machines})) ADD_FAILURE() << name << ": " << f.message;
        std::map<std::pair<int, int>, int> expected;
        for (int from = 0; from < 9; ++from)
            for (int to = 0; to < 9; ++to)
                if (elements(from, to) > 0 && !spec.share_memory(from, to))
                    expected[{spec.machines.of(from), spec.machines.of(to)}] = 1;
        EXPECT_EQ(messages_between(a.plans, spec.machines), expected) << name;
    }
}

TEST(exchange_plan, every_mistake_about_a_message_of_machines_is_found) {
    std::vector<int> const machines{0, 0, 1, 1};
    auto const spec = given_by(machines, [](int from, int to) { return from == to ? 0 : 1 + (from + to) % 2; });
    auto const a = build(spec);
    for (auto const& f : verify(a.plans, a.models, {.machines = machines})) ADD_FAILURE() << f.message;
    auto known = harmless_to_transfers();
    for (auto const& h : harmless_to_machine_messages()) known.push_back(h);
    known.push_back({mutation_kind::swap, "those who pack are waited for in any order",
                     [](spot const& s) { return s.here().op == operation::wait && s.next().op == operation::wait; }});
    auto const result = try_mutations(a.plans, a.models, known, 8, {}, machines);
    EXPECT_GT(result.tried, 0U);
    for (auto const& s : result.survivors) ADD_FAILURE() << "not found: " << s;
}

// The model: many small messages go together, two large ones do not, nor what passes between parts of one machine.
TEST(exchange_plan, messages_go_together_where_it_pays) {
    std::vector<int> const machines{0, 0, 0, 0, 1, 1, 1, 1};
    auto const messages = [&](index_t n, bool pretended) {
        auto spec = given_by(machines, [n](int, int) { return n; });
        spec.forced = nullptr;
        spec.pretended = pretended;
        return messages_between(build(spec).plans, spec.machines)[{0, 1}];
    };
    EXPECT_EQ(messages(1, false), 1);
    EXPECT_EQ(messages(1, true), 16);
    EXPECT_EQ(messages(900, false), 16);
}

// What rank `to` is told by `rank` of its machine.
told_place told_by(exchange_spec const& spec, matched_ends const& all, int rank, int to) {
    told_place t;
    edge_set::outgoing given;
    all.from(rank, given);
    t.stage_bytes = given.stage_bytes;
    t.slots = all.slots(rank);
    auto const sources = all.sources(rank);
    auto const at = std::ranges::find(sources, to);
    t.slot = at == sources.end() ? -1 : static_cast<int>(at - sources.begin());
    for (auto const& e : given.edges) {
        if (e.target == to) t.in_stage.push_back(e.place);
        if (!spec.share_memory(rank, e.target)) t.out.push_back({e.target, e.features.bytes});
    }
    std::vector<edge> got;
    all.into(rank, got);
    for (auto const& e : got)
        if (!spec.share_memory(rank, e.source)) t.in.push_back({e.source, e.features.bytes});
    return t;
}

// Ranks know their own ends, those of their peers that are for them, and what they are told: that is enough.
TEST(exchange_plan, what_ranks_are_told_is_enough) {
    int const cases = random_cases(60);
    for (int ranks : {2, 3, 5, 8})
        for (int c = 0; c < cases && !HasFailure(); ++c) {
            generator g{static_cast<std::uint64_t>(ranks * 7919 + c)};
            auto spec = random_spec(g, ranks);
            spec.forced = c % 2 == 0 ? &ways::mpi_machine : nullptr;
            std::vector<int> machine_of;
            for (int r = 0; r < ranks; ++r) machine_of.push_back(r < ranks / 2 ? 0 : 1);
            spec.machines = machine_of;
            matched_ends const all{spec};
            for (int me = 0; me < ranks; ++me) {
                auto mine = spec;
                mine.shared = all.all_shared();
                for (auto& [r, theirs] : mine.ends)
                    if (r != me) std::erase_if(theirs.ends, [&](known_end const& e) { return e.peer != me; });
                for (int r = 0; r < ranks; ++r)
                    if (r != me && spec.share_memory(r, me)) mine.told[r] = told_by(spec, all, r, me);
                ASSERT_EQ(dump(plan_edges(matched_ends{mine}, me), dump_format::json), dump(plan_edges(all, me), dump_format::json))
                    << ranks << " ranks, case " << c << ", rank " << me;
            }
        }
}

} // namespace
} // namespace sode::internal::testing
