// SPDX-License-Identifier: Apache-2.0
// Blocks of time tiles hold whole passes: a march of 16 steps at a time is not measured by marches of 2 steps.
#include "stencil/block_length.hpp"

#include <gtest/gtest.h>

namespace sode::internal::bench {
namespace {

TEST(BlockLength, IsAboutTwentyMilliseconds) {
    EXPECT_EQ(steps_of_block(100, 1), 200);
    EXPECT_EQ(steps_of_block(0.1, 1), 1000);
    EXPECT_EQ(steps_of_block(50000, 1), 2);
}

TEST(BlockLength, HoldsWholePassesOfTheLongestTile) {
    EXPECT_EQ(steps_of_block(9400, at_most_at_a_time(8)), 32);
    EXPECT_EQ(steps_of_block(9400, at_most_at_a_time(0)), 64); // chosen: up to 16
    EXPECT_EQ(steps_of_block(100, 16), 200);
}

} // namespace
} // namespace sode::internal::bench
