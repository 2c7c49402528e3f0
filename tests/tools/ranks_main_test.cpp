// SPDX-License-Identifier: Apache-2.0
// Tests of several ranks are run as they should be, and one that fails on a single rank ends the job (CMakeLists.txt says what is
// expected).
#include "support/ranks.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace sode::internal::testing {
namespace {

TEST(RanksMain, RunsOnAsManyRanksAsAskedFor) {
    ASSERT_NE(std::getenv("EXPECTED_RANKS"), nullptr);
    EXPECT_EQ(ranks().size(), std::atoi(std::getenv("EXPECTED_RANKS")));
    ranks().barrier();
}

TEST(RanksMain, FailsOnTheRankThatIsToFail) {
    char const* const rank = std::getenv("FAILING_RANK");
    ASSERT_NE(rank == nullptr ? -1 : std::atoi(rank), ranks().rank());
    ranks().barrier();
}

} // namespace
} // namespace sode::internal::testing
