// SPDX-License-Identifier: Apache-2.0
#include "layout/layout.hpp"

#include "layout/random_layout.hpp"

#include <sode/error.hpp>

namespace sode {
namespace {

using test::byte_offsets;
using test::layout_generator;

void expect_normal_form(layout const& l) {
    if (l.indexed()) {
        EXPECT_EQ(l.block, 0);
        EXPECT_TRUE(l.loops.empty());
        for (std::size_t i = 0; i + 1 < l.list.size(); ++i) EXPECT_NE(l.list[i].offset + l.list[i].bytes, l.list[i + 1].offset);
        return;
    }
    for (std::size_t i = 0; i < l.loops.size(); ++i) {
        EXPECT_GT(l.loops[i].count, 1);
        bool const innermost = i + 1 == l.loops.size();
        EXPECT_NE(l.loops[i].stride, innermost ? l.block : l.loops[i + 1].count * l.loops[i + 1].stride);
    }
}

TEST(Layout, NormalFormKeepsBytesAndOrder) {
    layout_generator g{21};
    for (int i = 0; i < 5'000; ++i) {
        layout const raw = g.chance(70) ? g.nest(g.radices(600), 7) : g.list(g.between(1, 600));
        layout const l = normalised(raw);
        ASSERT_EQ(byte_offsets(l), byte_offsets(raw));
        ASSERT_EQ(byte_offsets(expand(raw)), byte_offsets(raw));
        expect_normal_form(l);
        ASSERT_EQ(normalised(l), l);
        ASSERT_EQ(l.bytes(), raw.bytes());
        auto const all = byte_offsets(raw);
        auto const [low, high] = std::minmax_element(all.begin(), all.end());
        ASSERT_EQ(l.extent(), std::pair(*low, *high + 1));
        ASSERT_EQ(raw.extent(), l.extent());
    }
}

TEST(Layout, NormalFormIsUnique) {
    layout_generator g{22};
    for (int i = 0; i < 5'000; ++i) {
        layout const nest = g.nest(g.radices(600), 7);
        layout as_list;
        for (index_t const at : byte_offsets(nest)) as_list.list.push_back({at, 1});
        ASSERT_EQ(normalised(as_list), normalised(nest));
    }
}

TEST(Layout, NormalFormOfAHugeNestIsNotExpanded) {
    index_t const n = index_t{1} << 20;
    layout const l = normalised({0, 1, {{n, n * n * 2}, {n, n}, {n, 1}}, {}});
    EXPECT_EQ(l, (layout{0, n * n, {{n, n * n * 2}}, {}}));
}

TEST(Layout, ListThatIsANestBecomesOne) {
    // The last block of each row touches the first of the next.
    EXPECT_EQ(normalised({0, 0, {}, {{0, 4}, {8, 8}, {20, 8}, {32, 4}}}), (layout{0, 4, {{3, 12}, {2, 8}}, {}}));
    EXPECT_TRUE(normalised({0, 0, {}, {{0, 4}, {8, 4}, {17, 4}}}).indexed());
}

TEST(Layout, ReadsSections) {
    // An array of 5 x 6 x 7 elements of 12 bytes, rows padded to 128 bytes.
    section const s{3, {range{1, 4}, range{0, 6, 2}, range{2, 5}}};
    layout const l = of_section(s, {6 * 128, 128, 12}, 12);
    std::vector<index_t> expected;
    for (index_t i = 1; i < 4; ++i)
        for (index_t j = 0; j < 6; j += 2)
            for (index_t k = 2; k < 5; ++k)
                for (index_t b = 0; b < 12; ++b) expected.push_back(i * 6 * 128 + j * 128 + k * 12 + b);
    EXPECT_EQ(byte_offsets(l), expected);
    EXPECT_EQ(l, (layout{768 + 24, 36, {{9, 256}}, {}}));
}

TEST(Layout, WithoutBytesIsOneLayout) {
    EXPECT_EQ(contiguous(17, 0), layout{});
    EXPECT_EQ(of_section(section{2, {range{1, 1}, range{0, 9}}}, {72, 8}, 8), layout{});
    EXPECT_EQ(normalised({4, 8, {{0, 64}, {3, 8}}, {}}), layout{});
    EXPECT_EQ(normalised({0, 0, {}, {{3, 0}, {9, 0}}}), layout{});
    EXPECT_EQ(layout{}.extent(), std::pair(index_t{0}, index_t{0}));
    EXPECT_TRUE(expand(layout{}).empty());
}

TEST(Layout, RejectsNonsense) {
    EXPECT_THROW((void)contiguous(0, -1), error);
    EXPECT_THROW((void)normalised({0, 8, {{-2, 64}}, {}}), error);
    EXPECT_THROW((void)normalised({0, 0, {}, {{0, 8}, {8, -8}}}), error);
    index_t const huge = index_t{1} << 61;
    EXPECT_THROW((void)normalised({0, 8, {{huge, 64}}, {}}), error);
    EXPECT_THROW((void)normalised({0, 1, {{4, huge}}, {}}), error);
    EXPECT_THROW((void)normalised({0, 1, {{huge, 0}, {4, 0}}, {}}), error);
    EXPECT_THROW((void)of_section(section{1, {range{huge, huge + 3}}}, {1024}, 8), error);
}

} // namespace
} // namespace sode
