// SPDX-License-Identifier: Apache-2.0
// Which waits can never end, of pictures drawn by hand.
#include "space/standstill.hpp"

#include <gtest/gtest.h>

namespace sode::internal {
namespace {

using sources = std::vector<waiting_rank::source>;

std::optional<waiting_rank> in_plan(std::uint64_t plan, std::uint64_t epoch, sources from, std::uint64_t calls = 0) {
    waiting_rank w;
    w.waits = true;
    w.where = "in epoch " + std::to_string(epoch) + " of plan " + std::to_string(plan);
    w.plan = plan;
    w.epoch = epoch;
    w.awaited = std::move(from);
    w.calls = calls;
    return w;
}
std::optional<waiting_rank> in_call(std::uint64_t calls) {
    waiting_rank w;
    w.waits = true;
    w.where = "in a barrier";
    w.calls = calls;
    return w;
}
std::optional<waiting_rank> busy(std::uint64_t calls = 0) {
    waiting_rank w;
    w.calls = calls;
    return w;
}

struct Standstill : ::testing::Test {
    std::vector<bool> stuck(std::vector<std::optional<waiting_rank>> ranks, bool started = false) {
        all = {std::move(ranks), [started](int, std::uint64_t, std::uint64_t) { return started; }};
        return without_end(all);
    }
    wait_picture all;
};
using yes_no = std::vector<bool>;

TEST_F(Standstill, TwoThatWaitForEachOtherInDifferentPlans) {
    EXPECT_EQ(stuck({in_plan(1, 1, {{1}}), in_plan(2, 1, {{0}})}), (yes_no{true, true}));
    auto const why = explain(all, {true, true});
    ASSERT_TRUE(why);
    EXPECT_EQ(*why, (standstill{0, 1, 0, "in epoch 1 of plan 1", "in epoch 1 of plan 2"}));
}

TEST_F(Standstill, TwoEpochsOfOnePlanAreTwoPlaces) {
    EXPECT_EQ(stuck({in_plan(1, 2, {{1}}), in_plan(1, 1, {{0}})}), (yes_no{true, true}));
}

TEST_F(Standstill, WithinOneEpochNobodyIsStuckByItself) {
    EXPECT_EQ(stuck({in_plan(1, 1, {{1}, {2}}), in_plan(1, 1, {{0}, {2}}), busy()}), (yes_no{false, false, false}));
    EXPECT_FALSE(explain(all, {false, false, false}));
}

TEST_F(Standstill, WhoWaitsForSomebodyBusyIsNotStuck) {
    EXPECT_EQ(stuck({in_plan(1, 1, {{1}}), in_plan(2, 1, {{2}}), busy()}), (yes_no{false, false, false}));
    EXPECT_EQ(stuck({in_plan(1, 1, {{1}}), in_plan(2, 1, {{2}}), std::nullopt}), (yes_no{false, false, false}));
}

TEST_F(Standstill, OneOfSeveralSourcesIsEnough) {
    // Rank 0 needs 1 and 3; 3 works, but 1 never comes.
    EXPECT_EQ(stuck({in_plan(1, 1, {{1}, {3}}), in_plan(2, 1, {{0}}), busy(), busy()}), (yes_no{true, true, false, false}));
}

TEST_F(Standstill, WhoStillServesOthersWhereItWaitsKeepsNobody) {
    // 1 and 0 are in one epoch: 1 may still hear from 2, and then serve 0, although it never ends because of 3.
    EXPECT_EQ(stuck({in_plan(1, 1, {{1}}), in_plan(1, 1, {{2}, {3}}), busy(), in_plan(2, 1, {{1}})}),
              (yes_no{false, true, false, true}));
    // Without 2 there is nobody to wake it.
    EXPECT_EQ(stuck({in_plan(1, 1, {{1}}), in_plan(1, 1, {{3}}), busy(), in_plan(2, 1, {{1}})}), (yes_no{true, true, false, true}));
}

TEST_F(Standstill, ALongerCircleNamesThePairAcross) {
    EXPECT_EQ(stuck({in_plan(1, 4, {{1}}), in_plan(1, 4, {{2}}), in_plan(2, 7, {{0}})}), (yes_no{true, true, true}));
    EXPECT_EQ(*explain(all, {true, true, true}), (standstill{1, 2, 0, "in epoch 4 of plan 1", "in epoch 7 of plan 2"}));
}

TEST_F(Standstill, CollectiveCallsWaitForThoseWhoHaveEnteredFewer) {
    EXPECT_EQ(stuck({in_call(3), in_plan(1, 2, {{0}}, 2)}), (yes_no{true, true}));
    EXPECT_EQ(*explain(all, {true, true}), (standstill{0, 1, 0, "in a barrier", "in epoch 2 of plan 1"}));
    EXPECT_EQ(stuck({in_call(3), in_call(3)}), (yes_no{false, false})) << "all have come";
    EXPECT_EQ(stuck({in_call(3), busy(2)}), (yes_no{false, false}));
    EXPECT_EQ(stuck({in_call(3), in_call(2), busy(3)}), (yes_no{false, false, false})) << "the second call goes on by itself";
}

TEST_F(Standstill, AMessageOnItsWayMayArrive) {
    sources const by_message{{1, true}};
    EXPECT_EQ(stuck({in_plan(1, 1, by_message), in_plan(2, 1, {{0}})}, false), (yes_no{true, true}));
    EXPECT_EQ(stuck({in_plan(1, 1, by_message), in_plan(2, 1, {{0}})}, true), (yes_no{false, false}));
}

TEST_F(Standstill, WhatNobodyCanTellIsNoProof) {
    // Of what 1 waits for not all is known: it may yet serve 0 in their common epoch.
    auto unknown = in_plan(1, 1, {{2}});
    unknown->all_told = false;
    EXPECT_EQ(stuck({in_plan(1, 1, {{1}}), unknown, in_plan(2, 1, {{1}})}), (yes_no{false, true, true}));
}

} // namespace
} // namespace sode::internal
