// SPDX-License-Identifier: Apache-2.0
// Chunks of a copy do together what the whole does, and share no line of the target.
#include "layout/copy_arena.hpp"

#include <map>
#include <set>
#include <sode/error.hpp>

namespace sode::internal {
namespace {

using test::byte_offsets;
using test::copy_arena;
using test::layout_generator;

/// Which lines of the target a program writes.
std::set<index_t> lines_written(copy_program const& p) {
    std::set<index_t> lines;
    auto const add = [&](index_t first, index_t bytes) {
        for (index_t b = first; b < first + bytes; ++b) lines.insert((b + 64'000) / 64);
    };
    for (auto const& q : p.segments()) add(q.dst, q.bytes);
    if (!p.segments().empty()) return lines;
    layout l{p.dst_offset, p.block, {}, {}};
    for (int k = 0; k < p.loop_count; ++k) l.loops.push_back({p.loops[k].count, p.loops[k].dst_stride});
    for (index_t const b : byte_offsets(l)) {
        add(b, 1);
        if (p.twin) add(b + p.twin_dst, 1);
    }
    return lines;
}

/// Lines that more than one program writes.
std::size_t shared_lines(std::vector<copy_program> const& programs) {
    std::map<index_t, int> writers;
    for (auto const& p : programs)
        for (index_t const l : lines_written(p)) ++writers[l];
    return static_cast<std::size_t>(std::count_if(writers.begin(), writers.end(), [](auto const& w) { return w.second > 1; }));
}

void expect_same(copy_program const& whole, std::vector<copy_program> const& chunks, copy_arena& arena) {
    arena.clear();
    run_reference(whole, arena.target(), arena.source());
    auto const expected = arena.bytes();
    index_t bytes = 0;
    arena.clear();
    for (auto const& c : chunks) {
        bytes += c.bytes;
        run(c, arena.target(), arena.source());
    }
    ASSERT_TRUE(arena.bytes() == expected);
    ASSERT_EQ(bytes, whole.bytes) << "a byte is moved twice";
}

TEST(Split, ChunksDoTheWorkOfTheWhole) {
    layout_generator g{51};
    for (int i = 0; i < 600; ++i) {
        auto radices = g.radices(4000);
        layout const source = g.chance(80) ? g.nest(radices, 5) : g.list(g.between(1, 1000));
        if (g.chance(30)) g.shuffle(radices);
        layout const target = source.indexed() ? contiguous(g.between(0, 63), source.bytes()) : g.nest(radices, 5);
        copy_program whole = compile(source, target);
        auto source_extent = source.extent();
        auto target_extent = target.extent();
        if (whole.segments().empty() && g.chance(20)) {
            copy_program beside = whole;
            index_t const distance = target_extent.second - target_extent.first + g.between(0, 100);
            beside.dst_offset += distance;
            beside.src_offset += 8;
            whole = *fuse(whole, beside);
            target_extent.second += distance;
            source_extent.second += 8;
        }
        int const parts = static_cast<int>(g.between(1, 9));
        auto const chunks = split(whole, parts);
        SCOPED_TRACE(i);
        ASSERT_LE(chunks.size(), static_cast<std::size_t>(parts));
        ASSERT_GE(chunks.size(), 1u);
        copy_arena arena{source_extent, target_extent};
        ASSERT_NO_FATAL_FAILURE(expect_same(whole, chunks, arena));
        if (!whole.twin && whole.bytes < 4096) {
            ASSERT_EQ(shared_lines(chunks), 0u);
        }
    }
}

TEST(Split, IsEvenWhereTheShapeAllows) {
    auto const sizes = [](copy_program const& p, int parts) {
        std::vector<index_t> bytes;
        for (auto const& c : split(p, parts)) bytes.push_back(c.bytes);
        return bytes;
    };
    using testing::ElementsAre;
    EXPECT_THAT(sizes(compile_pack(contiguous(0, 4096)), 4), ElementsAre(1024, 1024, 1024, 1024));
    EXPECT_THAT(sizes(compile_pack({0, 8, {{64, 34848}, {64, 528}}, {}}), 2), ElementsAre(16384, 16384));
    EXPECT_THAT(sizes(compile_pack({0, 8, {{4, 65536}, {1000, 64}}, {}}), 3), ElementsAre(10752, 10752, 10496));
    EXPECT_THAT(sizes(compile({0, 512, {{64, 528}}, {}}, {0, 512, {{64, 640}}, {}}), 4), ElementsAre(8192, 8192, 8192, 8192));
    // Two planes far apart, four parts: each plane is halved.
    EXPECT_THAT(sizes(compile_unpack({0, 64, {{2, 1 << 20}, {100, 128}}, {}}), 4), ElementsAre(3200, 3200, 3200, 3200));
}

TEST(Split, NeverSharesALineOfATranspose) {
    index_t const n = 96;
    copy_program const p = compile({0, 8, {{n, n * 8}, {n, 8}}, {}}, {0, 8, {{n, 8}, {n, n * 8}}, {}});
    auto const chunks = split(p, 5);
    EXPECT_GE(chunks.size(), 4u);
    EXPECT_EQ(shared_lines(chunks), 0u);
}

TEST(Split, CutsATransposeWhereLinesOfTheSourceEnd) {
    // A block of 384^2 numbers of 16 bytes out of rows of 768: four rows of the target come from one line of the source.
    index_t const n = 384;
    copy_program const p = compile({0, 16, {{n, 16}, {n, 32 * n}}, {}}, {0, 16, {{n, 32 * n}, {n, 16}}, {}});
    index_t rows = 0;
    auto const chunks = split(p, 64);
    EXPECT_EQ(chunks.size(), 48u);
    for (auto const& c : chunks) {
        rows += c.bytes / (16 * n);
        EXPECT_EQ(c.src_offset % 64, 0);
        EXPECT_EQ(c.bytes, 8 * 16 * n);
    }
    EXPECT_EQ(rows, n);
    EXPECT_EQ(shared_lines(chunks), 0u);
}

TEST(Split, RatherFewerChunksThanASharedLine) {
    EXPECT_EQ(split(compile_pack({0, 8, {{8, 512}}, {}}), 4).size(), 1u);
    EXPECT_EQ(split(compile_pack({0, 8, {{16, 512}}, {}}), 4).size(), 2u);
    EXPECT_EQ(split(compile_unpack({0, 4, {{6, 8}}, {}}), 3).size(), 1u);
    // Long rows that end within a line: one shared line between chunks is the lesser evil.
    EXPECT_EQ(split(compile_unpack({0, 8'000, {{4, 8'001}}, {}}), 4).size(), 4u);
}

TEST(Split, RejectsNoParts) {
    EXPECT_THROW((void)split(compile_pack(contiguous(0, 8)), 0), error);
}

} // namespace
} // namespace sode::internal
