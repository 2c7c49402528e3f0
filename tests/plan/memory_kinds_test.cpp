// SPDX-License-Identifier: Apache-2.0
// Buffers and counters say what memory they are in, and verify() finds who touches what he cannot, and tables that disagree.
#include "plan/builder.hpp"
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
using enum memory_kind;

// The staged ring with counters and stages in memory of these kinds; what packs and unpacks runs on `who`.
toy::job ring_in(memory_kind lines, memory_kind stage, executor_kind who = executor_kind::caller, memory_kind arrays = host) {
    auto j = toy::ring_staged(3);
    for (std::size_t r = 0; r < j.plans.size(); ++r) {
        auto& p = j.plans[r];
        for (auto& c : p.counters) c.memory = lines;
        for (auto& b : p.buffers) b.memory = b.role == buffer_role::stage ? stage : arrays;
        for (auto const k : {pinned, device}) {
            auto& part = k == pinned ? p.own_pinned : p.own_device;
            part.lines = lines == k ? p.own_lines : 0;
            part.stage = stage == k ? p.own_stage : 0;
        }
        for (std::uint32_t s = 0; s < p.streams.size(); ++s) p.streams[s].runs_on = {who, who == executor_kind::caller ? 0 : s};
        for (auto& a : j.arrays[r]) a.memory = arrays;
    }
    return j;
}

std::vector<finding> verify(toy::job const& j) {
    return sode::internal::verify(j.plans, j.arrays);
}
std::string first(toy::job const& j) {
    auto const found = verify(j);
    return found.empty() ? "" : found.front().message;
}

// Every kind of executor with every kind of memory for lines, stages and arrays: what can be loaded, stored and waited for is
// sound.
TEST(kinds, each_executor_touches_what_it_reaches) {
    using enum executor_kind;
    for (auto const who : {caller, thread, queue, block, proxy})
        for (auto const lines : {host, pinned, device})
            for (auto const stage : {host, pinned, device})
                for (auto const arrays : {host, pinned, device}) {
                    auto const found = verify(ring_in(lines, stage, who, arrays));
                    bool const sound = reaches(who, lines) && reaches(who, stage) && reaches(who, arrays);
                    EXPECT_EQ(found.empty(), sound) << to_string(who) << ' ' << to_string(lines) << ' ' << to_string(stage) << ' '
                                                    << to_string(arrays) << (found.empty() ? "" : ": " + found.front().message);
                    for (auto const& f : found) EXPECT_EQ(f.kind, finding::type::unreachable) << f.message;
                }
}

TEST(kinds, a_finding_names_who_touches_what) {
    EXPECT_THAT(first(ring_in(host, device)), HasSubstr("rank 0, stream 0, descriptor 0 (pack) touches the stage of rank 0 (it is "
                                                        "device memory, and caller runs on the host) use pinned memory, or"));
    EXPECT_THAT(first(ring_in(device, host)), HasSubstr("touches counter line 0 of rank 0 (it is device memory"));
    EXPECT_THAT(
        first(ring_in(pinned, pinned, executor_kind::block)),
        HasSubstr("touches array 0 of rank 0 (it is host memory, and device block 0 runs on the device) use pinned memory"));
}

// One entry that says another kind than its host has there: found for each entry of each plan.
TEST(kinds, a_table_that_says_another_kind_is_found) {
    int changed = 0;
    auto const sound = ring_in(pinned, pinned, executor_kind::proxy, pinned);
    ASSERT_THAT(verify(sound), IsEmpty());
    for (std::size_t r = 0; r < sound.plans.size(); ++r) {
        for (std::size_t i = 0; i < sound.plans[r].buffers.size(); ++i, ++changed) {
            auto j = sound;
            j.plans[r].buffers[i].memory = host;
            EXPECT_THAT(first(j), HasSubstr("is declared as host memory")) << r << ' ' << i;
        }
        for (std::size_t i = 1; i < sound.plans[r].counters.size(); ++i, ++changed) {
            auto j = sound;
            j.plans[r].counters[i].memory = host;
            EXPECT_THAT(verify(j), Not(IsEmpty())) << r << ' ' << i;
        }
        auto j = sound;
        --j.plans[r].own_pinned.stage;
        EXPECT_THAT(first(j), HasSubstr("lies in memory of two kinds"));
        j = sound;
        j.plans[r].own_device.stage = 1;
        EXPECT_THAT(first(j), HasSubstr("it requests fewer lines, stage or scratch bytes than its parts need"));
        j = sound;
        j.plans[r].own_pinned.lines = 0;
        EXPECT_THAT(verify(j), Not(IsEmpty()));
    }
    EXPECT_GT(changed, 12);
}

TEST(kinds, parts_lie_in_order) {
    plan p;
    p.own_lines = 6, p.own_stage = 60, p.own_scratch = 600;
    p.own_pinned = {.lines = 2, .stage = 20, .scratch = 200};
    p.own_device = {.lines = 1, .stage = 10, .scratch = 100};
    std::vector<memory_kind> lines;
    for (int i = 0; i < 6; ++i) lines.push_back(kind_of_line(p, i));
    EXPECT_EQ(lines, (std::vector{device, pinned, pinned, host, host, host}));
    EXPECT_EQ(kind_of_stage(p, 0, 30), host);
    EXPECT_EQ(kind_of_stage(p, 30, 20), pinned);
    EXPECT_EQ(kind_of_stage(p, 50, 10), device);
    EXPECT_EQ(kind_of_stage(p, 29, 2), std::nullopt);
    EXPECT_EQ(kind_of_stage(p, 49, 2), std::nullopt);
    EXPECT_EQ(kind_of_scratch(p, 299, 1), host);
    EXPECT_EQ(kind_of_scratch(p, 300, 200), pinned);
    EXPECT_EQ(kind_of_scratch(p, 500, 1), device);
}

TEST(kinds, are_printed) {
    auto const j = ring_in(pinned, pinned);
    auto const text = dump(j.plans[0], dump_format::text);
    EXPECT_THAT(text, HasSubstr("stage of rank 0 (pinned)"));
    EXPECT_THAT(text, HasSubstr("of rank 0 (pinned) = e"));
    auto const parsed = nlohmann::json::parse(dump(j.plans[0], dump_format::json));
    EXPECT_EQ(parsed["counters"][1]["memory"], "pinned");
    EXPECT_EQ(parsed["own_pinned"]["stage"], j.plans[0].own_stage);
    EXPECT_EQ(parsed["own_device"]["lines"], 0);
}

} // namespace
} // namespace sode::internal
