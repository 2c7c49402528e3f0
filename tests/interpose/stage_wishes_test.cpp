// SPDX-License-Identifier: Apache-2.0
// What a sender remembers of receivers that asked for a stage.
#include "interpose/transport/stage_wishes.hpp"

#include <gtest/gtest.h>

namespace sode::internal::interpose {
namespace {

int expected_in_a_row(stage_wishes& wishes, int receiver, std::uint64_t form) {
    int n = 0;
    while (n < 1'000 && wishes.expects(receiver, form)) ++n;
    return n;
}

TEST(StageWishes, NobodyIsExpectedToWishWhatHeDidNotAskFor) {
    stage_wishes wishes;
    for (int receiver = 0; receiver < 8; ++receiver)
        for (std::uint64_t form = 0; form < 100; ++form) EXPECT_FALSE(wishes.expects(receiver, form));
    wishes.note(3, 17);
    EXPECT_FALSE(wishes.expects(4, 17));
    EXPECT_FALSE(wishes.expects(3, 18));
    EXPECT_TRUE(wishes.expects(3, 17));
}

TEST(StageWishes, ReceiversAreAskedAgainAfterSomeMessages) {
    stage_wishes wishes;
    wishes.note(1, 5);
    int const granted = expected_in_a_row(wishes, 1, 5);
    EXPECT_GT(granted, 8); // asking costs a message some 0.4 us
    EXPECT_LT(granted, 256);
    wishes.note(1, 5);
    EXPECT_EQ(expected_in_a_row(wishes, 1, 5), granted);
}

TEST(StageWishes, ThoseThatFallTogetherForgetOneAnother) {
    stage_wishes wishes;
    for (std::uint64_t form = 0; form < 1'000; ++form) wishes.note(0, form);
    int remembered = 0;
    for (std::uint64_t form = 0; form < 1'000; ++form) remembered += wishes.expects(0, form) ? 1 : 0;
    EXPECT_GT(remembered, 0);
    EXPECT_LE(remembered, 64);
}

} // namespace
} // namespace sode::internal::interpose
