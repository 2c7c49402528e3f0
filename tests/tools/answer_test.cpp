// SPDX-License-Identifier: Apache-2.0
// What another program says is heard, and one that does not end is not waited for.
#include "launch/answer.hpp"

#include <gtest/gtest.h>

namespace sode::internal::tools {
namespace {

using namespace std::chrono_literals;

TEST(Answer, IsWhatTheProgramSays) {
    auto const told = ask({"sh", "-c", "echo one; echo two; echo lost >&2; exit 7"});
    EXPECT_EQ(told.status, 7);
    EXPECT_EQ(told.text, "one\ntwo");
    auto const in_time = ask({"sh", "-c", "sleep 0.1; echo slow"}, 60s);
    EXPECT_EQ(in_time.status, 0);
    EXPECT_EQ(in_time.text, "slow");
    EXPECT_EQ(ask({"/nonexistent"}, 60s).status, 127);
}

// What the program has started has its output, too, and would keep it open.
TEST(Answer, IsNotWaitedForForEver) {
    auto const began = std::chrono::steady_clock::now();
    auto const told = ask({"sh", "-c", "echo begun; sleep 1000 & sleep 1000"}, 50ms);
    EXPECT_EQ(told.status, no_answer_status);
    EXPECT_LT(std::chrono::steady_clock::now() - began, 500s);
}

} // namespace
} // namespace sode::internal::tools
