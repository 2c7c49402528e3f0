// SPDX-License-Identifier: Apache-2.0
// Which machines the ranks of a communicator are on, and who leads them: blocks, turns, and what is neither.
#include "interpose/collective/machine_tiers.hpp"

#include <gtest/gtest.h>

#include <array>

namespace sode::internal::interpose::test {
namespace {

TEST(MachineTiers, NobodyAtAll) {
    machine_tiers const none{std::vector<int>{}};
    EXPECT_EQ(none.machines(), 0);
    EXPECT_EQ(none.widest(), 0);
}

TEST(MachineTiers, BlocksOfUnequalLength) {
    std::array const names{7, 7, 7, 2, 4, 4};
    machine_tiers const t{names};
    EXPECT_EQ(t.machine_of, (std::vector{0, 0, 0, 1, 2, 2}));
    EXPECT_EQ(t.place_of, (std::vector{0, 1, 2, 0, 0, 1}));
    EXPECT_EQ(t.sizes, (std::vector{3, 1, 2}));
    EXPECT_EQ(t.widest(), 3);
    EXPECT_TRUE(t.in_blocks);
}

TEST(MachineTiers, DealtOutInTurn) {
    std::array const names{1, 0, 1, 0, 1};
    machine_tiers const t{names};
    EXPECT_EQ(t.machine_of, (std::vector{0, 1, 0, 1, 0}));
    EXPECT_EQ(t.place_of, (std::vector{0, 0, 1, 1, 2}));
    EXPECT_EQ(t.sizes, (std::vector{3, 2}));
    EXPECT_FALSE(t.in_blocks);
}

TEST(MachineTiers, OneThatComesBack) {
    std::array const names{3, 3, 5, 3};
    EXPECT_FALSE(machine_tiers{names}.in_blocks);
    EXPECT_TRUE((machine_tiers{std::array{3, 3, 3}}.in_blocks));
}

} // namespace
} // namespace sode::internal::interpose::test
