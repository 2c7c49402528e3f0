// SPDX-License-Identifier: Apache-2.0
#include "layout/copy_arena.hpp"

#include <set>

namespace sode {
namespace {

using test::byte_offsets;
using test::copy_arena;
using test::expect_copies;

/// Runs source -> target and, where the target has room beside it, the fused pair; tells which kernels were met.
void check(layout const& source, layout const& target, std::set<int>& met) {
    copy_program const p = compile(source, target);
    met.insert(p.kernel);
    index_t const distance = target.extent().second - target.extent().first + 3;
    layout source2 = source;
    layout target2 = target;
    source2.offset += 5;
    target2.offset += distance;
    auto const [first, last] = source.extent();
    copy_arena arena{{first, last + 5}, {target.extent().first, target2.extent().second}};
    auto from = byte_offsets(source);
    auto to = byte_offsets(target);
    ASSERT_NO_FATAL_FAILURE(expect_copies(arena, p, arena.expected(from, to)));
    auto const both = fuse(p, compile(source2, target2));
    ASSERT_TRUE(both);
    met.insert(both->kernel);
    for (index_t const b : byte_offsets(source2)) from.push_back(b);
    for (index_t const b : byte_offsets(target2)) to.push_back(b);
    ASSERT_NO_FATAL_FAILURE(expect_copies(arena, *both, arena.expected(from, to)));
}

std::vector<index_t> block_sizes() {
    std::vector<index_t> sizes;
    for (index_t b = 1; b <= 132; ++b) sizes.push_back(b);
    for (index_t const b :
         {191, 192, 193, 255, 256, 257, 319, 320, 321, 512, 528, 3000, 8191, 8192, 8193, 8448, 8511, 9000, 20'479})
        sizes.push_back(b);
    return sizes;
}

TEST(Kernels, EveryOneIsRightForEveryInstructionSet) {
    std::set<int> met;
    for (index_t const block : block_sizes()) {
        SCOPED_TRACE(block);
        for (index_t const n : {1, 2, 3, 4, 5, 7, 8, 9, 23}) {
            if (block > 400 && n > 2) break;
            ASSERT_NO_FATAL_FAILURE(check({3, block, {{n, block + 11}}, {}}, {1, block, {{n, block + 5}}, {}}, met));
            ASSERT_NO_FATAL_FAILURE(
                check({3, block, {{3, n * (block + 11) + 1}, {n, block + 11}}, {}}, contiguous(9, 3 * n * block), met));
            ASSERT_NO_FATAL_FAILURE(
                check(contiguous(9, 3 * n * block), {3, block, {{3, n * (block + 11) + 1}, {n, block + 11}}, {}}, met));
        }
        if (block > 80) continue;
        // Transposes, with partial tiles on both sides.
        for (auto const& [rows, columns] : {std::pair<index_t, index_t>{9, 17}, {3, 70}, {70, 2}, {35, 40}})
            ASSERT_NO_FATAL_FAILURE(check({0, block, {{rows, columns * block + 64}, {columns, block}}, {}},
                                          {0, block, {{rows, block}, {columns, rows * block + 128}}, {}}, met));
    }
    met.insert(nothing_kernel);
    met.insert(list_kernel);
    met.insert(reference_kernel);
    EXPECT_EQ(met.size(), static_cast<std::size_t>(kernel_count)) << "a kernel that compile() never chooses";
}

TEST(Kernels, TransposesOfFarRowsAreRight) {
    for (index_t const block : {4, 8, 12, 16, 24, 32}) {
        for (index_t const pitch : {5'000, 12 * 1024, 24 * 1024, 64 * 1024}) {
            SCOPED_TRACE(testing::Message() << block << " bytes, rows " << pitch << " apart");
            std::set<int> met;
            ASSERT_NO_FATAL_FAILURE(
                check({0, block, {{37, pitch}, {41, block}}, {}}, {0, block, {{37, block}, {41, 37 * block}}, {}}, met));
            EXPECT_GE(*met.begin(), first_tiled_kernel);
        }
    }
}

TEST(Kernels, LongBlocksAreRightAtEveryPlace) {
    for (index_t const bytes : {longest_row + 1, index_t{16'384}, index_t{70'001}, (index_t{4} << 20) + 3}) {
        layout const source = contiguous(0, bytes);
        for (index_t const at : {0, 1, 16, 63}) {
            layout const target = contiguous(at, bytes);
            copy_arena arena{source.extent(), target.extent()};
            SCOPED_TRACE(testing::Message() << bytes << " bytes at " << at);
            ASSERT_NO_FATAL_FAILURE(
                expect_copies(arena, compile(source, target), arena.expected(byte_offsets(source), byte_offsets(target))));
        }
    }
}

TEST(Kernels, ListsAreRightForEveryBlock) {
    for (index_t const block : block_sizes()) {
        layout scattered;
        for (index_t const i : {7, 2, 5, 0, 11, 3}) scattered.list.push_back({i * (block + 3) + i * i, block});
        layout const packed = contiguous(1, 6 * block);
        copy_program const p = compile(scattered, packed);
        ASSERT_EQ(p.kernel, list_kernel);
        ASSERT_EQ(p.block, block);
        copy_arena arena{scattered.extent(), packed.extent()};
        SCOPED_TRACE(block);
        ASSERT_NO_FATAL_FAILURE(expect_copies(arena, p, arena.expected(byte_offsets(scattered), byte_offsets(packed))));
    }
}

TEST(Kernels, EveryDepthIsWalked) {
    for (int depth = 0; depth <= max_dims; ++depth) {
        layout source{2, 12, {}, {}};
        layout target{1, 12, {}, {}};
        index_t source_stride = 20;
        index_t target_stride = 14;
        for (int d = 0; d < depth; ++d) {
            index_t const n = 2 + d % 2;
            source.loops.insert(source.loops.begin(), {n, source_stride});
            target.loops.insert(target.loops.begin(), {n, target_stride});
            source_stride = source_stride * n + 1;
            target_stride = target_stride * n + 8;
        }
        EXPECT_EQ(compile(source, target).loop_count, depth);
        std::set<int> met;
        SCOPED_TRACE(depth);
        ASSERT_NO_FATAL_FAILURE(check(source, target, met));
    }
}

TEST(Kernels, MoreLoopsThanAProgramHasBecomeAList) {
    layout source{0, 4, {}, {}};
    layout target{0, 4, {}, {}};
    for (index_t d = 0, s = 6, t = 5; d < 10; ++d, s = 2 * s + 1, t = 2 * t + 1) {
        source.loops.insert(source.loops.begin(), {2, s});
        target.loops.insert(target.loops.begin(), {2, t});
    }
    copy_program const p = compile(source, target);
    EXPECT_EQ(p.segments.size(), 1024u);
    copy_arena arena{source.extent(), target.extent()};
    expect_copies(arena, p, arena.expected(byte_offsets(source), byte_offsets(target)));
}

TEST(Kernels, UnitsFitTheirBlocks) {
    EXPECT_EQ(unit_for(8), block_unit::bytes8);
    EXPECT_EQ(unit_for(3), block_unit::pair2);
    EXPECT_EQ(unit_for(63), block_unit::pair32);
    EXPECT_EQ(unit_for(65), block_unit::row);
    EXPECT_EQ(unit_for(256), block_unit::long_row);
    EXPECT_EQ(unit_for(longest_row + 1), block_unit::big);
    EXPECT_EQ(supported_kernel_sets().back(), &baseline_kernels);
}

} // namespace
} // namespace sode
