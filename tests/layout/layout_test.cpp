// SPDX-License-Identifier: Apache-2.0
// The normal form of a layout keeps bytes and order, and is one for equal byte sequences.
#include "layout/layout.hpp"

#include "layout/layout_algebra.hpp"
#include "layout/random_layout.hpp"

#include <sode/error.hpp>

namespace sode::internal {
namespace {

using test::byte_offsets;
using test::layout_generator;

void expect_normal_form(layout const& l) {
    bool const nest = l.is_nest();
    if (!nest) {
        EXPECT_EQ(l.block, 0);
        EXPECT_EQ(l.offset, 0);
    }
    EXPECT_TRUE(l.list.empty() || l.parts.empty());
    for (std::size_t i = 0; i + 1 < l.list.size(); ++i) EXPECT_NE(l.list[i].offset + l.list[i].bytes, l.list[i + 1].offset);
    EXPECT_NE(l.parts.size(), 1u);
    for (layout const& p : l.parts) {
        EXPECT_TRUE(p.parts.empty() || !p.loops.empty());
        expect_normal_form(p);
    }
    for (std::size_t i = 0; i < l.loops.size(); ++i) {
        EXPECT_GT(l.loops[i].count, 1);
        bool const innermost = i + 1 == l.loops.size();
        if (innermost && !nest) continue;
        EXPECT_NE(l.loops[i].stride, innermost ? l.block : l.loops[i + 1].count * l.loops[i + 1].stride);
    }
}

TEST(Layout, NormalFormKeepsBytesAndOrder) {
    layout_generator g{21};
    for (int i = 0; i < 5'000; ++i) {
        layout const raw = g.chance(50)   ? g.nest(g.radices(600), 7)
                           : g.chance(40) ? g.list(g.between(1, 600))
                                          : g.tree(600, static_cast<int>(g.between(0, 3)));
        layout const l = normalised(raw);
        ASSERT_EQ(byte_offsets(l), byte_offsets(raw));
        ASSERT_EQ(byte_offsets(expand(raw)), byte_offsets(raw));
        expect_normal_form(l);
        ASSERT_EQ(normalised(l), l);
        ASSERT_EQ(l.bytes(), raw.bytes());
        ASSERT_GE(l.blocks(), static_cast<index_t>(expand(l).size()));
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

TEST(Layout, NormalFormOfASequenceThatIsANestIsThatNest) {
    layout_generator g{23};
    for (int i = 0; i < 2'000; ++i) {
        layout const nest = normalised(g.nest(g.radices(400), 3));
        // Whole iterations of the outermost loop, taken apart.
        if (nest.loops.empty()) continue;
        layout_sequence s;
        layout one = nest;
        one.loops.erase(one.loops.begin());
        auto const [count, stride] = nest.loops.front();
        for (index_t k = 0; k < count; ++k) s.add(one, k * stride);
        ASSERT_EQ(s.finish(), nest);
        ASSERT_EQ(repeated(one, count, stride), nest);
    }
}

TEST(Layout, AListInLoopsStaysShort) {
    std::vector<layout::piece> irregular{{0, 8}, {24, 8}, {40, 16}};
    layout const once = normalised({0, 0, {}, irregular});
    layout const often = repeated(once, index_t{1} << 40, 64);
    EXPECT_EQ(often, (layout{0, 0, {{index_t{1} << 40, 64}}, irregular}));
    layout written_out;
    for (index_t i = 0; i < 100; ++i)
        for (auto const& p : irregular) written_out.list.push_back({p.offset + 64 * i, p.bytes});
    EXPECT_EQ(normalised(written_out), repeated(once, 100, 64));
}

TEST(Layout, ASequenceOfHugeNestsStaysTwoNests) {
    index_t const n = index_t{1} << 30;
    layout_sequence s;
    s.add(normalised({0, 8, {{n, 24}}, {}}), 0);
    s.add(normalised({0, 4, {{n, 16}}, {}}), n * 24);
    layout const l = s.finish();
    EXPECT_EQ(l.parts.size(), 2u);
    EXPECT_EQ(l.bytes(), n * 12);
    EXPECT_EQ(l.blocks(), 2 * n);
}

TEST(Layout, ALongListStaysAPartOfItsOwn) {
    auto const scattered = [](index_t pieces, index_t bytes) {
        layout l;
        for (index_t i = 0; i < pieces; ++i) l.list.push_back({i * 40 + i * i % 7, bytes});
        return normalised(std::move(l));
    };
    layout_sequence s;
    s.add(scattered(10, 8), 0);
    s.add(scattered(10, 4), 1'000);
    EXPECT_EQ(s.finish().list.size(), 20u);
    s.add(scattered(10, 8), 0);
    s.add(scattered(100, 24), 1'000);
    s.add(scattered(100, 4), 10'000);
    layout const l = s.finish();
    ASSERT_EQ(l.parts.size(), 3u);
    EXPECT_EQ(l.parts[1], shifted(scattered(100, 24), 1'000));
    EXPECT_EQ(normalised(l), l);
}

TEST(Layout, BlocksAddedTogetherAreWhatTheyAreOneByOne) {
    layout_generator g{25};
    for (int i = 0; i < 500; ++i) {
        layout_sequence together;
        layout_sequence one_by_one;
        index_t at = g.between(-1, 1) * 100;
        for (index_t k = g.between(1, 3); k > 0; --k) {
            std::vector<layout::piece> all;
            for (index_t n = g.between(0, 400); n > 0; --n) {
                all.push_back({at, g.chance(10) ? 0 : g.between(1, 2) * 4});
                at += g.chance(50) ? all.back().bytes : g.between(-2, 5) * 8;
            }
            auto const entry = [&](index_t n) { return all[static_cast<std::size_t>(n)]; };
            together.add_blocks(
                static_cast<index_t>(all.size()), [&](index_t n) { return entry(n).bytes; },
                [&](index_t n) { return entry(n).offset; });
            for (auto const& p : all) one_by_one.add_block(p.offset, p.bytes);
        }
        ASSERT_EQ(together.finish(), one_by_one.finish());
    }
}

TEST(Layout, RefusesBlocksThatAreTooLarge) {
    index_t const far = index_t{1} << 62;
    for (layout::piece const wrong : {layout::piece{far, 1}, {-far - 1, 1}, {0, far}, {0, -1}, {far - 8, 8}}) {
        SCOPED_TRACE(std::to_string(wrong.offset) + "+" + std::to_string(wrong.bytes));
        for (index_t const before : {0, 1, 200}) { // pieces that are there already
            layout_sequence s;
            auto const add = [&] {
                s.add_blocks(
                    before + 1, [&](index_t i) { return i < before ? 8 : wrong.bytes; },
                    [&](index_t i) { return i < before ? 16 * i : wrong.offset; });
            };
            EXPECT_THROW(add(), error);
        }
    }
    layout_sequence many; // none of which is too large
    for (index_t i = 0; i < 4; ++i) many.add_block(i * 4, far / 2);
    EXPECT_THROW((void)many.finish(), error);
}

TEST(Layout, SlicesAreWhatTheySay) {
    layout_generator g{24};
    for (int i = 0; i < 2'000; ++i) {
        layout const l = normalised(g.tree(400, 2));
        auto const all = byte_offsets(l);
        auto const size = static_cast<index_t>(all.size());
        index_t const begin = g.between(0, size);
        index_t const end = g.between(begin, size);
        layout const part = slice(l, begin, end);
        ASSERT_EQ(byte_offsets(part), std::vector<index_t>(all.begin() + begin, all.begin() + end));
        ASSERT_EQ(normalised(part), part);
    }
    EXPECT_THROW((void)slice(contiguous(0, 8), 0, 9), error);
    EXPECT_THROW((void)slice(contiguous(0, 8), 5, 4), error);
    layout const huge = normalised({0, 8, {{index_t{1} << 50, 24}}, {}});
    EXPECT_EQ(slice(huge, 8, huge.bytes() - 8), (layout{24, 8, {{(index_t{1} << 50) - 2, 24}}, {}}));
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
    EXPECT_EQ(contiguous(-17, 8), (layout{-17, 8, {}, {}}));
    EXPECT_EQ(of_section(section{2, {range{1, 1}, range{0, 9}}}, {72, 8}, 8), layout{});
    EXPECT_EQ(normalised({4, 8, {{0, 64}, {3, 8}}, {}}), layout{});
    EXPECT_EQ(normalised({0, 0, {}, {{3, 0}, {9, 0}}}), layout{});
    EXPECT_EQ(layout{}.extent(), std::pair(index_t{0}, index_t{0}));
    EXPECT_TRUE(expand(layout{}).empty());
}

TEST(Layout, RejectsNonsense) {
    EXPECT_THROW((void)contiguous(0, -1), error);
    EXPECT_THROW((void)contiguous(0, index_t{1} << 62), error);
    EXPECT_THROW((void)contiguous(index_t{1} << 62, 8), error);
    EXPECT_THROW((void)contiguous(-(index_t{1} << 62), 8), error);
    EXPECT_THROW((void)normalised({0, 8, {{-2, 64}}, {}}), error);
    EXPECT_THROW((void)normalised({0, 0, {}, {{0, 8}, {8, -8}}}), error);
    index_t const huge = index_t{1} << 61;
    EXPECT_THROW((void)normalised({0, 8, {{huge, 64}}, {}}), error);
    EXPECT_THROW((void)normalised({0, 1, {{4, huge}}, {}}), error);
    EXPECT_THROW((void)normalised({0, 1, {{huge, 0}, {4, 0}}, {}}), error);
    EXPECT_THROW((void)of_section(section{1, {range{huge, huge + 3}}}, {1024}, 8), error);
}

} // namespace
} // namespace sode::internal
