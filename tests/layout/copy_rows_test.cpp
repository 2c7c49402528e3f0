// SPDX-License-Identifier: Apache-2.0
// What for_each_row() says of a program, in each of its encodings, is what the two layouts say that it was made of, byte by byte;
// and what the kernels do.
#include "layout/copy_rows.hpp"

#include "layout/copy_arena.hpp"
#include "layout/copy_flat.hpp"
#include "layout/copy_list.hpp"
#include "layout/copy_sequence.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace sode::internal {
namespace {

using test::copy_arena;
using test::layout_generator;

/// Which source byte each target byte gets.
using byte_map = std::map<index_t, index_t>;

byte_map bytes_of(layout const& source, layout const& target) {
    auto const from = test::byte_offsets(source), to = test::byte_offsets(target);
    byte_map all;
    for (std::size_t i = 0; i < from.size(); ++i) all[to[i]] = from[i];
    return all;
}

/// By the visitor, whose rows must also be as many bytes, and reach as far, as the program says.
byte_map bytes_of(std::vector<copy_program> const& programs) {
    byte_map all;
    for (copy_program const& p : programs) {
        index_t moved = 0;
        reach seen{{INT64_MAX, INT64_MIN}, {INT64_MAX, INT64_MIN}};
        for_each_row(p, [&](index_t src, index_t dst, index_t bytes) {
            EXPECT_GT(bytes, 0);
            for (index_t i = 0; i < bytes; ++i) EXPECT_TRUE(all.emplace(dst + i, src + i).second) << "twice to " << dst + i;
            moved += bytes;
            seen.source = {std::min(seen.source.first, src), std::max(seen.source.second, src + bytes)};
            seen.target = {std::min(seen.target.first, dst), std::max(seen.target.second, dst + bytes)};
        });
        EXPECT_EQ(moved, p.bytes);
        if (moved == 0) seen = {};
        EXPECT_EQ(reach_of(p).source, seen.source);
        EXPECT_EQ(reach_of(p).target, seen.target);
    }
    return all;
}

void expect_like_kernels(copy_program const& p) {
    auto const [source, target] = reach_of(p);
    copy_arena arena{source, target};
    std::vector<index_t> from, to;
    for (auto const& [dst, src] : bytes_of({p})) from.push_back(src), to.push_back(dst);
    ASSERT_NO_FATAL_FAILURE(expect_copies(arena, p, arena.expected(from, to)));
}

/// A program that was written into one block, which then was copied elsewhere and is all that is left, moves the same bytes: by an
/// interpreter that knows the visitor only, and by the kernels.
void expect_same_when_flat(copy_program p) {
    auto const [source, target] = reach_of(p);
    copy_arena arena{source, target};
    run_reference(p, arena.target(), arena.source());
    auto const expected = arena.bytes();
    std::vector<std::uint64_t> elsewhere;
    {
        std::vector<std::uint64_t> block(flat_bytes(p) / 8);
        flatten(p, reinterpret_cast<std::byte*>(block.data()));
        elsewhere.resize(block.size());
        std::memcpy(elsewhere.data(), block.data(), flat_bytes(p));
        std::fill(block.begin(), block.end(), ~std::uint64_t{0});
        p = {};
    }
    copy_view const there = view_of_flat(reinterpret_cast<std::byte const*>(elsewhere.data()));
    arena.clear();
    for_each_row(there, [&](index_t src, index_t dst, index_t bytes) {
        std::memcpy(arena.target() + dst, arena.source() + src, static_cast<std::size_t>(bytes));
    });
    ASSERT_EQ(arena.bytes(), expected);
    ASSERT_NO_FATAL_FAILURE(expect_copies(arena, there, expected));
}

/// Ten rows of eight bytes, as an irregular list on one side, in the loops given.
copy_program ten_hops(std::vector<copy_program::loop> const& loops = {}) {
    copy_program p = list_program(loops, 80);
    p.block = 8;
    p.src_offset = 40;
    p.dst_offset = 16;
    std::vector<copy_program::hop> hops;
    for (std::int32_t i = 0; i < 10; ++i) hops.push_back({16 * (i * 7 % 10), 24 * (i * 3 % 10)});
    p.set_table(std::move(hops));
    p.kernel = kernel_for(p);
    return p;
}
copy_program ten_places(bool in_source, std::vector<copy_program::loop> const& loops = {}) {
    copy_program p = list_program(loops, 80);
    p.block = 8;
    p.place_step = 8;
    std::vector<std::int32_t> places;
    for (std::int32_t i = 0; i < 10; ++i) places.push_back(16 * (i * 7 % 10) - 24);
    p.set_table(in_source ? copy_encoding::gather : copy_encoding::scatter, std::move(places));
    p.kernel = kernel_for(p);
    return p;
}

layout random_nest(std::mt19937& random, index_t block, std::vector<index_t> const& counts) {
    layout l{.offset = 0, .block = block, .loops = {}, .list = {}};
    index_t stride = block;
    for (auto const count : counts) {
        stride += static_cast<index_t>(random() % 3) * block;
        l.loops.insert(l.loops.begin(), {count, stride});
        stride *= count;
    }
    if (random() % 3 == 0 && !l.loops.empty()) {
        auto& loop = l.loops.front(); // downwards
        l.offset += (loop.count - 1) * loop.stride;
        loop.stride = -loop.stride;
    }
    l.offset += static_cast<index_t>(random() % 5) * block;
    return l;
}

TEST(rows, of_random_nests_are_those_of_their_layouts) {
    std::mt19937 random{7};
    for (int round = 0; round < 300; ++round) {
        index_t const block = 1 + static_cast<index_t>(random() % 8);
        std::vector<index_t> counts;
        for (std::size_t loops = random() % 4; loops > 0; --loops) counts.push_back(1 + static_cast<index_t>(random() % 4));
        auto const from = random_nest(random, block, counts), to = random_nest(random, block, counts);
        auto const p = compile(from, to);
        EXPECT_EQ(bytes_of({p}), bytes_of(from, to));
        ASSERT_NO_FATAL_FAILURE(expect_same_when_flat(p));
        ASSERT_NO_FATAL_FAILURE(expect_like_kernels(p));
    }
}

TEST(rows, of_a_list) {
    layout const list{.offset = 0, .block = 0, .loops = {}, .list = {{64, 8}, {8, 24}, {200, 16}}};
    EXPECT_EQ(bytes_of({compile_pack(list)}), bytes_of(list, contiguous(0, 48)));
    EXPECT_EQ(bytes_of({compile_unpack(list)}), bytes_of(contiguous(0, 48), list));
}

// A list of ten rows was once taken for one row.
TEST(rows, of_a_compact_list_are_all_its_rows) {
    std::vector<copy_program::loop> const alone, around{{3, 500, 400}, {2, -1000, 2000}};
    for (auto const& loops : {alone, around})
        for (auto const& p : {ten_hops(loops), ten_places(true, loops), ten_places(false, loops)}) {
            index_t rows = 0;
            for_each_row(p, [&](index_t, index_t, index_t bytes) {
                ++rows;
                EXPECT_EQ(bytes, 8);
            });
            EXPECT_EQ(rows, loops.empty() ? 10 : 60);
            EXPECT_EQ(entry_count(p), 10);
            EXPECT_TRUE(is_list(p));
            ASSERT_NO_FATAL_FAILURE(expect_like_kernels(p));
        }
}

TEST(rows, of_a_list_whose_segments_are_in_loops) {
    copy_program p = list_program({{3, 100, 80}}, 15);
    p.set_table(std::vector<copy_program::segment>{{0, 7, 3}, {20, 0, 5}, {8, 30, 7}});
    p.kernel = kernel_for(p);
    p.src_offset = 5;
    p.dst_offset = -9;
    layout const source{5, 0, {{3, 100}}, {{0, 3}, {20, 5}, {8, 7}}}, target{-9, 0, {{3, 80}}, {{7, 3}, {0, 5}, {30, 7}}};
    EXPECT_EQ(bytes_of({p}), bytes_of(source, target));
    ASSERT_NO_FATAL_FAILURE(expect_like_kernels(p));
}

TEST(rows, of_random_lists_and_sequences_are_those_of_their_layouts) {
    layout_generator g{71};
    int lists = 0, compact = 0, in_loops = 0;
    for (int round = 0; round < 300; ++round) {
        layout source = normalised(g.chance(50) ? g.list(g.between(1, 600)) : g.nest(g.radices(600), 3));
        if (g.chance(40) && source.bytes() > 0) source = normalised({0, 0, {{3, 4096}}, {}, {source}});
        layout const target = normalised(g.chance(60) ? g.list(source.bytes()) : contiguous(g.between(-99, 99), source.bytes()));
        auto const s = compile_sequence(source, target);
        EXPECT_EQ(bytes_of(s.steps), bytes_of(source, target));
        EXPECT_EQ(bytes_of({compile(source, target)}), bytes_of(source, target));
        for (copy_program const& p : s.steps) {
            lists += is_list(p);
            compact += is_list(p) && p.segments().empty();
            in_loops += is_list(p) && p.loop_count > 0;
            ASSERT_NO_FATAL_FAILURE(expect_same_when_flat(p));
            for (copy_program const& part : split(p, 3)) ASSERT_NO_FATAL_FAILURE(expect_like_kernels(part));
        }
    }
    // Blocks of one size, which are what compact lists are for, with a period on both sides.
    for (int round = 0; round < 100; ++round) {
        std::vector<index_t> order(40);
        std::iota(order.begin(), order.end(), index_t{0});
        g.shuffle(order);
        layout source{0, 0, {}, {}}, target{0, 0, {}, {}};
        for (index_t const k : order) source.list.push_back({k * 24, 8});
        g.shuffle(order);
        for (index_t const k : order) target.list.push_back({k * 16, 8});
        if (round % 3 == 0) target = contiguous(0, 320);
        if (round % 2 == 0) source.loops = {{4, 1000}}, target = normalised({0, 0, {{4, 2000}}, {}, {target}});
        auto const s = compile_sequence(normalised(source), normalised(target));
        EXPECT_EQ(bytes_of(s.steps), bytes_of(source, target));
        for (copy_program const& p : s.steps) {
            compact += is_list(p) && p.segments().empty();
            in_loops += is_list(p) && p.loop_count > 0;
            ASSERT_NO_FATAL_FAILURE(expect_like_kernels(p));
            ASSERT_NO_FATAL_FAILURE(expect_same_when_flat(p));
        }
    }
    EXPECT_GT(lists, 100);
    EXPECT_GT(compact, 100);
    EXPECT_GT(in_loops, 20);
}

TEST(rows, are_kept_by_those_who_share_a_table) {
    copy_program part = ten_hops();
    {
        copy_program const whole = part;
        part.take_entries(3, 7);
        part.bytes = 32;
        EXPECT_EQ(bytes_of({whole}).size(), 80U);
    }
    EXPECT_EQ(bytes_of({part}).size(), 32U);
    ASSERT_NO_FATAL_FAILURE(expect_like_kernels(part));
    copy_program other = part;
    other.set_table(std::vector<copy_program::hop>{{0, 0}});
    EXPECT_EQ(part.entries, 4);
    EXPECT_EQ(part.hops()[0].src, 16 * (3 * 7 % 10));
}

TEST(rows, of_lists_are_not_fused) {
    EXPECT_FALSE(fuse(ten_hops(), ten_hops()));
    EXPECT_FALSE(fuse(ten_places(true), ten_places(true)));
}

TEST(rows, of_twins) {
    layout const low{.offset = 0, .block = 8, .loops = {{5, 64}}, .list = {}};
    layout const high{.offset = 40, .block = 8, .loops = {{5, 64}}, .list = {}};
    layout const to{.offset = 512, .block = 8, .loops = {{5, 32}}, .list = {}};
    layout const to_high{.offset = 1024, .block = 8, .loops = {{5, 32}}, .list = {}};
    auto const both = fuse(compile(low, to), compile(high, to_high));
    ASSERT_TRUE(both && both->twin);
    auto expected = bytes_of(low, to);
    expected.merge(bytes_of(high, to_high));
    EXPECT_EQ(bytes_of({*both}), expected);
    ASSERT_NO_FATAL_FAILURE(expect_same_when_flat(*both));
    ASSERT_NO_FATAL_FAILURE(expect_like_kernels(*both));
}

TEST(rows, of_nothing) {
    EXPECT_TRUE(bytes_of({compile(contiguous(8, 0), contiguous(16, 0))}).empty());
    EXPECT_TRUE(bytes_of({copy_program{}}).empty());
}

} // namespace
} // namespace sode::internal
