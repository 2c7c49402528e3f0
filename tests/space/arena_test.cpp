// SPDX-License-Identifier: Apache-2.0
// Blocks of an arena are given, taken back and joined without a gap or an overlap.
#include "space/arena.hpp"

#include <sode/error.hpp>

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <vector>

namespace sode::internal {
namespace {

constexpr std::uint64_t granule = 4096;

TEST(arena, gives_blocks_from_the_front_and_aligned) {
    arena a{16 * granule, granule};
    EXPECT_EQ(a.take(1)->place.offset, 0u);
    EXPECT_EQ(a.take(200)->place.offset, 128u);
    EXPECT_EQ(a.take(128)->place.offset, 384u);
    EXPECT_EQ(a.in_use(), 512u);
}

TEST(arena, empty_blocks_have_places_of_their_own) {
    arena a{granule, granule};
    EXPECT_NE(a.take(0)->place.offset, a.take(0)->place.offset);
}

TEST(arena, fills_to_the_last_byte_and_then_refuses) {
    arena a{granule, granule};
    EXPECT_TRUE(a.take(granule));
    EXPECT_FALSE(a.take(0));
    EXPECT_EQ(a.largest_hole(), 0u);
}

TEST(arena, refuses_what_would_overflow) {
    arena a{granule, granule};
    EXPECT_FALSE(a.take(~std::uint64_t{0}));
    EXPECT_FALSE(a.take(granule + 1));
    EXPECT_EQ(a.largest_hole(), granule);
}

TEST(arena, coalesces_in_every_order) {
    std::vector<std::size_t> order{0, 1, 2};
    do {
        arena a{granule, granule};
        std::vector<std::uint64_t> offsets;
        for (int i = 0; i < 3; ++i) offsets.push_back(a.take(1024)->place.offset);
        for (auto const i : order) a.give(offsets[i], 1024);
        EXPECT_EQ(a.largest_hole(), granule);
    } while (std::next_permutation(order.begin(), order.end()));
}

TEST(arena, a_granule_is_in_use_from_its_first_block_to_its_last) {
    arena a{4 * granule, granule};
    EXPECT_EQ(a.take(128)->granules.bytes, granule);
    auto const second = a.take(granule); // ends in the second granule
    EXPECT_EQ(second->granules.offset, granule);
    EXPECT_EQ(second->granules.bytes, granule);
    EXPECT_EQ(a.give(0, 128).bytes, 0u); // `second` still lies in the first granule
    auto const unused = a.give(second->place.offset, granule);
    EXPECT_EQ(unused.offset, 0u);
    EXPECT_EQ(unused.bytes, 2 * granule);
}

TEST(arena, a_wrong_release_is_a_defect) {
    arena a{granule, granule};
    EXPECT_TRUE(a.take(300));
    EXPECT_THROW(a.give(128, 100), error);
    EXPECT_THROW(a.give(0, 100), error);
    a.give(0, 300);
    EXPECT_THROW(a.give(0, 300), error);
}

/// Random lives of blocks against the plainest model there is: a set of the 128-byte cells in use.
TEST(arena, random_blocks_never_overlap_and_granules_follow) {
    constexpr std::uint64_t cells_of_a_granule = granule / arena::alignment;
    constexpr std::uint64_t granules = 64;
    for (unsigned seed = 1; seed <= 20; ++seed) {
        SCOPED_TRACE(seed);
        std::mt19937 random{seed};
        arena a{granules * granule, granule};
        std::vector<int> users(granules * cells_of_a_granule, 0);
        std::set<std::uint64_t> backed;
        struct live {
            std::uint64_t offset, bytes;
        };
        std::vector<live> blocks;
        auto const cell_range = [](live const& b) {
            auto const first = b.offset / arena::alignment;
            return std::pair{first, first + std::max<std::uint64_t>(1, (b.bytes + arena::alignment - 1) / arena::alignment)};
        };
        auto const used = [&](std::uint64_t g) {
            auto const from = users.begin() + static_cast<std::ptrdiff_t>(g * cells_of_a_granule);
            return std::any_of(from, from + cells_of_a_granule, [](int u) { return u != 0; });
        };
        for (int step = 0; step < 2000; ++step) {
            bool const grow = blocks.empty() || random() % 100 < (step % 400 < 250 ? 60u : 35u);
            if (grow) {
                std::uint64_t const bytes = random() % 8 == 0 ? random() % (6 * granule) : random() % 700;
                auto const got = a.take(bytes);
                if (!got) continue;
                live const b{got->place.offset, bytes};
                auto const [first, last] = cell_range(b);
                ASSERT_EQ(got->place.offset % arena::alignment, 0u);
                ASSERT_LE(last, users.size());
                for (auto c = first; c < last; ++c) ASSERT_EQ(users[c]++, 0) << "overlap";
                for (auto g = got->granules.offset / granule; g < got->granules.end() / granule; ++g)
                    ASSERT_TRUE(backed.insert(g).second) << "granule came into use twice";
                blocks.push_back(b);
            } else {
                auto const which = random() % blocks.size();
                live const b = blocks[which];
                blocks[which] = blocks.back();
                blocks.pop_back();
                auto const [first, last] = cell_range(b);
                for (auto c = first; c < last; ++c) --users[c];
                auto const unused = a.give(b.offset, b.bytes);
                for (auto g = unused.offset / granule; g < unused.end() / granule; ++g) ASSERT_EQ(backed.erase(g), 1u);
            }
            for (std::uint64_t g = 0; g < granules; ++g)
                ASSERT_EQ(used(g), backed.count(g) == 1) << "granule " << g << " step " << step;
        }
        for (auto const& b : blocks) a.give(b.offset, b.bytes);
        EXPECT_EQ(a.largest_hole(), a.size());
        EXPECT_EQ(a.in_use(), 0u);
    }
}

} // namespace
} // namespace sode::internal
