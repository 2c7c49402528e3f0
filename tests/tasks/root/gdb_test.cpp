// SPDX-License-Identifier: Apache-2.0
// `sode gdb`: one task of several, with its own symbols.
#include "tools/support/process.hpp"

#include <cstdlib>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sode::internal::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(Gdb, SeesTheFramesAndTheGlobalsOfThatTask) {
    if (std::system("gdb --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "there is no gdb";
    process job{{SODE_COMMAND, "run", "--space=tasks", "-n", "3", DEBUGGED, "0"}};
    ASSERT_TRUE(job.said("waits", 3));
    auto const tasks = job.family("debugged");
    ASSERT_EQ(tasks.size(), 3U);
    for (pid_t const pid : tasks) {
        result const r = sode({"gdb", std::to_string(pid), "--", "-batch", "-ex", "bt", "-ex", "print debugged_value"});
        if (r.out.find("ptrace: Operation not permitted") != std::string::npos) GTEST_SKIP() << r.out;
        EXPECT_THAT(r.out, HasSubstr("wait_to_be_looked_at (more=1)")) << r.err;
        EXPECT_THAT(r.out, HasSubstr(" main ("));
        EXPECT_THAT(r.out, HasSubstr(fmt::format("$1 = {}", 100 + pid)));
    }
    EXPECT_EQ(job.family("debugged").size(), 3U) << "who has been looked at goes on";
}

TEST(Gdb, KnowsWhichTasksThereAre) {
    process job{{SODE_COMMAND, "run", "--space=tasks", "-n", "2", DEBUGGED, "0"}};
    ASSERT_TRUE(job.said("waits", 2));
    std::string const list = sode({"gdb"}).out;
    for (pid_t const pid : job.family("debugged")) EXPECT_THAT(list, HasSubstr(fmt::format("pid {} ", pid)));
    EXPECT_THAT(list, HasSubstr(DEBUGGED));
}

TEST(Gdb, RefusesWhatIsNoTask) {
    for (std::string const word : {"first", "-3", "4194305"}) {
        result const r = sode({"gdb", "--script", "--", word});
        EXPECT_EQ(sode({"gdb", word}).status, 2) << word;
        EXPECT_THAT(r.out, Not(HasSubstr("attach")));
    }
}

} // namespace
} // namespace sode::internal::testing
