// SPDX-License-Identifier: Apache-2.0
// Cache lines and bytes that a layout touches are counted exactly, or never too low.
#include "layout/random_layout.hpp"

#include <set>

namespace sode::internal {
namespace {

using test::byte_offsets;
using test::layout_generator;

double density(layout const& l) {
    auto const bytes = byte_offsets(l);
    std::set<index_t> lines;
    for (index_t const b : bytes) lines.insert((b + 6400) / 64);
    return std::min(1.0, static_cast<double>(bytes.size()) / static_cast<double>(64 * lines.size()));
}

TEST(Classify, CountsLinesExactlyWhereLoopsDoNotInterleave) {
    layout_generator g{31};
    for (int i = 0; i < 2'000; ++i) {
        layout const l = g.chance(80) ? g.nest(g.radices(2000), 5) : g.list(g.between(1, 600));
        if (l.extent().first < -6400) continue;
        shape const s = classify(l);
        ASSERT_DOUBLE_EQ(s.line_density, density(l));
        ASSERT_EQ(s.kind == pattern::indexed, normalised(l).indexed());
        if (s.kind != pattern::indexed) {
            ASSERT_EQ(s.rows * s.row_bytes, l.bytes());
        }
    }
}

TEST(Classify, CountsBytesAndExtentsOfAllThatWasWalked) {
    layout_generator g{33};
    for (int i = 0; i < 2'000; ++i) {
        layout const l = normalised(g.tree(600, 2));
        shape const s = classify_normal(l);
        ASSERT_EQ(s.bytes, l.bytes()) << test::text_of(l);
        ASSERT_EQ(s.extent, l.extent()) << test::text_of(l);
    }
}

TEST(Classify, CountsTheLinesOfOverlappingPiecesOnce) {
    layout_generator g{34};
    for (int i = 0; i < 500; ++i) {
        layout l;
        index_t at = 0;
        for (index_t n = g.between(3, 60); n > 0; --n) {
            l.list.push_back({at, g.between(1, 200)});
            at += g.between(0, 250);
        }
        if (i % 2 == 1) g.shuffle(l.list);
        l = normalised(l);
        if (!l.indexed()) continue;
        auto const all = byte_offsets(l);
        std::set<index_t> lines;
        for (index_t const b : all) lines.insert(b / 64);
        double const density = static_cast<double>(all.size()) / static_cast<double>(64 * lines.size());
        ASSERT_DOUBLE_EQ(classify(l).line_density, std::min(1.0, density)) << test::text_of(l);
    }
}

TEST(Classify, NeverUndercountsInterleavedLines) {
    layout_generator g{32};
    for (int i = 0; i < 2'000; ++i) {
        layout l{g.between(0, 63), g.between(1, 20), {}, {}};
        for (index_t k = g.between(1, 3); k > 0; --k) l.loops.push_back({g.between(2, 9), g.between(0, 200)});
        double const d = classify(l).line_density;
        ASSERT_GT(d, 0);
        ASSERT_LE(d, 1);
        std::set<index_t> const distinct = [&] {
            auto const b = byte_offsets(l);
            return std::set<index_t>(b.begin(), b.end());
        }();
        std::set<index_t> lines;
        for (index_t const b : distinct) lines.insert(b / 64);
        ASSERT_LE(d * 0.999999 * 64 * static_cast<double>(lines.size()), static_cast<double>(l.bytes()));
    }
}

TEST(Classify, KnowsTheFacesOfABox) {
    // 66^3 doubles: a 64^3 block with a halo of one.
    std::array<index_t, max_dims> const strides{66 * 66 * 8, 66 * 8, 8};
    auto const face = [&](int d) {
        section s{3, {range{1, 65}, range{1, 65}, range{1, 65}}};
        s.dim[static_cast<std::size_t>(d)] = {1, 2};
        return classify(of_section(s, strides, 8));
    };
    EXPECT_EQ(face(0).kind, pattern::block_strided);
    EXPECT_EQ(face(0).rows, 64);
    EXPECT_EQ(face(0).row_bytes, 512);
    EXPECT_EQ(face(0).pitch, 528);
    EXPECT_EQ(face(2).kind, pattern::strided);
    EXPECT_EQ(face(2).rows, 4096);
    EXPECT_EQ(face(2).row_bytes, 8);
    EXPECT_DOUBLE_EQ(face(2).line_density, 0.125);
    shape const box = classify(contiguous(0, 4096));
    EXPECT_EQ(box.kind, pattern::contiguous);
    EXPECT_EQ(box.pitch, 0);
    EXPECT_DOUBLE_EQ(box.line_density, 1);
    EXPECT_DOUBLE_EQ(classify(contiguous(8, 64)).line_density, 0.5);
    EXPECT_EQ(classify(layout{}).rows, 0);
    EXPECT_EQ(to_string(pattern::block_strided), "block-strided");
}

TEST(Classify, TakesNoLongerForMoreRows) {
    index_t const n = index_t{1} << 19;
    shape const s = classify({0, 8, {{n, n * 512}, {n, 512}}, {}}); // 2^38 rows
    EXPECT_DOUBLE_EQ(s.line_density, 0.125);
    EXPECT_EQ(s.pitch, 512);
}

} // namespace
} // namespace sode::internal
