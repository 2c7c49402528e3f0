// SPDX-License-Identifier: Apache-2.0
// A wish holds for one message, of as many bytes, to who wished.
#include "interpose/transport/followed_paths.hpp"

#include <gtest/gtest.h>

namespace sode::internal::interpose {
namespace {

TEST(FollowedPaths, AWishHoldsForOneMessage) {
    followed_paths f{3};
    EXPECT_EQ(f.next(1, 4096), std::nullopt) << "nobody has wished";
    f.wish(1, message_path::staged, 4096);
    EXPECT_EQ(f.next(2, 4096), std::nullopt) << "somebody else has";
    EXPECT_EQ(f.next(1, 8192), std::nullopt) << "another message";
    EXPECT_EQ(f.next(1, 4096), message_path::staged);
    EXPECT_EQ(f.next(1, 4096), std::nullopt);
}

TEST(FollowedPaths, TheLatestWishCounts) {
    followed_paths f{2};
    constexpr std::uint64_t huge = std::uint64_t{1} << 55;
    for (auto const how :
         {message_path::plain, message_path::direct, message_path::both, message_path::push, message_path::staged}) {
        f.wish(0, message_path::staged, 1);
        f.wish(0, how, huge);
        EXPECT_EQ(f.next(0, huge), how);
    }
}

} // namespace
} // namespace sode::internal::interpose
