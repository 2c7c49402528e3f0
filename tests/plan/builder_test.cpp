// SPDX-License-Identifier: Apache-2.0
// The builder shares equal entries, lays out streams, and refuses what no plan can hold.
#include "plan/builder.hpp"

#include "layout/copy_block.hpp"
#include "layout/normal_form.hpp"

#include <sode/error.hpp>

#include <gtest/gtest.h>

namespace sode::internal {
namespace {

TEST(builder, counter_zero_means_none) {
    plan_builder b{"p", 1, 3};
    EXPECT_EQ(b.add(counter{.host = 0, .writer = 0, .index = 0}), 1U);
    auto const p = b.finish();
    EXPECT_EQ(p.counters.size(), 2U);
    EXPECT_EQ(p.rank, 1);
    EXPECT_EQ(p.ranks, 3);
    EXPECT_EQ(p.name, "p");
}

TEST(builder, equal_entries_are_shared_and_others_are_not) {
    plan_builder b{"p", 0, 1};
    buffer const stage{.host = 0, .role = buffer_role::stage, .instances = parity::epoch, .offset = 64, .bytes = 32};
    EXPECT_EQ(b.add(stage), b.add(stage));
    auto other = stage;
    other.offset = 96;
    EXPECT_NE(b.add(stage), b.add(other));
    other = stage;
    other.instances = parity::none;
    EXPECT_NE(b.add(stage), b.add(other));
    counter const flag{.host = 0, .writer = 0, .index = 4};
    EXPECT_EQ(b.add(flag), b.add(flag));
    auto sum = flag;
    sum.kind = counter_kind::sum;
    EXPECT_NE(b.add(flag), b.add(sum));
    auto const p = b.finish();
    EXPECT_EQ(p.buffers.size(), 3U);
    EXPECT_EQ(p.counters.size(), 3U);
}

// More than have a bucket of their own, many of them in one.
TEST(builder, finds_each_of_many_entries) {
    plan_builder b{"p", 0, 400};
    std::vector<std::uint32_t> flags, stages;
    for (int round = 0; round < 2; ++round)
        for (int r = 0; r < 400; ++r) {
            auto const index = static_cast<std::uint32_t>(r % 3);
            auto const flag = b.add(counter{.host = r, .writer = r, .index = index});
            auto const stage = b.add(buffer{.host = r - r % 64, .role = buffer_role::stage, .offset = 4096 * r, .bytes = 64});
            auto const at = static_cast<std::size_t>(r);
            if (round == 0) {
                flags.push_back(flag);
                stages.push_back(stage);
            }
            EXPECT_EQ(flag, at + 1);
            EXPECT_EQ(stage, at);
            EXPECT_EQ(flag, flags[at]);
            EXPECT_EQ(stage, stages[at]);
        }
    auto const p = b.finish();
    EXPECT_EQ(p.counters.size(), 401U);
    EXPECT_EQ(p.buffers.size(), 400U);
    EXPECT_EQ(b.add(counter{.host = 5}), 1U); // of the next plan
}

// However they are filled: each stream's steps in their order, and its end.
TEST(builder, sorts_the_steps_of_many_streams) {
    plan_builder b{"p", 0, 2};
    constexpr std::uint32_t streams = 7, steps = 100;
    for (std::uint32_t s = 0; s < streams; ++s) EXPECT_EQ(b.add_stream(-1), s);
    for (std::uint32_t i = 0; i < steps; ++i) b.emit((i * 5 + i / 3) % (streams - 1), operation::signal).argument = i;
    auto const p = b.finish();
    ASSERT_EQ(p.descriptors.size(), steps + streams);
    std::size_t ends = 0, at = 0;
    for (std::uint32_t s = 0; s < streams; ++s) {
        EXPECT_EQ(p.streams[s].first, at);
        for (std::uint32_t i = 0; i < steps; ++i) {
            if ((i * 5 + i / 3) % (streams - 1) != s) continue;
            EXPECT_EQ(p.descriptors[at++].argument, i);
        }
        if (p.descriptors[at++].op == operation::end) ++ends;
    }
    EXPECT_EQ(ends, streams); // the last stream has nothing else
}

TEST(builder, streams_filled_in_any_order_lie_one_behind_the_other) {
    plan_builder b{"p", 0, 2};
    auto const local = b.add_stream(-1);
    auto const edge = b.add_stream(1);
    auto const flag = b.add(counter{.host = 0, .writer = 0, .index = 0});
    b.emit(edge, operation::wait).trigger = flag;
    b.emit(local, operation::signal).signal = flag;
    b.emit(edge, operation::credit).trigger = flag;
    auto const p = b.finish();
    ASSERT_EQ(p.streams.size(), 2U);
    EXPECT_EQ(p.streams[0].first, 0U);
    EXPECT_EQ(p.streams[1].first, 2U);
    EXPECT_EQ(p.streams[1].peer, 1);
    std::vector<std::pair<operation, int>> found;
    for (std::size_t i = 0; i < p.descriptors.size(); ++i) found.emplace_back(p.descriptors[i].op, stream_of(p, i));
    std::vector<std::pair<operation, int>> const expected{
        {operation::signal, 0}, {operation::end, 0}, {operation::wait, 1}, {operation::credit, 1}, {operation::end, 1}};
    EXPECT_EQ(found, expected);
}

// What goes without a look at layouts is what they would have made.
TEST(builder, a_block_is_the_copy_of_contiguous_bytes) {
    for (std::int64_t const bytes : {0, 1, 8, 48, 64, 4096, 1 << 20}) {
        auto const quick = compile_block(bytes);
        auto const slow = compile(normalised({0, bytes, {}, {}}), normalised({0, bytes, {}, {}}));
        EXPECT_EQ(quick.encoding, slow.encoding) << bytes;
        EXPECT_EQ(quick.kernel, slow.kernel) << bytes;
        EXPECT_EQ(quick.loop_count, slow.loop_count) << bytes;
        EXPECT_EQ(quick.block, slow.block) << bytes;
        EXPECT_EQ(quick.bytes, slow.bytes) << bytes;
        EXPECT_EQ(quick.entries, slow.entries) << bytes;
        EXPECT_EQ(quick.twin, slow.twin) << bytes;
    }
    EXPECT_THROW(static_cast<void>(compile_block(-1)), error);
    EXPECT_THROW(static_cast<void>(compile_block(std::int64_t{1} << 62)), error);
}

TEST(builder, copy_fills_in_what_it_was_given) {
    plan_builder b{"p", 0, 2};
    auto const s = b.add_stream(1);
    auto const to = b.add(buffer{.host = 0, .bytes = 64}), from = b.add(buffer{.host = 1, .bytes = 64});
    b.copy(s, operation::copy, to, from, compile(contiguous(0, 8), contiguous(16, 8)), 1);
    auto const p = b.finish();
    auto const& d = p.descriptors.front();
    EXPECT_EQ(d.op, operation::copy);
    EXPECT_EQ(d.dst, to);
    EXPECT_EQ(d.src, from);
    EXPECT_EQ(d.peer, 1);
    EXPECT_EQ(p.programs[d.program].bytes, 8);
}

TEST(builder, is_empty_after_finish) {
    plan_builder b{"p", 2, 4};
    b.emit(b.add_stream(-1), operation::signal);
    b.target().own_lines = 3;
    static_cast<void>(b.finish());
    auto const p = b.finish();
    EXPECT_TRUE(p.descriptors.empty());
    EXPECT_TRUE(p.streams.empty());
    EXPECT_EQ(p.own_lines, 0);
    EXPECT_EQ(p.counters.size(), 1U);
    EXPECT_EQ(p.rank, 2);
}

TEST(builder, refuses_what_no_plan_can_hold) {
    plan_builder b{"p", 0, 1};
    EXPECT_THROW(b.emit(0, operation::signal), error);
    auto const s = b.add_stream(-1);
    EXPECT_THROW(b.emit(s, operation::end), error);
}

TEST(operation_names, are_distinct) {
    std::vector<std::string_view> names;
    for (int op = 0; op <= static_cast<int>(operation::end_loop); ++op) names.push_back(to_string(static_cast<operation>(op)));
    std::sort(names.begin(), names.end());
    EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end());
    EXPECT_EQ(to_string(operation::inline_put), "inline_put");
}

} // namespace
} // namespace sode::internal
