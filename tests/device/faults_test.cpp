// SPDX-License-Identifier: Apache-2.0
// A rank that dies while exchanges are in the streams of others: they are told, within a second, and nothing is left.
#include "tools/support/process.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sode::internal::testing {
namespace {

using ::testing::HasSubstr;

TEST(device_faults, a_stream_that_waits_for_a_dead_rank_says_so) {
    for (std::string const channel : {"device-push", "device-pull", "device-stage", "device-segments"}) {
        SCOPED_TRACE(channel);
        process p{ranks(3, {"-c", channel})};
        ASSERT_TRUE(p.said("rank 1 is gone"));
        auto const r = p.wait();
        EXPECT_NE(r.status, 0);
        EXPECT_THAT(r.err, HasSubstr("rank 1 has terminated"));
        EXPECT_THAT(r.err, HasSubstr("halo of \"u\""));
        EXPECT_TRUE(p.family_gone(5));
    }
}

} // namespace
} // namespace sode::internal::testing
