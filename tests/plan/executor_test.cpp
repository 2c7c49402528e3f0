// SPDX-License-Identifier: Apache-2.0
// Streams name who issues them, there may be as many as a plan needs, and verify() refuses what no executor could do.
#include "plan/builder.hpp"
#include "plan/combiners.hpp"
#include "plan/dump.hpp"
#include "plan/toy_plans.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace sode::internal {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using enum executor_kind;

std::vector<finding> on(toy::job j, std::vector<executor> const& all) {
    for (auto& p : j.plans)
        for (std::size_t s = 0; s < p.streams.size(); ++s) p.streams[s].runs_on = all[s % all.size()];
    return verify(j.plans, j.arrays);
}

std::string refusal(toy::job j, std::vector<executor> const& all) {
    auto const found = on(std::move(j), all);
    return found.empty() ? "" : found.front().message;
}

TEST(executor, a_sound_plan_is_sound_on_every_executor) {
    EXPECT_THAT(on(toy::ring_pull(3), {{}, {thread, 0}, {thread, 3}}), IsEmpty());
    EXPECT_THAT(on(toy::ring_pull(3), {{queue, 0}, {queue, 2}, {queue, 1}}), IsEmpty());
    EXPECT_THAT(on(toy::ring_pull(3), {{proxy, 5}, {thread, 0}, {proxy, 5}}), IsEmpty());
    EXPECT_THAT(on(toy::couriers(4), {{}, {proxy, 0}}), IsEmpty());
}

TEST(executor, a_queue_has_one_stream) {
    EXPECT_THAT(refusal(toy::ring_pull(3), {{}, {queue, 1}, {queue, 1}}),
                HasSubstr("rank 0, stream 2 is for queue 1 (stream 1 uses it already) give each stream a queue of its own"));
}

// Of which an epoch runs one.
TEST(executor, the_ways_of_a_choice_may_share_a_queue) {
    auto const refusals = [](std::uint8_t second_way) {
        plan_builder b{"two ways", 0, 1};
        auto const choice = b.add(plan_choice{.key = 7, .ways = 2});
        for (std::uint8_t const way : {std::uint8_t{0}, second_way})
            b.target().streams[b.add_stream(-1, choice, way)].runs_on = {queue, 3};
        toy::job j;
        j.plans.push_back(b.finish());
        j.arrays.emplace_back();
        std::string all;
        for (auto const& f : verify(j.plans, j.arrays)) all += f.message;
        return all;
    };
    EXPECT_EQ(refusals(1).find("queue 3"), std::string::npos) << refusals(1);
    EXPECT_THAT(refusals(0), HasSubstr("is for queue 3 (stream 0 uses it already)"));
}

TEST(executor, there_is_one_caller) {
    EXPECT_THAT(refusal(toy::ring_pull(2), {{caller, 1}}), HasSubstr("is for caller 1 (a rank has only one caller)"));
    EXPECT_THAT(refusal(toy::ring_pull(2), {{static_cast<executor_kind>(9), 0}}), HasSubstr("is for no executor"));
}

TEST(executor, messages_and_functions_are_the_hosts_affair) {
    for (executor const e : {executor{thread, 0}, {block, 0}})
        EXPECT_THAT(refusal(toy::couriers(2), {e}), HasSubstr("has messages, and is for " + describe(e)));
    EXPECT_THAT(refusal(toy::couriers(2), {{queue, 0}, {queue, 1}, {queue, 2}, {queue, 3}}),
                HasSubstr("has messages, and is for queue"));
    for (executor const e : {executor{thread, 0}, {block, 0}, {proxy, 0}})
        EXPECT_THAT(refusal(toy::scan(2), {e}), HasSubstr("calls functions of the program, and is for " + describe(e)));
}

TEST(executor, puts_to_other_machines_may_be_messages) {
    for (auto const kind : {thread, proxy, block}) {
        auto j = toy::parcels(2);
        for (auto& p : j.plans)
            for (auto& s : p.streams) s.runs_on = {kind, 0};
        auto const between = verify(j.plans, j.arrays, {.machines = {0, 1}});
        if (kind == proxy)
            EXPECT_THAT(between, IsEmpty());
        else
            EXPECT_THAT(between.front().message, HasSubstr("has messages, and is for"));
        if (kind != block) { // which reaches no memory of the host
            EXPECT_THAT(verify(j.plans, j.arrays), IsEmpty());
        }
    }
}

TEST(executor, is_printed_with_its_stream) {
    plan_builder b{"p", 0, 4};
    static_cast<void>(b.add_stream(-1));
    static_cast<void>(b.add_stream(3, {thread, 2}));
    static_cast<void>(b.add_stream(-1, {block, 7}));
    auto const p = b.finish();
    EXPECT_THAT(dump(p, dump_format::text), HasSubstr("stream 0\n"));
    EXPECT_THAT(dump(p, dump_format::text), HasSubstr("stream 1 (rank 3, thread 2)\n"));
    EXPECT_THAT(dump(p, dump_format::text), HasSubstr("stream 2 (device block 7)\n"));
    EXPECT_THAT(dump(p, dump_format::dot), HasSubstr("stream 1 (rank 3, thread 2)"));
    auto const parsed = nlohmann::json::parse(dump(p, dump_format::json));
    EXPECT_EQ(parsed["streams"][1]["executor"]["kind"], "thread");
    EXPECT_EQ(parsed["streams"][1]["executor"]["number"], 2);
}

// One rank that copies one byte in each of 70,000 streams: names of streams go beyond 16 bits. (That such a plan runs is shown with
// an engine; what is ordered in it would take verify a table of all streams by all streams.)
TEST(executor, more_streams_than_16_bits_count) {
    constexpr int streams = 70'000;
    plan_builder b{"many", 0, 1};
    auto const bytes = b.add(buffer{.host = 0, .bytes = 2 * streams});
    for (int s = 0; s < streams; ++s) {
        auto& d = b.copy(b.add_stream(-1), operation::copy, bytes, bytes, compile(contiguous(0, 1), contiguous(0, 1)));
        d.src_offset = s;
        d.dst_offset = streams + s;
    }
    toy::job j;
    auto const all = contiguous(0, 2 * streams), owned = contiguous(0, streams), got = contiguous(streams, streams);
    b.target().deliveries.push_back({.source_rank = 0, .source_array = 0, .source = owned, .target_array = 0, .target = got});
    j.plans.push_back(b.finish());
    j.arrays.push_back({{.ordinal = 0, .bytes = 2 * streams, .buffered = false, .owned = owned, .readable = all}});
    auto& p = j.plans.front();
    EXPECT_EQ(p.streams.size(), 70'000U);
    EXPECT_EQ(stream_of(p, 2 * 69'999), 69'999U);
    EXPECT_EQ(streams_of(p).back(), 69'999U);
    p.descriptors[2 * 69'999].peer = 0;
    auto const found = verify(j.plans, j.arrays);
    ASSERT_THAT(found, Not(IsEmpty()));
    EXPECT_THAT(found.front().message, HasSubstr("stream 69999, descriptor 139998"));
}

} // namespace
} // namespace sode::internal
