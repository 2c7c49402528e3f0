// SPDX-License-Identifier: Apache-2.0
// verify() and dump() read a program in each of its encodings, and follow reductions, changes of sign and calls through a loop.
#include "layout/copy_list.hpp"
#include "layout/copy_rows.hpp"
#include "plan/builder.hpp"
#include "plan/dump.hpp"
#include "plan/toy_plans.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace sode::internal {
namespace {

using ::testing::HasSubstr;
using type = finding::type;

constexpr std::int64_t room = 400;

bool has(std::vector<finding> const& all, type kind) {
    return std::any_of(all.begin(), all.end(), [&](finding const& f) { return f.kind == kind; });
}

/// One rank that copies array 0 to array 1 by one program, after it has set array 1 to array 2 if the program is combined.
toy::job one_program(copy_program const& p, operation op = operation::copy) {
    layout source, target;
    for_each_row(p, [&](index_t src, index_t dst, index_t bytes) {
        source.list.push_back({src, bytes});
        target.list.push_back({dst, bytes});
    });
    plan_builder b{"one program", 0, 1};
    auto const s = b.add_stream(-1);
    auto const array = [&](std::uint32_t ordinal) { return b.add(buffer{.host = 0, .ordinal = ordinal, .bytes = room}); };
    auto const deliver = [&](std::uint32_t from, layout const& what) {
        b.target().deliveries.push_back({.source_rank = 0,
                                         .source_array = from,
                                         .source = what,
                                         .target_array = 1,
                                         .target = target,
                                         .combiner = combiner(reduction::sum, element::f32)});
    };
    if (op == operation::reduce) {
        b.copy(s, operation::copy, array(1), array(2), compile(target, target));
        deliver(2, target);
    }
    b.copy(s, op, array(1), array(0), p).argument = combiner(reduction::sum, element::f32);
    deliver(0, source);
    auto const model = [](std::uint32_t ordinal, bool mine) {
        auto const all = contiguous(0, room);
        return array_model{.ordinal = ordinal,
                           .bytes = room,
                           .buffered = false,
                           .owned = mine ? all : layout{},
                           .readable = mine ? layout{} : all};
    };
    return {{b.finish()}, {{model(0, true), model(1, false), model(2, true)}}};
}

/// Ten rows of eight bytes in each compact encoding: sources and targets at multiples of four.
std::vector<copy_program> ten_rows(std::vector<copy_program::loop> const& loops) {
    copy_program hops = list_program(loops, 80);
    hops.block = 8;
    std::vector<copy_program::hop> list;
    for (std::int32_t i = 0; i < 10; ++i) list.push_back({12 * (i * 7 % 10), 12 * (i * 3 % 10)});
    hops.set_table(list);
    copy_program gather = list_program(loops, 80);
    gather.block = gather.place_step = 8;
    std::vector<std::int32_t> places;
    for (std::int32_t i = 0; i < 10; ++i) places.push_back(12 * (i * 7 % 10));
    gather.set_table(copy_encoding::gather, places);
    copy_program scatter = gather;
    scatter.set_table(copy_encoding::scatter, places);
    return {hops, gather, scatter};
}

TEST(verify, sees_all_rows_of_a_compact_list) {
    for (auto const& loops : {std::vector<copy_program::loop>{}, {{3, 120, 120}}})
        for (auto const& p : ten_rows(loops))
            for (auto const op : {operation::copy, operation::reduce}) {
                auto const sound = one_program(p, op);
                for (auto const& f : verify(sound.plans, sound.arrays)) ADD_FAILURE() << f.message;

                auto j = sound;
                j.plans[0].programs.back().bytes = 8; // one row
                EXPECT_TRUE(has(verify(j.plans, j.arrays), type::malformed));

                j = sound;
                j.plans[0].programs.back().src_offset += 4; // half a row further on
                EXPECT_TRUE(has(verify(j.plans, j.arrays), type::wrong_source));

                j = sound;
                j.plans[0].programs.back().dst_offset += room;
                EXPECT_TRUE(has(verify(j.plans, j.arrays), type::bounds));
            }
}

TEST(verify, judges_the_numbers_of_a_compact_list) {
    auto j = one_program(ten_rows({})[1]);
    j.plans[0].programs[0].place_step = INT64_MAX / 2;
    EXPECT_TRUE(has(verify(j.plans, j.arrays), type::malformed));
}

TEST(dump, json_lists_all_rows_of_a_compact_list) {
    for (auto const& p : ten_rows({{3, 120, 124}})) {
        auto const j = one_program(p);
        auto const program = nlohmann::json::parse(dump(j.plans[0], dump_format::json))["programs"][0];
        EXPECT_EQ(program["bytes"], 240);
        ASSERT_EQ(program["segments"].size(), 10U);
        std::size_t i = 0;
        for_each_entry(p, [&](index_t src, index_t dst, index_t bytes) {
            EXPECT_EQ(program["segments"][i++], (std::vector<index_t>{src, dst, bytes}));
        });
        ASSERT_EQ(program["loops"].size(), 1U);
        EXPECT_EQ(program["loops"][0]["dst_stride"], 124);
    }
}

/// One rank that runs `emit`'s descriptors in a loop of four over array 1, 16 bytes further on each time.
template <class Emit> toy::job in_a_loop(Emit emit) {
    plan_builder b{"in a loop", 0, 1};
    auto const s = b.add_stream(-1);
    auto const from = b.add(buffer{.host = 0, .ordinal = 0, .bytes = room});
    auto const to = b.add(buffer{.host = 0, .ordinal = 1, .bytes = room});
    b.emit(s, operation::loop).argument = 4;
    emit(b, s, from, to);
    b.emit(s, operation::end_loop);
    auto const by = b.add(loop_strides{.src = {16}, .dst = {16}});
    auto p = b.finish();
    for (auto& d : p.descriptors)
        if (moves_data(d.op) || d.op == operation::call) d.strides = by;
    return {{std::move(p)},
            {{{.ordinal = 0, .bytes = room, .buffered = false, .owned = contiguous(0, room), .readable = {}},
              {.ordinal = 1, .bytes = room, .buffered = false, .owned = {}, .readable = contiguous(0, 64)}}}};
}

copy_program block(index_t bytes) {
    return compile(contiguous(0, bytes), contiguous(0, bytes));
}

TEST(verify, follows_a_change_of_sign_through_a_loop) {
    auto j = in_a_loop([](auto& b, auto s, auto from, auto to) {
        b.copy(s, operation::negate, to, from, block(16)).src_offset = 8;
        b.target().deliveries.push_back({.source_rank = 0,
                                         .source_array = 0,
                                         .source = contiguous(8, 64),
                                         .target_array = 1,
                                         .target = contiguous(0, 64),
                                         .negated = true});
    });
    for (auto const& f : verify(j.plans, j.arrays)) ADD_FAILURE() << f.message;
    j.plans[0].strides.back().src.bytes = 8;
    EXPECT_TRUE(has(verify(j.plans, j.arrays), type::wrong_source));
}

TEST(verify, follows_a_call_through_a_loop) {
    auto const with = [](std::int64_t offset) {
        return in_a_loop([&](auto& b, auto s, auto from, auto to) {
            b.copy(s, operation::copy, to, from, block(8)).src_offset = 8;
            b.target().calls.push_back({.array = 1, .reads = contiguous(0, 8), .writes = contiguous(8, 8)});
            auto& d = b.emit(s, operation::call);
            d.dst = d.src = to;
            d.dst_offset = offset;
            layout const eights{0, 8, {{4, 16}}, {}}, others{8, 8, {{4, 16}}, {}};
            b.target().deliveries.push_back(
                {.source_rank = 0, .source_array = 0, .source = others, .target_array = 1, .target = eights});
            b.target().deliveries.push_back(
                {.source_rank = 0, .source_array = 1, .source = others, .target_array = 1, .target = others});
        });
    };
    auto j = with(0);
    for (auto const& f : verify(j.plans, j.arrays)) ADD_FAILURE() << f.message;
    EXPECT_THAT(dump(j.plans[0]), HasSubstr("call 0: 8 B of array 1 of rank 0 + 16i"));
    j = with(-16);
    EXPECT_TRUE(has(verify(j.plans, j.arrays), type::bounds));
    j = with(8); // reads what nobody has written
    EXPECT_TRUE(has(verify(j.plans, j.arrays), type::uninitialised));
    j = with(0);
    j.plans[0].strides.back().dst.bytes = 0; // one place four times
    EXPECT_TRUE(has(verify(j.plans, j.arrays), type::duplicate));
}

/// A copy of 64 bytes in two loops, of two and of four.
toy::job nested(std::uint32_t outer_strides = 1) {
    plan_builder b{"nested", 0, 1};
    auto const s = b.add_stream(-1);
    auto const from = b.add(buffer{.host = 0, .ordinal = 0, .bytes = room});
    auto const to = b.add(buffer{.host = 0, .ordinal = 1, .bytes = room});
    auto const outer = b.add(loop_strides{.src = {8}, .dst = {32}});
    b.emit(s, operation::loop).argument = 2;
    b.emit(s, operation::loop).argument = 4;
    auto& d = b.copy(s, operation::copy, to, from, block(8));
    d.strides = b.add(loop_strides{.src = {16}, .dst = {8}, .outer = outer * outer_strides});
    b.emit(s, operation::end_loop);
    b.emit(s, operation::end_loop);
    b.target().deliveries.push_back({.source_rank = 0,
                                     .source_array = 0,
                                     .source = {0, 8, {{2, 8}, {4, 16}}, {}},
                                     .target_array = 1,
                                     .target = contiguous(0, 64)});
    return {{b.finish()},
            {{{.ordinal = 0, .bytes = room, .buffered = false, .owned = contiguous(0, room), .readable = {}},
              {.ordinal = 1, .bytes = room, .buffered = false, .owned = {}, .readable = contiguous(0, 64)}}}};
}

std::string only_message(toy::job const& j) {
    auto const all = verify(j.plans, j.arrays);
    if (all.empty()) return "nothing";
    EXPECT_EQ(all.front().kind, type::malformed) << all.front().message;
    return all.front().message;
}

TEST(verify, follows_loops_in_loops) {
    auto j = nested();
    for (auto const& f : verify(j.plans, j.arrays)) ADD_FAILURE() << f.message;
    EXPECT_THAT(dump(j.plans[0]), HasSubstr("      copy 8 B: array 1 of rank 0 + 8i + 32j <- array 0 of rank 0 + 16i + 8j"));
    j = nested(0);
    EXPECT_TRUE(has(verify(j.plans, j.arrays), type::duplicate));
}

TEST(verify, refuses_strides_that_mean_nothing) {
    auto j = nested();
    j.plans[0].strides[1].outer = 1; // goes round
    EXPECT_THAT(only_message(j), HasSubstr("has strides for more loops than there are (it is inside 2 loops)"));
    j = nested();
    j.plans[0].strides[1].outer = 9;
    EXPECT_THAT(only_message(j), HasSubstr("names strides that are not in the table"));
    j = nested();
    j.plans[0].strides[1].src.phase = 1;
    EXPECT_THAT(only_message(j), HasSubstr("begins outside of its ring (phase 1 of 0 slots)"));
    j = nested();
    j.plans[0].strides[2].dst.bytes = std::int64_t{1} << 46U;
    EXPECT_THAT(only_message(j), HasSubstr("has a stride that is too large"));
    j = nested();
    j.plans[0].strides[0].dst.bytes = 8;
    EXPECT_THAT(only_message(j), HasSubstr("first strides are not empty"));
    j = nested();
    j.plans[0].descriptors[0].src_offset = 8;
    EXPECT_THAT(only_message(j), HasSubstr("each descriptor in the loop must state its own"));
    j = nested();
    for (std::size_t more = 0; more < most_loops; ++more) {
        auto& all = j.plans[0].descriptors;
        all.insert(all.begin(), {.op = operation::loop, .argument = 1});
        all.insert(all.end() - 1, {.op = operation::end_loop});
    }
    EXPECT_THAT(only_message(j), HasSubstr("is too deep (loops nest 8 times)"));
}

} // namespace
} // namespace sode::internal
