// SPDX-License-Identifier: Apache-2.0
// Ranges and sections intersect, subtract and split like the sets that they are.
#include "layout/section.hpp"

#include "layout/random_layout.hpp"

#include <set>
#include <sode/error.hpp>

namespace sode::internal {
namespace {

using test::layout_generator;
using point = std::vector<index_t>;

std::set<index_t> indices(range const& r) {
    std::set<index_t> all;
    for (index_t i = r.lower; i < r.upper; i += r.step) all.insert(i);
    return all;
}

std::set<point> points(section const& s) {
    std::set<point> all;
    if (s.dims > 0) all.insert(point{});
    for (int d = 0; d < s.dims; ++d) {
        std::set<point> next;
        for (point const& p : all)
            for (index_t const i : indices(s.dim[static_cast<std::size_t>(d)])) {
                point q = p;
                q.push_back(i);
                next.insert(q);
            }
        all = std::move(next);
    }
    return all;
}

range random_range(layout_generator& g, index_t longest, index_t largest_step) {
    index_t const lower = g.between(-30, 30);
    return {lower, lower + g.between(-3, longest), g.between(1, largest_step)};
}

section random_section(layout_generator& g, int dims, index_t largest_step) {
    section s{dims, {}};
    for (int d = 0; d < dims; ++d) {
        index_t const lower = g.between(-3, 3);
        s.dim[static_cast<std::size_t>(d)] = {lower, lower + g.between(g.chance(5) ? 0 : 1, 7), g.between(1, largest_step)};
    }
    return s;
}

TEST(Range, IntersectsLikeSets) {
    layout_generator g{11};
    for (int i = 0; i < 20'000; ++i) {
        range const a = random_range(g, 60, 12);
        range const b = random_range(g, 60, 12);
        std::set<index_t> both;
        for (index_t const x : indices(a))
            if (b.contains(x)) both.insert(x);
        range const c = intersect(a, b);
        ASSERT_EQ(indices(c), both) << to_string(section{2, {a, b}});
        ASSERT_EQ(c.size(), static_cast<index_t>(both.size()));
        ASSERT_EQ(c.empty(), both.empty());
    }
}

TEST(Range, IntersectsWithoutOverflow) {
    index_t const far = index_t{1} << 61;
    range const a{-far, far, (index_t{1} << 40) - 1};
    range const b{-far + 5, far, (index_t{1} << 40) + 1};
    range const c = intersect(a, b); // the common step is about 2^80: one index at most
    ASSERT_LE(c.size(), 1);
    for (index_t const x : indices(c)) EXPECT_TRUE(a.contains(x) && b.contains(x));
    EXPECT_EQ(intersect(range{0, far, 1}, range{7, far, far / 2}).size(), 2);
}

TEST(Range, RejectsStepsBelowOne) {
    EXPECT_THROW((void)intersect(range{0, 4, 0}, range{0, 4, 1}), error);
}

TEST(Section, IntersectsShiftsAndContainsLikeSets) {
    layout_generator g{12};
    for (int i = 0; i < 2'000; ++i) {
        int const dims = static_cast<int>(g.between(1, 3));
        section const a = random_section(g, dims, 3);
        section const b = random_section(g, dims, 3);
        auto const pa = points(a);
        auto const pb = points(b);
        std::set<point> both;
        std::set_intersection(pa.begin(), pa.end(), pb.begin(), pb.end(), std::inserter(both, both.end()));
        ASSERT_EQ(points(intersect(a, b)), both);
        ASSERT_EQ(a.size(), static_cast<index_t>(pa.size()));
        ASSERT_EQ(a.contains(b), std::includes(pa.begin(), pa.end(), pb.begin(), pb.end())) << to_string(a) << " " << to_string(b);
        ASSERT_EQ(a == b, pa == pb) << to_string(a) << " " << to_string(b);
        section const moved = shift(a, {5, -2, 1});
        ASSERT_EQ(moved.size(), a.size());
        ASSERT_EQ(shift(moved, {-5, 2, -1}), a);
    }
}

TEST(Section, SplitsEvenly) {
    layout_generator g{13};
    for (int i = 0; i < 2'000; ++i) {
        section const s = random_section(g, 2, 4);
        index_t const parts = g.between(1, 9);
        auto const pieces = split(s, 1, parts);
        ASSERT_LE(static_cast<index_t>(pieces.size()), parts);
        std::set<point> all;
        index_t smallest = s.size();
        index_t largest = 0;
        for (section const& p : pieces) {
            ASSERT_FALSE(p.empty());
            all.merge(points(p));
            smallest = std::min(smallest, p.dim[1].size());
            largest = std::max(largest, p.dim[1].size());
        }
        ASSERT_EQ(all, points(s));
        if (!pieces.empty()) {
            ASSERT_LE(largest - smallest, 1);
        }
        index_t total = 0;
        for (section const& p : pieces) total += p.size();
        ASSERT_EQ(total, s.size()) << "pieces overlap";
    }
    EXPECT_THROW((void)split(section{1, {range{0, 4}}}, 1, 2), error);
    EXPECT_THROW((void)split(section{1, {range{0, 4}}}, 0, 0), error);
}

TEST(Section, SubtractsLikeSets) {
    layout_generator g{14};
    for (int i = 0; i < 2'000; ++i) {
        int const dims = static_cast<int>(g.between(1, 3));
        section const a = random_section(g, dims, 1);
        section const b = random_section(g, dims, 1);
        std::set<point> left = points(a);
        for (point const& p : points(b)) left.erase(p);
        std::set<point> all;
        index_t total = 0;
        for (section const& piece : subtract(a, b)) {
            ASSERT_FALSE(piece.empty());
            total += piece.size();
            all.merge(points(piece));
        }
        ASSERT_EQ(all, left) << to_string(a) << " - " << to_string(b);
        ASSERT_EQ(total, static_cast<index_t>(left.size())) << "pieces overlap";
    }
    EXPECT_THROW((void)subtract(section{1, {range{0, 4, 2}}}, section{1, {range{0, 4}}}), error);
    EXPECT_THROW((void)subtract(section{1, {range{0, 4}}}, section{2, {range{0, 4}, range{0, 4}}}), error);
}

TEST(Section, Prints) {
    EXPECT_EQ(to_string(section{2, {range{0, 4}, range{2, 10, 2}}}), "[0:4)x[2:10:2)");
}

TEST(Section, WithoutDimensionsIsEmpty) {
    EXPECT_TRUE(section{}.empty());
    EXPECT_TRUE(split(section{1, {range{3, 3}}}, 0, 4).empty());
}

} // namespace
} // namespace sode::internal
