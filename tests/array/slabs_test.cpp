// SPDX-License-Identifier: Apache-2.0
// overlap() goes through a block once, in slabs and rims, whenever the halo comes.
#include <sode/slabs.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace sode::internal {
namespace {

using detail::slabs;

template <int N> struct random_block {
    std::mt19937& random;
    box<N> owned{}, local{};
    detail::margin margin{};

    explicit random_block(std::mt19937& r, index_t most) : random(r) {
        auto const between = [&](index_t low, index_t high) { return std::uniform_int_distribution<index_t>{low, high}(random); };
        for (std::size_t d = 0; d < N; ++d) {
            owned.lower[d] = between(-5, 20);
            owned.upper[d] = owned.lower[d] + between(0, d == 0 ? 4 * most : most);
            local.lower[d] = owned.lower[d] + between(0, 2);
            local.upper[d] = owned.upper[d] - between(0, 2);
            margin.lower[d] = between(0, 2);
            margin.upper[d] = between(0, 2);
        }
        margin.dims = N;
    }
};

// How often each index is visited, and whether any was that depends on the halo before it came.
template <int N> struct visits {
    box<N> local, inside;
    std::vector<int> count = std::vector<int>(static_cast<std::size_t>(local.size()));
    bool halo_is_there = false;
    bool right = true;

    void operator()(box<N> const& part) {
        right = right && local.covers(part) && (halo_is_there || inside.covers(part));
        for (auto const& at : part) {
            index_t place = 0;
            for (std::size_t d = 0; d < N; ++d) place = place * local.extent(static_cast<int>(d)) + at[d] - local.lower[d];
            ++count.at(static_cast<std::size_t>(place));
        }
    }
    [[nodiscard]] bool each_once() const {
        return right && std::ranges::all_of(count, [](int n) { return n == 1; });
    }
};

template <int N> void goes_through_all(int rounds, index_t most) {
    std::mt19937 random{22};
    for (int round = 0; round < rounds; ++round) {
        random_block<N> const b{random, most};
        slabs<N> const s{b.local, b.owned, b.margin};
        index<N> lower, upper;
        std::copy_n(b.margin.lower.begin(), N, lower.begin());
        std::copy_n(b.margin.upper.begin(), N, upper.begin());
        visits<N> seen{b.local, shrink(b.owned, lower, upper)};
        auto const come = std::uniform_int_distribution<index_t>{0, 6}(random);
        auto at = s.first();
        for (index_t k = 0; k < come && at < s.last(); ++k, at = s.behind(at)) seen(s.inside(at, s.behind(at)));
        seen.halo_is_there = true;
        seen(s.from(at));
        seen(s.before_first());
        s.rim(s.first(), at, [&](box<N> const& part) { seen(part); });
        EXPECT_TRUE(seen.each_once()) << "round " << round;
    }
}

TEST(Slabs, GoThroughABlockOnceWheneverTheHaloComes) {
    goes_through_all<1>(200, 40000);
    goes_through_all<2>(200, 300);
    goes_through_all<3>(50, 40);
}

TEST(Slabs, HaveRimsOfTheirOwn) {
    slabs<2> const s{{{0, 0}, {1000, 500}}, {{0, 0}, {1000, 500}}, {2, {1, 2}, {3, 4}}};
    EXPECT_EQ(s.first(), 1);
    EXPECT_EQ(s.last(), 997);
    index_t rim = 0;
    s.rim(s.first(), s.last(), [&](box<2> const& part) { rim += part.size(); });
    EXPECT_EQ(rim, 996 * 6);
    EXPECT_EQ(s.inside(1, 997).size() + rim + s.before_first().size() + s.from(997).size(), 500'000);
    EXPECT_EQ(s.whole_from(false), 997);
    EXPECT_LT(s.whole_from(true), 997 / 4);
    EXPECT_GT(s.whole_from(true), s.first());
}

TEST(Slabs, WithoutARimHaveNoReasonToWait) {
    slabs<2> const s{{{0, 0}, {1000, 500}}, {{0, 0}, {1000, 500}}, {2, {1, 0}, {1, 0}}};
    EXPECT_EQ(s.whole_from(true), s.last());
}

TEST(Slabs, ThinBlocksHaveNoInside) {
    slabs<2> const s{{{0, 0}, {1000, 2}}, {{0, 0}, {1000, 2}}, {2, {0, 1}, {0, 1}}};
    EXPECT_EQ(s.first(), s.last());
    EXPECT_EQ(s.from(s.last()).size(), 2000);
    EXPECT_TRUE(s.before_first().empty());
}

} // namespace
} // namespace sode::internal
