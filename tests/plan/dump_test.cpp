// SPDX-License-Identifier: Apache-2.0
// dump() says all of a plan, as text, JSON that parses back, and graphs.
#include "plan/dump.hpp"

#include "plan/builder.hpp"
#include "plan/toy_plans.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

namespace sode::internal {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;

std::vector<std::string> lines_of(std::string const& text) {
    std::vector<std::string> lines;
    std::istringstream in{text};
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

TEST(dump, text_says_what_happens_when) {
    auto const j = toy::ring_pull(3);
    auto const text = dump(j.plans[1]);
    EXPECT_THAT(text, HasSubstr("toy: rank 1 of 3"));
    EXPECT_THAT(text, HasSubstr("stream 1 (rank 0)"));
    EXPECT_THAT(text, HasSubstr("signal, then flag 0 of rank 1 = e"));
    EXPECT_THAT(text, HasSubstr("wait, when flag 0 of rank 0 >= e"));
    EXPECT_THAT(text, HasSubstr("copy 8 B: array 0 of rank 1 <- array 0 of rank 0, then flag 1 of rank 0 = e"));
}

TEST(dump, text_shows_loops_by_iteration) {
    auto const j = toy::chain_pipeline(3);
    auto const text = dump(j.plans[1]);
    EXPECT_THAT(text, HasSubstr("loop 5 times"));
    EXPECT_THAT(text, HasSubstr("array 0 of rank 1 + 16i <- array 0 of rank 0 + 16i, when flag 0 of rank 0 >= 5e - 4 + i, "
                                "then flag 0 of rank 1 = 5e - 4 + i"));
}

TEST(dump, tells_how_many_slots_epochs_go_through) {
    auto const j = toy::epochs_ahead(2, 3);
    EXPECT_THAT(dump(j.plans[0]), HasSubstr("pack 8 B: stage of rank 0 (3 slots) <- array 0 of rank 0, when flag 0 of rank 0 >= "
                                            "e - 3, then flag 1 to 3 of rank 0 = e"));
    EXPECT_THAT(dump(j.plans[0]), HasSubstr("inline_put 8 B: payload 4 to 6 of rank 0 <-"));
    EXPECT_THAT(dump(toy::epochs_ahead(2, 2).plans[0]), HasSubstr("then flag 1/2 of rank 0 = e"));
    auto const parsed = nlohmann::json::parse(dump(j.plans[0], dump_format::json));
    std::multiset<int> slots;
    for (auto const& b : parsed["buffers"]) slots.insert(b["slots"].get<int>());
    EXPECT_EQ(slots, (std::multiset<int>{1, 3, 3}));
    EXPECT_EQ(parsed["counters"][2]["slots"], 3);
}

TEST(dump, text_says_how_two_operands_become_one) {
    auto const j = toy::scan(3);
    EXPECT_THAT(
        dump(j.plans[1]),
        HasSubstr("reduce 16 B by turn of 8 B: array 1 of rank 1 + 16i <- array 1 of rank 0 + 16i, array 0 of rank 1 + 16i"));
}

TEST(dump, json_of_a_name_that_is_no_utf8_is_json) {
    auto p = toy::ring_pull(2).plans[0];
    p.name = "n\xe4me \xff";
    auto const parsed = nlohmann::json::parse(dump(p, dump_format::json));
    EXPECT_EQ(parsed["name"], "n\uFFFDme \uFFFD");
    p.name = std::string(1 << 20, '\xff');
    EXPECT_TRUE(nlohmann::json::accept(dump(p, dump_format::json)));
}

TEST(dump, json_parses_back_to_the_same_numbers) {
    for (auto const& j : {toy::conveyor(2), toy::allreduce(3), toy::ring_in_line(3), toy::scan(3)})
        for (auto const& p : j.plans) {
            auto const parsed = nlohmann::json::parse(dump(p, dump_format::json));
            EXPECT_EQ(parsed["name"], p.name);
            EXPECT_EQ(parsed["rank"], p.rank);
            ASSERT_EQ(parsed["descriptors"].size(), p.descriptors.size());
            for (std::size_t i = 0; i < p.descriptors.size(); ++i) {
                auto const& d = p.descriptors[i];
                auto const& e = parsed["descriptors"][i];
                EXPECT_EQ(e["op"], to_string(d.op));
                EXPECT_EQ(e["stream"], stream_of(p, i));
                EXPECT_EQ(e["trigger"], d.trigger);
                EXPECT_EQ(e["threshold"], d.threshold);
                EXPECT_EQ(e["signal"], d.signal);
                EXPECT_EQ(e["value"], d.value);
                EXPECT_EQ(e["program"], d.program);
                EXPECT_EQ(e["src"], d.src);
                EXPECT_EQ(e["dst"], d.dst);
                EXPECT_EQ(e["src_offset"], d.src_offset);
                EXPECT_EQ(e["dst_offset"], d.dst_offset);
                EXPECT_EQ(e["argument"], d.argument);
                EXPECT_EQ(e["peer"], d.peer);
                EXPECT_EQ(e["strides"], d.strides);
                EXPECT_EQ(e["operand"], d.operand);
            }
            ASSERT_EQ(parsed["streams"].size(), p.streams.size());
            for (auto const& s : parsed["streams"]) EXPECT_EQ(s["executor"]["kind"], "caller");
            ASSERT_EQ(parsed["strides"].size(), p.strides.size());
            for (std::size_t i = 0; i < p.strides.size(); ++i) {
                EXPECT_EQ(parsed["strides"][i]["dst"]["bytes"], p.strides[i].dst.bytes);
                EXPECT_EQ(parsed["strides"][i]["operand"]["bytes"], p.strides[i].operand.bytes);
                EXPECT_EQ(parsed["strides"][i]["value"], p.strides[i].value);
            }
            ASSERT_EQ(parsed["operands"].size(), p.operands.size());
            for (std::size_t i = 0; i < p.operands.size(); ++i) EXPECT_EQ(parsed["operands"][i]["buffer"], p.operands[i].buffer);
            ASSERT_EQ(parsed["operators"].size(), p.operators.size());
            for (std::size_t i = 0; i < p.operators.size(); ++i) EXPECT_EQ(parsed["operators"][i]["name"], p.operators[i].name);
            ASSERT_EQ(parsed["buffers"].size(), p.buffers.size());
            for (std::size_t i = 0; i < p.buffers.size(); ++i) {
                EXPECT_EQ(parsed["buffers"][i]["host"], p.buffers[i].host);
                EXPECT_EQ(parsed["buffers"][i]["bytes"], p.buffers[i].bytes);
            }
            ASSERT_EQ(parsed["counters"].size(), p.counters.size());
            ASSERT_EQ(parsed["programs"].size(), p.programs.size());
            for (std::size_t i = 0; i < p.programs.size(); ++i) EXPECT_EQ(parsed["programs"][i]["bytes"], p.programs[i].bytes);
            ASSERT_EQ(parsed["deliveries"].size(), p.deliveries.size());
            for (std::size_t i = 0; i < p.deliveries.size(); ++i)
                EXPECT_EQ(parsed["deliveries"][i]["target"]["offset"], p.deliveries[i].target.offset);
        }
}

TEST(dump, json_of_several_plans_is_an_array) {
    auto const j = toy::ring_staged(3);
    auto const parsed = nlohmann::json::parse(dump(j.plans, dump_format::json));
    ASSERT_EQ(parsed.size(), 3U);
    EXPECT_EQ(parsed[2]["rank"], 2);
}

TEST(dump, json_survives_a_name_with_quotes) {
    plan p;
    p.name = "halo of \"u\"\n";
    EXPECT_EQ(nlohmann::json::parse(dump(p, dump_format::json))["name"], p.name);
}

// Every node that an arrow names is declared, braces are paired. (No std::regex: with sanitizers g++ 12 warns about its own
// header.)
void expect_sound_dot(std::string const& text) {
    std::set<std::string> nodes;
    std::vector<std::pair<std::string, std::string>> arrows;
    int depth = 0;
    for (auto const& line : lines_of(text)) {
        std::istringstream words{line};
        std::string first, second, third;
        words >> first >> second >> third;
        if (second.starts_with("[")) nodes.insert(first);
        if (second == "->") arrows.emplace_back(first, third);
        if (line.ends_with('{')) ++depth;
        if (first == "}") --depth;
        EXPECT_GE(depth, 0);
    }
    EXPECT_EQ(depth, 0);
    EXPECT_FALSE(arrows.empty());
    for (auto const& [from, to] : arrows) EXPECT_TRUE(nodes.contains(from) && nodes.contains(to)) << from << " -> " << to;
}

TEST(dump, dot_has_a_node_a_descriptor_and_arrows_between_plans) {
    auto const j = toy::ring_pull(3);
    auto const all = dump(j.plans, dump_format::dot);
    expect_sound_dot(all);
    EXPECT_THAT(all, HasSubstr("r0d0 -> r1d"));        // rank 0's ready flag
    EXPECT_EQ(all.find("outside"), std::string::npos); // everybody is there
    auto const one = dump(j.plans[0], dump_format::dot);
    expect_sound_dot(one);
    EXPECT_THAT(one, HasSubstr("outside_1_0")); // rank 1's ready flag comes from a rank that is not drawn
}

TEST(dump, dot_is_accepted_by_graphviz) {
    if (std::system("command -v dot > /dev/null 2>&1") != 0) GTEST_SKIP() << "graphviz is not installed";
    auto const file = std::filesystem::temp_directory_path() / ("sode-dump-test-" + std::to_string(getpid()) + ".dot");
    for (auto const& j : {toy::ring_joined(3), toy::conveyor(3), toy::allreduce(3)}) {
        std::ofstream{file} << dump(j.plans, dump_format::dot);
        EXPECT_EQ(std::system(("dot -Tsvg -o /dev/null " + file.string()).c_str()), 0);
    }
    std::filesystem::remove(file);
}

edge_note note(int peer, std::array<std::int8_t, max_dims> direction, std::string_view chosen) {
    return {.peer = peer,
            .direction = direction,
            .dims = 2,
            .field = 0,
            .kind = pattern::strided,
            .rows = 64,
            .row_bytes = 8,
            .chosen = chosen,
            .expected = {.source = 2000, .target = 3000, .link = 100, .latency = 25},
            .runner_up = "pull",
            .instead = {.target = 12500},
            .forced = false};
}

TEST(explain, has_an_aligned_line_an_edge) {
    plan p;
    p.name = "halo of \"u\"";
    p.ranks = 12;
    p.notes = {note(11, {-1, 0}, "stage"), note(3, {1, 1}, "stage-chunked"), note(-1, {0, 1}, "self")};
    p.notes[1].forced = true;
    p.notes[2].runner_up = {};
    auto const lines = lines_of(explain(p));
    ASSERT_EQ(lines.size(), 5U);
    EXPECT_EQ(lines[0], "halo of \"u\": rank 0 of 12, 3 edges");
    EXPECT_THAT(lines[1], MatchesRegex(" *direction +peer +field +pattern +rows x bytes +chosen +us +runner-up +us"));
    EXPECT_THAT(lines[2], MatchesRegex(" *- \\. +11 +0 +strided +64 x 8 B +stage +5\\.1[23] +pull +12\\.5"));
    EXPECT_THAT(lines[3], MatchesRegex(" *\\+ \\+ +3 +0 +strided +64 x 8 B +stage-chunked +5\\.1[23] +pull +12\\.5 +forced"));
    EXPECT_THAT(lines[4], MatchesRegex(" *\\. \\+ +self +0 +strided +64 x 8 B +self +5\\.1[23] +- +-"));
    auto const column = lines[1].find("chosen");
    EXPECT_EQ(lines[2].find("stage"), column);
    EXPECT_EQ(lines[3].find("stage"), column);
}

TEST(explain, of_a_plan_without_neighbours_is_one_line) {
    plan p;
    p.name = "alone";
    EXPECT_EQ(explain(p), "alone: rank 0 of 1, 0 edges\n");
}

} // namespace
} // namespace sode::internal
