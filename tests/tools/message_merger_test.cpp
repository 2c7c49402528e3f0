// SPDX-License-Identifier: Apache-2.0
// Equal messages of ranks become one; nothing is lost, held for long, or put out of order. The clock is a number.
#include "launch/message_merger.hpp"

#include <gtest/gtest.h>

namespace sode::internal::tools {
namespace {

constexpr std::int64_t ms = 1'000'000, hold = message_merger::hold_ns, long_after = 100 * hold;

TEST(MessageMerger, OneLineForTheRanksThatSayTheSame) {
    message_merger m{32};
    for (int r = 0; r < 32; ++r) m.add(r, "sode: error: rank " + std::to_string(r) + ": no room (1 of 2)\n  make room\n", r * ms);
    EXPECT_EQ(m.take(31 * ms), "") << "it may have a third line";
    EXPECT_LE(m.due_ns(), 31 * ms + hold / 10) << "but nobody is left to wait for";
    EXPECT_EQ(m.take(m.due_ns()), "sode: error: ranks 0-31: no room (1 of 2)\n  make room\n");
    EXPECT_EQ(m.due_ns(), INT64_MAX);
}

TEST(MessageMerger, HoldsAFifthOfASecondAtMost) {
    message_merger m{4};
    m.add(1, "sode: warning: rank 1: slow\n", 7);
    m.add(3, "sode: warning: rank 3: slow\n", 8);
    EXPECT_EQ(m.due_ns(), 7 + 200 * ms);
    EXPECT_EQ(m.take(6 + 200 * ms), "");
    EXPECT_EQ(m.take(7 + 200 * ms), "sode: warning: ranks 1,3: slow\n");
    m.add(0, "sode: warning: rank 0: slow\n", 8 + 200 * ms);
    EXPECT_EQ(m.take(long_after), "sode: warning: rank 0: slow\n") << "a single one is as it was";
}

TEST(MessageMerger, NamesRanksInRuns) {
    message_merger m{8};
    for (int const r : {7, 0, 1, 3, 4, 5}) m.add(r, "sode: same\n", 0);
    EXPECT_EQ(m.take(hold), "sode: ranks 0,1,3-5,7: same\n");
}

TEST(MessageMerger, DifferentOnesStayApartAndInOrder) {
    message_merger m{2};
    m.add(0, "sode: error: rank 0: a\nsode: error: rank 0: b\n", 0);
    m.add(1, "sode: error: rank 1: b\nsode: error: rank 1: a\n", 1);
    EXPECT_EQ(m.take(long_after), "sode: error: rank 0: a\nsode: error: ranks 0,1: b\nsode: error: rank 1: a\n");
}

TEST(MessageMerger, WhatARankRepeatsIsToldAsOften) {
    message_merger m{2};
    for (int i = 0; i < 2; ++i)
        for (int r = 0; r < 2; ++r) m.add(r, "sode: error: rank " + std::to_string(r) + ": x\n", 0);
    EXPECT_EQ(m.take(long_after), "sode: error: ranks 0,1: x\nsode: error: ranks 0,1: x\n");
}

TEST(MessageMerger, EverythingElsePassesAtOnce) {
    message_merger m{3};
    m.add(0, "\rstep 1", 0);
    EXPECT_EQ(m.take(0), "\rstep 1");
    m.add(0, " of 2\n", 1);
    m.add(1, "so what\nso", 1);
    EXPECT_EQ(m.take(1), " of 2\nso what\n") << "'so' may be the beginning of a message";
    m.add(1, "me\n", 2);
    m.add(2, "x sode: error: no\n", 2);
    EXPECT_EQ(m.take(2), "some\nx sode: error: no\n");
}

TEST(MessageMerger, HalfALineIsNotHeldForEver) {
    message_merger m{2};
    m.add(0, "s", 0);
    EXPECT_EQ(m.due_ns(), hold);
    EXPECT_EQ(m.take(hold), "s");
    m.add(0, "ode: error: x\n", hold + 1);
    EXPECT_EQ(m.take(hold + 1), "ode: error: x\n");
}

TEST(MessageMerger, MessagesInPiecesAreWhole) {
    message_merger m{2};
    for (int r = 0; r < 2; ++r)
        for (char const c : "sode: error: rank " + std::to_string(r) + ": x (y)\n  z\n") m.add(r, std::string(1, c), 0);
    EXPECT_EQ(m.take(long_after), "sode: error: ranks 0,1: x (y)\n  z\n");
}

TEST(MessageMerger, ARankKeepsItsOrder) {
    message_merger m{2};
    m.add(0, "sode: warning: rank 0: x\nand on\n", 0);
    EXPECT_EQ(m.take(0), "sode: warning: rank 0: x\nand on\n");
}

TEST(MessageMerger, LastWordsOfAKilledRankAreToldAtOnce) {
    message_merger m{3};
    m.add(0, "sode: error: rank 0: x\n", 0);
    m.add(2, "sode: error: rank 2: y\nsode: er", 0);
    m.hurry(2);
    m.announce("sode: error: rank 2 was killed", 1);
    EXPECT_EQ(m.take(1), "sode: error: rank 2: y\nsode: er") << "of rank 0 nobody has said that it was killed";
    EXPECT_EQ(m.take(hold), "\nsode: error: rank 0: x\nsode: error: rank 2 was killed\n");
}

TEST(MessageMerger, WhoHasLeftIsNotWaitedFor) {
    message_merger m{3};
    m.close(0, 0);
    m.add(1, "sode: x\n", 0);
    m.add(2, "sode: x", 0);
    m.close(2, 1); // without the end of its line
    EXPECT_LT(m.due_ns(), hold);
    EXPECT_EQ(m.take(m.due_ns()), "sode: ranks 1,2: x\n");
}

TEST(MessageMerger, AnInnerJobsRanksAreNotOurs) {
    message_merger m{2};
    for (int r = 0; r < 2; ++r) m.add(r, "sode: error: rank 1: x\n", 0);
    m.flush();
    EXPECT_EQ(m.take(0), "sode: error: rank 1: x\nsode: error: rank 1: x\n");
}

TEST(MessageMerger, AFloodIsNotKept) {
    message_merger m{2};
    std::size_t told = 0;
    for (int i = 0; i < 100'000; ++i) {
        m.add(0, "sode: warning: rank 0: " + std::to_string(i) + "\n", 0);
        told += m.take(0).size();
    }
    EXPECT_GT(told, 1'000'000U);
}

} // namespace
} // namespace sode::internal::tools
