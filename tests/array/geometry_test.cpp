// SPDX-License-Identifier: Apache-2.0
// Who owns which element and where it lies: blocks partition the index space, offsets number the allocated block.
#include "support/message.hpp"

#include <sode/align.hpp>
#include <sode/box.hpp>
#include <sode/error.hpp>
#include <sode/shadow.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <set>

namespace {

using namespace sode;
using namespace sode::internal;
using detail::place;
using sode::internal::testing::message;
using ::testing::HasSubstr;

geometry shape_of(detail::mapping const& m, shadow const& widths = {}, index_t element = 8, index_t components = 1) {
    geometry g;
    g.dims = m.dims;
    g.axes = m.axes;
    g.grid = m.grid;
    g.element_bytes = element;
    g.components = components;
    g.name = "u";
    for (int d = 0; d < g.dims; ++d) {
        g.axes[static_cast<std::size_t>(d)].shadow_lower = widths.at(d, g.dims).lower;
        g.axes[static_cast<std::size_t>(d)].shadow_upper = widths.at(d, g.dims).upper;
    }
    return g;
}

// Any distribution that can be written down, of `dims` dimensions over at most `ranks` ranks.
struct random_case {
    std::mt19937& random;
    int between(int low, int high) { return std::uniform_int_distribution{low, high}(random); }

    detail::mapping distribution(int dims, int ranks, index_t most) {
        std::vector<distribution_format> formats;
        std::vector<index_t> extents;
        std::vector<node_extent> nodes;
        int left = ranks;
        for (int d = 0; d < dims; ++d) {
            extents.push_back(between(0, static_cast<int>(most)));
            int const kind = d + 1 == dims && nodes.empty() ? 1 : between(0, 2);
            if (kind == 0) {
                formats.emplace_back(none);
                continue;
            }
            int const n = between(1, std::min(left, 12));
            left /= n;
            nodes.emplace_back(n);
            if (kind == 1) {
                formats.emplace_back(block);
                continue;
            }
            std::vector<index_t> cuts(static_cast<std::size_t>(n) - 1);
            for (auto& c : cuts) c = between(0, static_cast<int>(extents.back()));
            std::sort(cuts.begin(), cuts.end());
            cuts.push_back(extents.back());
            std::vector<index_t> widths(cuts.size());
            std::adjacent_difference(cuts.begin(), cuts.end(), widths.begin());
            formats.push_back(gblock(widths));
        }
        auto grid = detail::make_node_grid(ranks, nodes, {});
        if (between(0, 1) == 0) {
            std::vector<int> order(static_cast<std::size_t>(ranks));
            std::iota(order.begin(), order.end(), 0);
            std::shuffle(order.begin(), order.end(), random);
            order.resize(static_cast<std::size_t>(grid.size()));
            grid = detail::make_node_grid(ranks, nodes, order);
        }
        return detail::distribute({0, ranks}, grid, extents, formats);
    }
};

std::array<index_t, max_dims> first_index() {
    return {};
}

// Row-major successor within the array; false behind the last.
bool next_index(geometry const& g, std::array<index_t, max_dims>& at) {
    for (auto d = static_cast<std::size_t>(g.dims); d-- > 0;) {
        if (++at[d] < g.axes[d].extent) return true;
        at[d] = 0;
    }
    return false;
}

bool holds(geometry::block const& b, int dims, std::array<index_t, max_dims> const& at) {
    for (std::size_t d = 0; d < static_cast<std::size_t>(dims); ++d)
        if (at[d] < b[d].lower || at[d] >= b[d].upper) return false;
    return true;
}

TEST(Geometry, OwnedBlocksPartitionTheIndexSpace) {
    std::mt19937 random{20};
    random_case make{random};
    for (int round = 0; round < 300; ++round) {
        int const dims = make.between(1, max_dims), ranks = make.between(1, 127);
        auto const g = shape_of(make.distribution(dims, ranks, dims <= 2 ? 30 : dims <= 4 ? 6 : 3));
        std::vector<geometry::block> owned;
        index_t sum = 0, all = 1;
        for (int r = 0; r < ranks; ++r) {
            owned.push_back(g.owned(r));
            index_t size = 1;
            for (std::size_t d = 0; d < static_cast<std::size_t>(dims); ++d) size *= owned.back()[d].size();
            sum += size;
        }
        for (std::size_t d = 0; d < static_cast<std::size_t>(dims); ++d) all *= g.axes[d].extent;
        ASSERT_EQ(sum, all);
        if (all == 0) continue;
        auto at = first_index();
        do {
            int const owner = g.owner(at);
            ASSERT_TRUE(holds(owned[static_cast<std::size_t>(owner)], dims, at));
            ASSERT_EQ(std::count_if(owned.begin(), owned.end(), [&](auto const& b) { return holds(b, dims, at); }), 1);
        } while (next_index(g, at));
    }
}

TEST(Geometry, OffsetsNumberTheAllocatedBlockInRowMajorOrder) {
    std::mt19937 random{21};
    random_case make{random};
    for (int round = 0; round < 200; ++round) {
        int const dims = make.between(1, 5), ranks = make.between(1, 16);
        shadow const widths = make.between(0, 1) ? shadow{make.between(0, 2)} : shadow{{1, 2}};
        index_t const element = make.between(1, 64);
        auto const g = shape_of(make.distribution(dims, ranks, dims <= 2 ? 20 : 6), widths, element, make.between(1, 3));
        int const rank = make.between(0, ranks - 1);
        auto const part = g.allocated(rank);
        auto const mine = g.owned(rank);
        std::array<index_t, max_dims> at{};
        index_t size = element;
        for (std::size_t d = 0; d < static_cast<std::size_t>(dims); ++d) {
            at[d] = part[d].lower;
            size *= part[d].size();
        }
        ASSERT_GE(g.component_bytes(rank), size);
        ASSERT_EQ(g.component_bytes(rank) % element, 0);
        ASSERT_EQ(g.bytes(rank), g.components * g.component_bytes(rank));
        if (size == 0) {
            for (std::size_t d = 0; d < static_cast<std::size_t>(dims); ++d) ASSERT_EQ(mine[d].size() + part[d].size(), 0);
            ASSERT_EQ(g.bytes(rank), 0);
            continue;
        }
        for (index_t expected = 0; expected < size; expected += element) {
            ASSERT_EQ(g.offset(rank, at), expected);
            for (auto d = static_cast<std::size_t>(dims); d-- > 0;) {
                if (++at[d] < part[d].upper) break;
                at[d] = part[d].lower;
            }
        }
    }
}

// What a neighbour reads at the end of a short row shares no line with what its owner writes behind it; long rows lie end to end,
// so that the ends of one row and the beginnings of the next have lines in common.
TEST(Geometry, ShortRowsBeginALineAndLongOnesFollowEachOther) {
    nodes<1> const p{place{0, 1}, {1}};
    auto const stride = [&](index_t elements, index_t element) {
        return shape_of(distribution<2>{p, {4, elements}, {block, none}}.mapping(), shadow{1}, element).strides(0)[0];
    };
    EXPECT_EQ(stride(64, 8), 576);
    EXPECT_EQ(stride(120, 8), 1024);
    EXPECT_EQ(stride(128, 8), 130 * 8);
    EXPECT_EQ(stride(1024, 8), 1026 * 8);
    EXPECT_EQ(stride(128, 4), 576);
    EXPECT_EQ(stride(8, 8), 80); // a line of its own would cost more than an eighth
    EXPECT_EQ(stride(80, 12), 82 * 12);
}

TEST(Geometry, ComponentsOfABundleStayOffEachOthersCacheSets) {
    nodes<1> const p{place{0, 1}, {1}};
    for (index_t const n : {1024, 4096, 5000, 1 << 20}) {
        auto const g = shape_of(distribution<1>{p, {n}, {block}}.mapping(), {}, 4, 4);
        auto const distance = g.component_bytes(0) % 4096;
        EXPECT_GE(std::min(distance, 4096 - distance), 512) << n;
        EXPECT_LE(g.component_bytes(0), n * 4 + 4096);
    }
}

TEST(Geometry, FingerprintsTellShapesApart) {
    nodes<1> const p{place{0, 4}, {4}};
    auto const base = shape_of(distribution<2>{p, {8, 9}, {block, none}}.mapping());
    auto renamed = base;
    renamed.name = "v";
    EXPECT_EQ(base.fingerprint(), renamed.fingerprint());
    std::set<std::uint64_t> seen{base.fingerprint()};
    seen.insert(shape_of(distribution<2>{p, {9, 8}, {block, none}}.mapping()).fingerprint());
    seen.insert(shape_of(distribution<2>{p, {8, 9}, {none, block}}.mapping()).fingerprint());
    seen.insert(shape_of(distribution<2>{p, {8, 9}, {gblock({1, 3, 2, 2}), none}}.mapping()).fingerprint());
    seen.insert(shape_of(distribution<2>{p, {8, 9}, {block, none}}.mapping(), shadow{1}).fingerprint());
    seen.insert(shape_of(distribution<2>{p, {8, 9}, {block, none}}.mapping(), shadow{{0, 1}}).fingerprint());
    seen.insert(shape_of(distribution<2>{p, {8, 9}, {block, none}}.mapping(), {}, 4).fingerprint());
    seen.insert(shape_of(distribution<2>{p, {8, 9}, {block, none}}.mapping(), {}, 8, 2).fingerprint());
    nodes<1> const q{place{0, 4}, {4}, {1, 0, 2, 3}};
    seen.insert(shape_of(distribution<2>{q, {8, 9}, {block, none}}.mapping()).fingerprint());
    EXPECT_EQ(seen.size(), 9U);
}

TEST(Geometry, RanksOutsideTheGridOwnNothing) {
    nodes<2> const p{place{5, 8}, {2, 2}, {7, 3, 1, 0}};
    EXPECT_EQ(p.coordinate(0), -1);
    distribution<2> const t{p, {6, 6}, {block, block}};
    EXPECT_TRUE(t.owned().empty());
    auto const g = shape_of(t.mapping(), shadow{1});
    EXPECT_EQ(g.bytes(5), 0);
    EXPECT_EQ(g.owner({0, 4}), 3);
    EXPECT_EQ(g.grid.coordinates(1), (std::array<int, max_dims>{1, 0}));
    EXPECT_THROW(static_cast<void>(g.owner({0, 6})), error);
}

TEST(Align, FollowsTheTemplateElementByElement) {
    std::mt19937 random{22};
    random_case make{random};
    for (int round = 0; round < 200; ++round) {
        int const template_dims = make.between(1, 3), ranks = make.between(1, 12);
        auto const t = make.distribution(template_dims, ranks, 9);
        std::vector<int> order(static_cast<std::size_t>(template_dims));
        std::iota(order.begin(), order.end(), 0);
        std::shuffle(order.begin(), order.end(), random);
        // Some template dimensions are followed, some array dimensions follow nothing.
        std::vector<index_t> extents;
        std::vector<align_target> targets;
        for (int const k : order) {
            if (make.between(0, 3) == 0) continue;
            auto const along_extent = t.axes[static_cast<std::size_t>(k)].extent;
            auto const offset = make.between(0, static_cast<int>(along_extent));
            extents.push_back(make.between(0, static_cast<int>(along_extent) - offset));
            targets.push_back(along(k) + offset);
            if (make.between(0, 2) == 0) {
                extents.push_back(make.between(1, 3));
                targets.emplace_back(none);
            }
        }
        if (extents.empty()) continue;
        auto const a = shape_of(detail::align(t, extents, targets));
        auto const whole = shape_of(t);
        if (std::count(extents.begin(), extents.end(), 0) != 0) continue;
        auto at = first_index();
        do {
            // A rank has the element if it has some template element with the aligned indices.
            for (int r = 0; r < ranks; ++r) {
                auto const c = whole.grid.coordinates(r);
                bool expected = c[0] >= 0;
                for (std::size_t d = 0; d < extents.size() && expected; ++d) {
                    if (!targets[d].follows()) continue;
                    auto const& ax = t.axes[static_cast<std::size_t>(targets[d].dim())];
                    auto const node = ax.grid_dim < 0 ? 0 : static_cast<std::size_t>(c[static_cast<std::size_t>(ax.grid_dim)]);
                    auto const i = at[d] + targets[d].offset();
                    expected = i >= ax.bounds[node] && i < ax.bounds[node + 1];
                }
                ASSERT_EQ(holds(a.owned(r), a.dims, at), expected);
            }
        } while (next_index(a, at));
    }
}

TEST(Align, WritesAsXcalableMpDoes) {
    nodes<2> const p{place{5, 8}, {4, any}};
    distribution<2> const t{p, {40, 20}, {block, gblock({5, 15})}};
    EXPECT_EQ(t.owned(), (box<2>{{20, 5}, {30, 20}}));
    auto const v = align(t, {3, 18, 40}, {none, along(1) + 2, 0});
    EXPECT_EQ(detail::to_box<3>(v.mapping().owned()), (box<3>{{0, 3, 20}, {3, 18, 30}}));
    auto const copied = align(t, {40}, {0});
    EXPECT_EQ(detail::to_box<1>(copied.mapping().owned()), (box<1>{{20}, {30}}));
    EXPECT_EQ(shape_of(copied.mapping()).owner({20}), 4) << "the first of ranks 4 and 5, which both have it";
}

TEST(Mistakes, AreToldInTheUsersWords) {
    place const eight{0, 8};
    EXPECT_THAT(message([&] { nodes<2>{eight, {4, 4}}; }), HasSubstr("needs more ranks (the job has 8 ranks)"));
    EXPECT_THAT(message([&] { nodes<2>{eight, {3, any}}; }), HasSubstr("8 is not a multiple of 3"));
    EXPECT_THAT(message([&] { nodes<2>{eight, {0, any}}; }), HasSubstr("dimension 0 has no node"));
    EXPECT_THAT(message([&] { nodes<1>{eight, {2}, {0, 0}}; }), HasSubstr("rank 0 twice"));
    EXPECT_THAT(message([&] { nodes<1>{eight, {2}, {0, 8}}; }), HasSubstr("contains rank 8"));
    EXPECT_THAT(message([&] { nodes<1>{eight, {2}, {0}}; }), HasSubstr("does not fit a grid of 2 nodes"));
    nodes<2> const p{eight, {4, 2}};
    EXPECT_THAT(message([&] {
                    distribution<2>{p, {8, 8}, {block, none}};
                }),
                HasSubstr("1 dimensions are split over a rank grid of 2"));
    EXPECT_THAT(message([&] { distribution<2>{p, {-1, 8}, {block, block}}; }), HasSubstr("dimension 0 has -1 elements"));
    EXPECT_THAT(message([&] { distribution<2>{p, {8, 8}, {block, gblock({3, 4})}}; }), HasSubstr("add up to 7, not 8"));
    EXPECT_THAT(message([&] { distribution<2>{p, {8, 8}, {block, gblock({3, 6})}}; }), HasSubstr("add up to more than 8"));
    EXPECT_THAT(message([&] { distribution<2>{p, {8, 8}, {block, gblock({9, -1})}}; }), HasSubstr("more than 8"));
    EXPECT_THAT(message([&] { distribution<2>{p, {8, 8}, {block, gblock({-1, 9})}}; }), HasSubstr("width of -1"));
    EXPECT_THAT(message([&] { distribution<2>{p, {8, 8}, {block, gblock({8})}}; }), HasSubstr("gblock has 1 widths for 2 nodes"));
    distribution<2> const t{p, {8, 8}, {block, block}};
    EXPECT_THAT(message([&] { static_cast<void>(align(t, {8, 8}, {0, 0})); }), HasSubstr("same template dimension 0"));
    EXPECT_THAT(message([&] { static_cast<void>(align(t, {8}, {2})); }), HasSubstr("the template has 2"));
    EXPECT_THAT(message([&] { static_cast<void>(align(t, {8}, {along(1) + 1})); }), HasSubstr("is aligned with elements 1 to 8"));
    EXPECT_THAT(message([&] { static_cast<void>(align(t, {8}, {along(1) - 1})); }), HasSubstr("is aligned with elements -1 to 6"));
    EXPECT_THAT(message([&] { static_cast<void>(align(t, {-8}, {none})); }), HasSubstr("-8 elements"));
    EXPECT_THAT(message([&] {
                    static_cast<void>(shadow{1, 2}.at(0, 3));
                }),
                HasSubstr("a shadow has entries for 2 dimensions (the array has 3 dimensions)"));
    EXPECT_THAT(message([&] { static_cast<void>(shadow{{-1, 0}}); }), HasSubstr("-1:0"));
    EXPECT_THAT(message([&] { static_cast<void>(shadow{1, 1, 1, 1, 1, 1, 1, 1}); }), HasSubstr("at most 7"));
}

TEST(Geometry, RowsBeginOnALineOfTheirOwnInBlocksThatCachesHold) {
    nodes<1> const p{place{0, 1}, {1}};
    auto const pitch = [&](index_t rows, index_t row) {
        distribution<2> const t{p, {rows, row}, {block, none}};
        return shape_of(align(t, {rows, row}, {0, 1}).mapping(), shadow{1}).strides(0)[0];
    };
    EXPECT_EQ(pitch(100, 63), 576);       // 520 bytes and a little
    EXPECT_EQ(pitch(100, 3), 5 * 8);      // would cost more than an eighth
    EXPECT_EQ(pitch(10'000, 63), 65 * 8); // 5 MB are swept out of memory
    EXPECT_EQ(pitch(1'000, 4094), 4096 * 8);
    distribution<2> const t{p, {100, 63}, {block, none}};
    auto alone = shape_of(align(t, {100, 63}, {0, 1}).mapping(), shadow{1});
    alone.padded = false;
    EXPECT_EQ(alone.strides(0)[0], 65 * 8);
}

} // namespace
