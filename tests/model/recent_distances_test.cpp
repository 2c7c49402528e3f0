// SPDX-License-Identifier: Apache-2.0
// The distance of two ranks changes when two looks agree, and only then.
#include "model/recent_distances.hpp"

#include "model/message_path.hpp"

#include <gtest/gtest.h>

namespace sode::internal {
namespace {

constexpr double near_ns = 110, far_ns = 400, scheduler_ns = 50'000;

class RecentDistances : public ::testing::Test {
protected:
    // Rank 0 of three: 1 is near, 2 was never measured.
    recent_distances all{distance_table{{{0, 1, classify(near_ns)}}}, 0, 3};
};

TEST_F(RecentDistances, BeginWithWhatWasMeasured) {
    EXPECT_EQ(all.apart(1), distance::near);
    EXPECT_EQ(all.apart(2), distance::near);
    EXPECT_EQ(recent_distances(distance_table{{{0, 1, classify(far_ns)}}}, 1, 2).apart(0), distance::far);
}

TEST_F(RecentDistances, ChangeWhenTwoLooksAgree) {
    all.note(1, far_ns);
    EXPECT_EQ(all.apart(1), distance::near);
    all.note(1, near_ns); // so that was an interrupt
    all.note(1, far_ns);
    EXPECT_EQ(all.apart(1), distance::near);
    all.note(1, far_ns);
    EXPECT_EQ(all.apart(1), distance::far);
    EXPECT_EQ(all.apart(2), distance::near);
    all.note(1, near_ns);
    all.note(1, near_ns);
    EXPECT_EQ(all.apart(1), distance::near);
}

TEST_F(RecentDistances, WhatNoCacheLineTakesSaysNothing) {
    for (int i = 0; i < 5; ++i) all.note(1, scheduler_ns);
    all.note(1, 0);
    EXPECT_EQ(all.apart(1), distance::near);
}

TEST_F(RecentDistances, AreLookedAtFromTimeToTime) {
    std::int64_t const now = 1'000'000'000'000;
    EXPECT_TRUE(all.due(1, now));
    EXPECT_FALSE(all.due(1, now + recent_distances::apart_ns - 1));
    EXPECT_TRUE(all.due(2, now));
    EXPECT_TRUE(all.due(1, now + recent_distances::apart_ns));
    all.note(1, far_ns); // a surprise
    EXPECT_TRUE(all.due(1, now + recent_distances::apart_ns + 1));
}

TEST_F(RecentDistances, OneMessageInManyOwesALook) {
    int owed = 0;
    for (std::uint32_t i = 0; i < 3 * recent_distances::messages_a_look; ++i) owed += all.owes_look(1) ? 1 : 0;
    EXPECT_EQ(owed, 3);
}

// What it is for: the same message takes another path when the cores have moved.
TEST_F(RecentDistances, MoveThePathOfAMessage) {
    message_features m;
    m.bytes = 8 * 65536; // NAS MG x, 512 KB
    m.source = m.target = {pattern::strided, 65536, 8, 1040, 0.125};
    m.reachable = true;
    auto const chosen = [&] {
        m.apart = all.apart(1);
        return choose(m, profile{}, std::nullopt).how;
    };
    EXPECT_EQ(chosen(), message_path::both);
    all.note(1, far_ns);
    all.note(1, far_ns);
    EXPECT_EQ(chosen(), message_path::staged);
    all.note(1, near_ns);
    all.note(1, near_ns);
    EXPECT_EQ(chosen(), message_path::both);
}

} // namespace
} // namespace sode::internal
