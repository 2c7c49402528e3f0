// SPDX-License-Identifier: Apache-2.0
// Compiled copies of random pairs of layouts do what a loop over bytes does.
#include "layout/copy_arena.hpp"

#include <set>
#include <sode/error.hpp>
#include <sys/mman.h>

namespace sode::internal {
namespace {

using test::byte_offsets;
using test::copy_arena;
using test::expect_copies;
using test::layout_generator;

void check_pair(layout const& source, layout const& target) {
    copy_program const p = compile(source, target);
    ASSERT_EQ(p.bytes, source.bytes());
    copy_arena arena{source.extent(), target.extent()};
    expect_copies(arena, p, arena.expected(byte_offsets(source), byte_offsets(target)));
}

TEST(Compile, CopiesRandomPairsOfNests) {
    layout_generator g{41};
    int lists = 0;
    for (int i = 0; i < 1'500; ++i) {
        auto radices = g.radices(2000);
        layout const source = g.nest(radices, 7);
        if (g.chance(30)) g.shuffle(radices); // then there may be no common refinement
        layout const target = g.nest(radices, 7);
        SCOPED_TRACE(i);
        ASSERT_NO_FATAL_FAILURE(check_pair(source, target));
        lists += compile(source, target).segments().empty() ? 0 : 1;
    }
    EXPECT_GT(lists, 50);
    EXPECT_LT(lists, 750);
}

TEST(Compile, CopiesRandomLists) {
    layout_generator g{42};
    for (int i = 0; i < 600; ++i) {
        auto const radices = g.radices(1500);
        layout const nest = g.nest(radices, 7);
        layout const list = g.list(nest.bytes());
        SCOPED_TRACE(i);
        ASSERT_NO_FATAL_FAILURE(check_pair(nest, list));
        ASSERT_NO_FATAL_FAILURE(check_pair(list, nest));
        ASSERT_NO_FATAL_FAILURE(check_pair(list, g.list(list.bytes())));
    }
}

TEST(Compile, CopiesRandomSequences) {
    layout_generator g{48};
    for (int i = 0; i < 600; ++i) {
        layout const source = g.tree(800, 2);
        layout const target = g.chance(50) ? g.list(source.bytes()) : contiguous(5, source.bytes());
        SCOPED_TRACE(i);
        ASSERT_NO_FATAL_FAILURE(check_pair(source, target));
    }
}

TEST(Compile, PacksAndUnpacks) {
    layout_generator g{43};
    for (int i = 0; i < 600; ++i) {
        layout const l = g.chance(80) ? g.nest(g.radices(3000), 7) : g.list(g.between(1, 500));
        layout const packed = contiguous(0, l.bytes());
        copy_arena there{l.extent(), packed.extent()};
        SCOPED_TRACE(i);
        ASSERT_NO_FATAL_FAILURE(expect_copies(there, compile_pack(l), there.expected(byte_offsets(l), byte_offsets(packed))));
        copy_arena back{packed.extent(), l.extent()};
        ASSERT_NO_FATAL_FAILURE(expect_copies(back, compile_unpack(l), back.expected(byte_offsets(packed), byte_offsets(l))));
    }
}

TEST(Compile, CopiesSectionsOfSevenDimensions) {
    layout_generator g{44};
    for (int i = 0; i < 100; ++i) {
        std::array<index_t, max_dims> source_strides{};
        std::array<index_t, max_dims> target_strides{};
        section s{max_dims, {}};
        index_t const element = g.between(1, 64);
        index_t source_stride = element;
        index_t target_stride = element;
        for (std::size_t d = max_dims; d-- > 0;) {
            index_t const n = g.between(1, 3);
            index_t const lower = g.between(0, 1);
            s.dim[d] = {lower, lower + n, 1};
            source_strides[d] = source_stride;
            target_strides[d] = target_stride;
            source_stride *= n + g.between(1, 2);
            target_stride *= n + g.between(1, 2);
        }
        if (source_stride + target_stride > 20'000'000) continue;
        SCOPED_TRACE(i);
        ASSERT_NO_FATAL_FAILURE(check_pair(of_section(s, source_strides, element), of_section(s, target_strides, element)));
    }
}

TEST(Compile, SourceMayRepeatItself) {
    check_pair({5, 8, {{6, 0}, {4, 24}}, {}}, contiguous(0, 192));
    check_pair({5, 8, {{4, 24}, {6, 0}}, {}}, {0, 8, {{24, 16}}, {}});
}

TEST(Compile, TakesNoLongerForMoreBlocks) {
    index_t const n = index_t{1} << 18;
    copy_program const p = compile_pack({0, 8, {{n, n * 1024}, {n, 512}}, {}});
    EXPECT_TRUE(p.segments().empty());
    EXPECT_EQ(p.bytes, 8 * n * n);
    EXPECT_EQ(p.loop_count, 2);
}

TEST(Compile, MovesBeyondFourGigabytes) {
    index_t const gib = index_t{1} << 30;
    auto const map = [](index_t bytes) {
        void* const m = mmap(nullptr, static_cast<std::size_t>(bytes), PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        return m == MAP_FAILED ? nullptr : static_cast<std::byte*>(m);
    };
    std::byte* const source = map(16 * gib);
    std::byte* const target = map(16 * gib);
    ASSERT_TRUE(source && target);
    layout const from{8, 8, {{3, 5 * gib}, {4, 4096}}, {}};
    layout const to{16, 8, {{3, 4 * gib + 64}, {4, 128}}, {}};
    for (index_t i = 0; i < 3; ++i)
        for (index_t j = 0; j < 4; ++j) source[8 + i * 5 * gib + j * 4096] = static_cast<std::byte>(1 + i * 4 + j);
    for (kernel_set const* const set : supported_kernel_sets()) {
        run(*set, compile(from, to), target, source);
        for (index_t i = 0; i < 3; ++i)
            for (index_t j = 0; j < 4; ++j) {
                std::byte& b = target[16 + i * (4 * gib + 64) + j * 128];
                ASSERT_EQ(b, static_cast<std::byte>(1 + i * 4 + j));
                b = std::byte{0};
            }
    }
    munmap(source, static_cast<std::size_t>(16 * gib));
    munmap(target, static_cast<std::size_t>(16 * gib));
}

TEST(Compile, NothingIsAProgramToo) {
    copy_program const p = compile(layout{}, contiguous(3, 0));
    EXPECT_EQ(p.bytes, 0);
    run(p, nullptr, nullptr);
    run_reference(p, nullptr, nullptr);
    run(copy_program{}, nullptr, nullptr);
    EXPECT_TRUE(split(p, 3).empty());
}

TEST(Compile, RejectsDifferentSizes) {
    try {
        (void)compile(contiguous(0, 8), contiguous(0, 9));
        FAIL();
    } catch (error const& e) {
        EXPECT_EQ(e.kind(), error_kind::usage);
        EXPECT_THAT(e.what(), testing::HasSubstr("8 bytes cannot be copied to 9 bytes"));
    }
}

TEST(Compile, RejectsExactlyTheTargetsThatOverlapThemselves) {
    layout_generator g{45};
    int overlapping = 0;
    for (int i = 0; i < 5'000; ++i) {
        layout l{g.between(-20, 20), g.between(1, 6), {}, {}};
        if (g.chance(20)) {
            l = g.tree(60, 2);
        } else if (g.chance(20)) {
            l = {};
            for (index_t k = g.between(2, 6); k > 0; --k) l.list.push_back({g.between(0, 60), g.between(1, 8)});
        } else {
            for (index_t k = g.between(1, 4); k > 0; --k) l.loops.push_back({g.between(1, 5), g.between(-40, 40)});
        }
        auto const bytes = byte_offsets(l);
        bool const overlaps = std::set<index_t>(bytes.begin(), bytes.end()).size() != bytes.size();
        overlapping += overlaps ? 1 : 0;
        SCOPED_TRACE(i);
        if (overlaps) {
            ASSERT_THROW((void)compile_unpack(l), error);
        } else {
            ASSERT_NO_FATAL_FAILURE(check_pair(contiguous(0, l.bytes()), l));
        }
    }
    EXPECT_GT(overlapping, 1000);
    EXPECT_LT(overlapping, 4500);
}

TEST(Fuse, CopiesBothOrSaysNo) {
    layout_generator g{46};
    for (int i = 0; i < 400; ++i) {
        auto radices = g.radices(2000);
        layout const source = g.nest(radices, 4);
        layout const target = g.nest(radices, 4);
        auto const [low, high] = target.extent();
        layout source2 = source;
        layout target2 = target;
        source2.offset += g.between(-300, 300);
        target2.offset += (g.chance(50) ? 1 : -1) * (high - low + g.between(0, 70));
        copy_program const a = compile(source, target);
        copy_program const b = compile(source2, target2);
        auto const both = fuse(a, b);
        ASSERT_EQ(both.has_value(), a.segments().empty());
        if (!both) continue;
        EXPECT_EQ(both->bytes, a.bytes + b.bytes);
        EXPECT_FALSE(fuse(*both, a));
        auto const join = [](auto x, auto const& y) { return std::pair(std::min(x.first, y.first), std::max(x.second, y.second)); };
        auto const append = [](auto x, auto const& y) {
            x.insert(x.end(), y.begin(), y.end());
            return x;
        };
        copy_arena arena{join(source.extent(), source2.extent()), join(target.extent(), target2.extent())};
        SCOPED_TRACE(i);
        ASSERT_NO_FATAL_FAILURE(expect_copies(arena, *both,
                                              arena.expected(append(byte_offsets(source), byte_offsets(source2)),
                                                             append(byte_offsets(target), byte_offsets(target2)))));
    }
}

TEST(Fuse, RefusesOtherShapes) {
    copy_program const rows = compile_pack({0, 24, {{9, 100}}, {}});
    EXPECT_FALSE(fuse(rows, compile_pack({0, 24, {{9, 101}}, {}})));
    EXPECT_FALSE(fuse(rows, compile_pack({0, 24, {{8, 100}}, {}})));
    EXPECT_FALSE(fuse(rows, compile_pack({0, 25, {{9, 100}}, {}})));
    EXPECT_FALSE(fuse(rows, copy_program{}));
    EXPECT_FALSE(fuse(copy_program{}, copy_program{}));
}

TEST(ByReference, StaysWithAProgram) {
    layout_generator g{47};
    for (int i = 0; i < 200; ++i) {
        auto const radices = g.radices(1000);
        layout const source = g.nest(radices, 4);
        layout const target = g.nest(radices, 4);
        copy_program const p = by_reference(compile(source, target));
        copy_arena arena{source.extent(), target.extent()};
        ASSERT_NO_FATAL_FAILURE(expect_copies(arena, p, arena.expected(byte_offsets(source), byte_offsets(target))));
        for (copy_program const& q : split(p, 3)) ASSERT_EQ(q.kernel, p.kernel);
        auto const both = fuse(p, p); // the same copy twice: harmless, and defined byte by byte
        ASSERT_EQ(both.has_value(), p.segments().empty());
        if (!both) continue;
        ASSERT_EQ(both->kernel, p.kernel);
        ASSERT_NO_FATAL_FAILURE(expect_copies(arena, *both, arena.expected(byte_offsets(source), byte_offsets(target))));
    }
}

} // namespace
} // namespace sode::internal
