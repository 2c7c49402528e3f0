// SPDX-License-Identifier: Apache-2.0
// Every copy kernel, of every instruction set, copies what it should and nothing else.
#include "layout/copy_arena.hpp"

#include <set>

namespace sode::internal {
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
    EXPECT_EQ(*met.begin(), first_nest_kernel);
    EXPECT_EQ(met.size(), static_cast<std::size_t>(first_segments_kernel - first_nest_kernel))
        << "a kernel that compile() never chooses";
}

TEST(Kernels, TransposesOfFarRowsAreRight) {
    for (index_t const block : {4, 8, 12, 16, 24, 32}) {
        for (index_t const pitch : {5'000, 12 * 1024, 24 * 1024, 64 * 1024}) {
            SCOPED_TRACE(testing::Message() << block << " bytes, rows " << pitch << " apart");
            std::set<int> met;
            ASSERT_NO_FATAL_FAILURE(
                check({0, block, {{37, pitch}, {41, block}}, {}}, {0, block, {{37, block}, {41, 37 * block}}, {}}, met));
            EXPECT_GE(*met.begin(), first_tiled_kernel);
            EXPECT_LT(*met.rbegin(), first_segments_kernel);
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

/// The same copy by a list of each compact kind, alone and in two loops.
void check_compact(layout const& scattered, layout const& packed, index_t block, std::set<int>& met) {
    std::vector<copy_program::hop> hops;
    std::vector<copy_program::place> places;
    for (auto const& piece : scattered.list) {
        hops.push_back({static_cast<std::int32_t>(piece.offset), static_cast<std::int32_t>(index_t(hops.size()) * block)});
        places.push_back(hops.back().src);
    }
    auto const [low, high] = scattered.extent();
    for (bool const in_loops : {false, true})
        for (auto const form : {copy_encoding::hops, copy_encoding::gather, copy_encoding::scatter}) {
            bool const scatters = form == copy_encoding::scatter;
            layout source = scattered, target = packed;
            if (in_loops) {
                source.loops = {{2, 3 * (high - low) + 5}, {3, high - low + 1}};
                target.loops = {{2, 3 * packed.block}, {3, packed.block}};
            }
            copy_program p;
            p.block = block;
            p.place_step = form == copy_encoding::hops ? 0 : block;
            p.bytes = source.bytes();
            if (form == copy_encoding::hops)
                p.set_table(hops);
            else
                p.set_table(form, places);
            (scatters ? p.src_offset : p.dst_offset) = packed.offset;
            for (std::size_t k = 0; k < source.loops.size(); ++k) {
                p.loops[k] = {source.loops[k].count, source.loops[k].stride, target.loops[k].stride};
                if (scatters) std::swap(p.loops[k].src_stride, p.loops[k].dst_stride);
            }
            p.loop_count = static_cast<std::uint8_t>(source.loops.size());
            p.kernel = kernel_for(p);
            met.insert(p.kernel);
            if (scatters) std::swap(source, target);
            copy_arena arena{source.extent(), target.extent()};
            ASSERT_NO_FATAL_FAILURE(expect_copies(arena, p, arena.expected(byte_offsets(source), byte_offsets(target))));
        }
}

TEST(Kernels, ListsAreRightForEveryBlock) {
    std::set<int> met;
    for (index_t const block : block_sizes()) {
        layout scattered;
        for (index_t const i : {7, 2, 5, 0, 11, 3}) scattered.list.push_back({i * (block + 3) + i * i, block});
        layout const packed = contiguous(1, 6 * block);
        copy_program const p = compile(scattered, packed);
        ASSERT_EQ(p.block, block);
        met.insert(p.kernel);
        copy_arena arena{scattered.extent(), packed.extent()};
        SCOPED_TRACE(block);
        ASSERT_NO_FATAL_FAILURE(expect_copies(arena, p, arena.expected(byte_offsets(scattered), byte_offsets(packed))));
        ASSERT_NO_FATAL_FAILURE(check_compact(scattered, packed, block, met));
    }
    EXPECT_EQ(*met.begin(), first_segments_kernel);
    EXPECT_EQ(met.size(), static_cast<std::size_t>(kernel_count - first_segments_kernel)) << "a kernel that no list gets";
}

// A program is the same thing on every processor: its kernel is a number that follows from its shape.
TEST(Kernels, FollowFromTheShape) {
    test::layout_generator g{91};
    for (int i = 0; i < 500; ++i) {
        auto const radices = g.radices(2000);
        layout const source = g.chance(60) ? g.nest(radices, 5) : g.list(g.between(1, 1500));
        copy_program p = compile(source, contiguous(g.between(0, 63), source.bytes()));
        ASSERT_EQ(p.kernel, kernel_for(p));
        for (copy_program const& q : split(p, 3)) ASSERT_EQ(q.kernel, kernel_for(q));
        for (copy_program const& q : split(by_reference(p), 3)) ASSERT_EQ(q.kernel, reference_kernel);
        if (!p.segments().empty()) continue;
        copy_program beside = p;
        beside.dst_offset += source.bytes() + 64;
        ASSERT_EQ(fuse(p, beside)->kernel, kernel_for(*fuse(p, beside)));
    }
    EXPECT_EQ(copy_program{}.kernel, kernel_for(copy_program{}));
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
    EXPECT_EQ(p.segments().size(), 1024u);
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
} // namespace sode::internal
