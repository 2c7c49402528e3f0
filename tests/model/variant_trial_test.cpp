// SPDX-License-Identifier: Apache-2.0
// Variants take turns, the fastest one stays, looks get rarer, and every rank that is told the same sums does the same.
#include "model/variant_trial.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include <vector>

namespace sode::internal::testing {
namespace {

struct run {
    std::vector<std::size_t> shown;
    std::vector<std::size_t> published, decided; // epochs
};

// `takes`: nanoseconds of each variant.
run carry_out(variant_trial& trial, std::vector<std::int64_t> const& takes, int epochs) {
    run r;
    std::vector<std::uint64_t> sums(takes.size());
    for (int e = 0; e < epochs; ++e) {
        auto const step = trial.next();
        auto now = step.variant;
        if (step.publishes) {
            r.published.push_back(static_cast<std::size_t>(e));
            for (std::size_t v = 0; v < sums.size(); ++v) sums[v] = 3 * trial.measured(v);
        }
        if (step.decides) {
            r.decided.push_back(static_cast<std::size_t>(e));
            now = trial.decide(sums);
        }
        r.shown.push_back(now);
        if (step.timed) trial.took(now, takes[now] + e % 3);
    }
    return r;
}

TEST(VariantTrial, OfOneThereIsNothingToTry) {
    variant_trial none, one{1, 4};
    EXPECT_EQ(carry_out(none, {10}, 100).published.size(), 0U);
    EXPECT_EQ(carry_out(one, {10}, 100).decided.size(), 0U);
}

TEST(VariantTrial, TheFastestStays) {
    for (std::size_t best = 0; best < 4; ++best) {
        variant_trial trial{4, 8};
        std::vector<std::int64_t> takes(4, 1000);
        takes[best] = 700;
        auto const r = carry_out(trial, takes, 100);
        EXPECT_EQ(trial.stays(), best);
        EXPECT_EQ(r.shown.back(), best);
        ASSERT_EQ(r.published.size(), 1U);
        ASSERT_EQ(r.decided.size(), 1U);
        EXPECT_EQ(r.decided[0], r.published[0] + 8);
        for (std::size_t v = 0; v < 4; ++v)
            EXPECT_GE(std::count(r.shown.begin(), r.shown.end(), v), 12) << "each has its turns: " << v;
    }
}

TEST(VariantTrial, WhatTheModelProposesStaysIfNothingIsClearlyFaster) {
    variant_trial trial{3, 1};
    static_cast<void>(carry_out(trial, {1000, 970, 990}, 100));
    EXPECT_EQ(trial.stays(), 0U);
    EXPECT_GT(trial.sum(1), 0U);
}

TEST(VariantTrial, LooksAgainAndFindsWhatHasChanged) {
    variant_trial trial{2, 2};
    static_cast<void>(carry_out(trial, {1000, 500}, 200));
    EXPECT_EQ(trial.stays(), 1U);
    auto const r = carry_out(trial, {500, 1000}, 8000);
    EXPECT_EQ(trial.stays(), 0U);
    EXPECT_EQ(r.decided.size(), 1U) << "rarely";
}

TEST(VariantTrial, WhatNobodyWaitedForDecidesNothing) {
    variant_trial trial{2, 1};
    for (int e = 0; e < 100; ++e)
        if (trial.next().decides) {
            EXPECT_EQ(trial.decide(std::vector<std::uint64_t>{0, 0}), 0U);
        }
    EXPECT_EQ(trial.stays(), 0U);
}

} // namespace
} // namespace sode::internal::testing
