// SPDX-License-Identifier: Apache-2.0
// verify() finds every descriptor that loads or stores, waits for or signals, what is on another machine or is no shared memory.
#include "plan/builder.hpp"
#include "plan/toy_plans.hpp"

#include <sode/error.hpp>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sode::internal {
namespace {

using ::testing::HasSubstr;
using type = finding::type;

std::vector<finding> verify_on(toy::job const& j, std::vector<int> const& machines) {
    return verify(j.plans, j.arrays, {.epochs = 3, .most_findings = 1000, .machines = machines});
}

/// The descriptors that name anything of a rank on another machine, as they are called in findings.
std::vector<std::string> far_descriptors(toy::job const& j, std::vector<int> const& machines) {
    std::vector<std::string> all;
    for (plan const& p : j.plans)
        for (std::size_t i = 0; i < p.descriptors.size(); ++i) {
            descriptor const& d = p.descriptors[i];
            std::vector<int> hosts;
            if (d.trigger != 0) hosts.push_back(p.counters[d.trigger].host);
            if (d.signal != 0) hosts.push_back(p.counters[d.signal].host);
            if (moves_data(d.op)) hosts.push_back(p.buffers[d.src].host), hosts.push_back(p.buffers[d.dst].host);
            auto const machine = [&](int rank) { return machines[static_cast<std::size_t>(rank)]; };
            if (std::any_of(hosts.begin(), hosts.end(), [&](int h) { return machine(h) != machine(p.rank); }))
                all.push_back(fmt::format("rank {}, stream {}, descriptor {} (", p.rank, stream_of(p, i), i));
        }
    return all;
}

TEST(reach, what_is_on_another_machine_is_found_in_every_descriptor) {
    std::vector<toy::job> const toys{toy::ring_pull(4),     toy::ring_staged(4), toy::ring_in_line(4),
                                     toy::ring_buffered(4), toy::ring_joined(4), toy::chain_pipeline(4),
                                     toy::conveyor(4),      toy::allreduce(4),   toy::sum_by_chunks(4)};
    for (auto const& j : toys)
        for (std::vector<int> const& machines : {std::vector{0, 0, 1, 1}, {0, 1, 0, 1}, {0, 1, 2, 3}, {7, 7, 7, 7}}) {
            auto const expected = far_descriptors(j, machines);
            auto const found = verify_on(j, machines);
            ASSERT_EQ(found.size(), expected.size()) << j.plans[0].name;
            for (std::size_t i = 0; i < found.size(); ++i) {
                EXPECT_EQ(found[i].kind, type::unreachable);
                EXPECT_THAT(found[i].message, HasSubstr(expected[i]));
                EXPECT_THAT(found[i].message, HasSubstr("is on another machine) send a message, or put"));
            }
        }
}

TEST(reach, puts_get_anywhere) {
    for (int const ranks : {2, 3, 5})
        for (int const of_machine : {1, 2, 5}) {
            std::vector<int> machines;
            for (int r = 0; r < ranks; ++r) machines.push_back(r / of_machine);
            for (auto const& j : {toy::ring_put(ranks), toy::parcels(ranks)})
                for (auto const& f : verify_on(j, machines)) ADD_FAILURE() << f.message;
        }
    // But not into what an owner on the same machine keeps to itself.
    auto j = toy::ring_put(4);
    for (auto& models : j.arrays) models[0].shared = false;
    auto const found = verify_on(j, {0, 0, 1, 2});
    ASSERT_EQ(found.size(), 4U) << "ranks 0 and 1 put an element and a word to each other";
    for (auto const& f : found) EXPECT_THAT(f.message, HasSubstr("(put) touches array 0 of rank"));
}

// One descriptor of a sound plan that names the memory of a far rank.
TEST(reach, one_mistake_in_a_plan_of_messages_is_found) {
    auto const job = [] {
        toy::job j;
        for (int r : {0, 1}) {
            plan_builder b{"one message", r, 2};
            b.target().own_lines = 1;
            auto const s = b.add_stream(-1);
            auto const array = b.add(buffer{.host = r, .bytes = 16});
            auto const over = b.add(counter{.host = r, .writer = r, .index = 0});
            b.copy(s, r == 0 ? operation::send : operation::receive, array, array, compile(contiguous(0, 8), contiguous(0, 8)),
                   1 - r)
                .signal = over;
            b.emit(s, operation::wait).trigger = over;
            if (r == 1)
                b.target().deliveries.push_back({.source_rank = 0,
                                                 .source_array = 0,
                                                 .source = contiguous(0, 8),
                                                 .target_array = 0,
                                                 .target = contiguous(0, 8)});
            j.plans.push_back(b.finish());
            auto const all = contiguous(0, 8);
            j.arrays.push_back({{.ordinal = 0, .bytes = 16, .buffered = false, .owned = r == 0 ? all : layout{}, .readable = all}});
        }
        return j;
    }();
    for (auto const& f : verify_on(job, {0, 1})) ADD_FAILURE() << f.message;

    auto j = job; // the receiver waits for the sender's own counter
    j.plans[1].counters.push_back(j.plans[0].counters[1]);
    j.plans[1].descriptors[0].trigger = 2;
    auto found = verify_on(j, {0, 1});
    ASSERT_EQ(found.size(), 1U);
    EXPECT_THAT(found[0].message, HasSubstr("rank 1, stream 0, descriptor 0 (receive) touches counter line 0 of rank 0"));

    j = job; // the sender sends what is in a stage of the receiver
    j.plans[1].own_stage = 8;
    j.plans[0].buffers.push_back({.host = 1, .role = buffer_role::stage, .bytes = 8});
    j.plans[0].descriptors[0].src = j.plans[0].descriptors[0].dst = 1;
    found = verify_on(j, {0, 1});
    ASSERT_EQ(found.size(), 1U);
    EXPECT_THAT(found[0].message, HasSubstr("rank 0, stream 0, descriptor 0 (send) touches the stage of rank 1"));
}

TEST(reach, arrays_that_are_no_shared_memory_belong_to_their_owner) {
    auto j = toy::ring_pull(3);
    j.arrays[1][0].shared = false;
    auto const found = verify_on(j, {});
    ASSERT_EQ(found.size(), 2U) << "two neighbours pull from rank 1";
    for (auto const& f : found) {
        EXPECT_EQ(f.kind, type::unreachable);
        EXPECT_THAT(f.message, HasSubstr("(copy) touches array 0 of rank 1 (it is not shared memory)"));
    }
    j = toy::ring_staged(3);
    for (auto& models : j.arrays) models[0].shared = false;
    for (auto const& f : verify_on(j, {})) ADD_FAILURE() << f.message;
}

TEST(reach, every_rank_is_on_a_machine) {
    auto const j = toy::ring_pull(3);
    EXPECT_THROW(static_cast<void>(verify_on(j, {0, 0})), error);
}

} // namespace
} // namespace sode::internal
