// SPDX-License-Identifier: Apache-2.0
#include "support/report.hpp"
#include "support/statistics.hpp"

#include <gtest/gtest.h>

#include <array>
#include <random>

namespace sode::internal::bench {
namespace {

TEST(Quantile, InterpolatesBetweenOrderStatistics) {
    std::array const v{4.0, 1.0, 3.0, 2.0};
    EXPECT_DOUBLE_EQ(median(v), 2.5);
    EXPECT_DOUBLE_EQ(quantile(v, 0), 1);
    EXPECT_DOUBLE_EQ(quantile(v, 1), 4);
    EXPECT_DOUBLE_EQ(quantile(v, 0.1), 1.3);
    EXPECT_DOUBLE_EQ(median({}), 0);
}

// The interval must hold the true median about 95 times in 100: neither always nor seldom.
TEST(MedianInterval, CoversTheTrueMedian) {
    std::mt19937_64 random{7};
    std::lognormal_distribution<double> draw{0, 0.5};
    int held = 0;
    constexpr int trials = 200;
    for (int t = 0; t < trials; ++t) {
        std::vector<double> v(31);
        for (double& x : v) x = draw(random);
        auto const [low, high] = median_interval(v);
        EXPECT_LE(low, median(v));
        EXPECT_GE(high, median(v));
        held += low <= 1 && 1 <= high;
    }
    EXPECT_GE(held, 180);
    EXPECT_LT(held, 200);
}

TEST(PairedRatios, OnlyTurnsWhereBothSawTheRegime) {
    auto const at = [](int turn, char const* name, regime where, double us) { return sample{turn, name, {where, 100, us, us}}; };
    measured_case const c{"x",
                          {at(0, "ours", regime::near, 1), at(0, "them", regime::near, 2), at(1, "ours", regime::far, 1),
                           at(1, "them", regime::near, 9), at(2, "them", regime::near, 9), at(3, "ours", regime::near, 2),
                           at(3, "them", regime::near, 3)}};
    EXPECT_EQ(paired_ratios(c, "ours", "them", regime::near), (std::vector<double>{2, 1.5}));
    EXPECT_TRUE(paired_ratios(c, "ours", "them", regime::far).empty());
}

} // namespace
} // namespace sode::internal::bench
