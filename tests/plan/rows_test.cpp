// SPDX-License-Identifier: Apache-2.0
#include "plan/rows.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <random>

namespace sode {
namespace {

constexpr std::size_t room = 4096;

// Rows must mean what the reference kernel does.
void expect_like_reference(copy_program const& p) {
    std::vector<std::byte> source(room), expected(room), found(room);
    for (std::size_t i = 0; i < room; ++i) source[i] = static_cast<std::byte>(1 + i * 7 % 251);
    run_reference(p, expected.data(), source.data());
    index_t moved = 0, first_src = room, last_src = 0, first_dst = room, last_dst = 0;
    for_each_row(p, [&](index_t src, index_t dst, index_t bytes) {
        std::copy_n(source.begin() + src, bytes, found.begin() + dst);
        moved += bytes;
        first_src = std::min(first_src, src);
        first_dst = std::min(first_dst, dst);
        last_src = std::max(last_src, src + bytes);
        last_dst = std::max(last_dst, dst + bytes);
    });
    EXPECT_EQ(found, expected);
    EXPECT_EQ(moved, p.bytes);
    if (moved == 0) return;
    auto const r = reach_of(p);
    EXPECT_EQ(r.source, std::pair(first_src, last_src));
    EXPECT_EQ(r.target, std::pair(first_dst, last_dst));
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

TEST(rows, of_random_nests_are_what_the_reference_kernel_copies) {
    std::mt19937 random{7};
    for (int round = 0; round < 300; ++round) {
        index_t const block = 1 + static_cast<index_t>(random() % 8);
        std::vector<index_t> counts;
        for (std::size_t loops = random() % 4; loops > 0; --loops) counts.push_back(1 + static_cast<index_t>(random() % 4));
        auto const from = random_nest(random, block, counts), to = random_nest(random, block, counts);
        if (from.extent().second > index_t{room} || to.extent().second > index_t{room}) continue;
        expect_like_reference(compile(from, to));
    }
}

TEST(rows, of_a_list) {
    layout const list{.offset = 0, .block = 0, .loops = {}, .list = {{64, 8}, {8, 24}, {200, 16}}};
    expect_like_reference(compile_pack(list));
    expect_like_reference(compile_unpack(list));
}

TEST(rows, of_twins) {
    layout const low{.offset = 0, .block = 8, .loops = {{5, 64}}, .list = {}};
    layout const high{.offset = 40, .block = 8, .loops = {{5, 64}}, .list = {}};
    layout const to{.offset = 512, .block = 8, .loops = {{5, 32}}, .list = {}};
    layout const to_high{.offset = 1024, .block = 8, .loops = {{5, 32}}, .list = {}};
    auto const both = fuse(compile(low, to), compile(high, to_high));
    ASSERT_TRUE(both && both->twin);
    expect_like_reference(*both);
}

TEST(rows, of_nothing) {
    expect_like_reference(compile(contiguous(8, 0), contiguous(16, 0)));
}

} // namespace
} // namespace sode
