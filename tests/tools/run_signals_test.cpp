// SPDX-License-Identifier: Apache-2.0
// `sode run`: what reaches the ranks when somebody signals the launcher.
#include "support/process.hpp"

#include <csignal>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <thread>

namespace sode::internal::testing {
namespace {

using ::testing::HasSubstr;

TEST(RunSignals, ArePassedOnOnce) {
    process job{ranks(3, {"signals"})};
    ASSERT_TRUE(job.said("ready", 3));
    for (int const signal : {SIGUSR1, SIGUSR2, SIGHUP, SIGINT, SIGTERM, SIGCONT}) {
        kill(job.pid(), signal);
        EXPECT_TRUE(job.said(fmt::format(" got {}\n", signal), 3)) << signal;
    }
    kill(job.pid(), SIGQUIT);
    result const r = job.wait();
    EXPECT_EQ(r.status, 0);
    for (int const signal : {SIGUSR1, SIGUSR2, SIGHUP, SIGINT, SIGTERM, SIGCONT, SIGQUIT})
        for (int rank = 0; rank < 3; ++rank) EXPECT_EQ(count(r.out, fmt::format("rank {} got {}\n", rank, signal)), 1) << r.out;
}

TEST(RunSignals, ReachTheChildrenOfARank) {
    process job{sode_command({"run", "-n", "2", "sh", "-c",
                              "trap '' TERM; (trap 'echo child; exit 0' TERM; echo ready; while :; do sleep 0.05; done)"})};
    ASSERT_TRUE(job.said("ready", 2));
    kill(job.pid(), SIGTERM);
    EXPECT_EQ(count(job.wait().out, "child"), 2);
}

TEST(RunSignals, InterruptEndsTheJobAsItEndsAProgram) {
    process job{sode_command({"run", "-n", "2", "sleep", "1000"})};
    ASSERT_TRUE(job.family_reaches("sleep", 2));
    kill(job.pid(), SIGINT);
    result const r = job.wait();
    EXPECT_EQ(r.status, 128 + SIGINT);
    EXPECT_TRUE(r.by_signal) << "so that a shell ends its script";
    EXPECT_THAT(r.err, HasSubstr("was killed by signal 2 (Interrupt)"));
    EXPECT_TRUE(job.family_gone(0.0));
}

TEST(RunSignals, StopAndContinueTheJob) {
    process job{sode_command({"run", "-n", "2", "sleep", "1000"})};
    ASSERT_TRUE(job.family_reaches("sleep", 2));
    auto const sleepers = job.family("sleep");
    auto const reached = [](pid_t pid, char state) {
        for (int i = 0; i < 1000 && state_of(pid) != state; ++i) std::this_thread::sleep_for(std::chrono::milliseconds{5});
        return state_of(pid) == state;
    };
    kill(job.pid(), SIGTSTP);
    EXPECT_TRUE(reached(job.pid(), 'T'));
    for (pid_t const pid : sleepers) EXPECT_TRUE(reached(pid, 'T'));
    kill(job.pid(), SIGCONT);
    EXPECT_TRUE(reached(job.pid(), 'S'));
    for (pid_t const pid : sleepers) EXPECT_TRUE(reached(pid, 'S'));
    kill(job.pid(), SIGTERM);
    EXPECT_EQ(job.wait().status, 128 + SIGTERM);
}

TEST(RunSignals, TheSecondInterruptEndsWhoeverIgnoresTheFirst) {
    process job{ranks(3, {"signals"})};
    ASSERT_TRUE(job.said("ready", 3));
    for (int const signal : {SIGINT, SIGUSR1, SIGUSR1, SIGINT}) {
        kill(job.pid(), signal);
        job.said(fmt::format(" got {}\n", signal), 3);
    }
    result const r = job.wait();
    EXPECT_EQ(r.status, 128 + SIGINT);
    EXPECT_TRUE(r.by_signal);
    EXPECT_EQ(count(r.out, fmt::format(" got {}\n", SIGTERM)), 3) << "they are asked once more";
    EXPECT_THAT(r.err, HasSubstr("sode: warning: ranks have not ended after the first Interrupt"));
    EXPECT_TRUE(job.family_gone(0.0));
}

TEST(RunSignals, TheSecondInterruptEndsWhoeverIsStopped) {
    process job{sode_command({"run", "-n", "2", "sleep", "1000"})};
    ASSERT_TRUE(job.family_reaches("sleep", 2));
    auto const sleepers = job.family("sleep");
    auto const eventually = [](auto const& holds) {
        for (int i = 0; i < 2000 && !holds(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds{5});
        return holds();
    };
    for (pid_t const pid : sleepers) {
        kill(pid, SIGSTOP);
        ASSERT_TRUE(eventually([&] { return state_of(pid) == 'T'; }));
    }
    kill(job.pid(), SIGINT);
    for (pid_t const pid : sleepers) ASSERT_TRUE(eventually([&] { return is_pending(pid, SIGINT); }));
    kill(job.pid(), SIGINT);
    EXPECT_EQ(job.wait().status, 128 + SIGINT);
    EXPECT_TRUE(job.family_gone(0.0));
}

TEST(RunSignals, IgnoredOnesStayIgnored) {
    std::string const rank = "trap 'echo lives' USR1; sleep 1000 & echo ready; while :; do wait; done";
    process job{{"sh", "-c", "trap '' HUP; exec " SODE_COMMAND " run -n 2 sh -c \"" + rank + "\""}};
    ASSERT_TRUE(job.said("ready", 2));
    auto const shells = job.family("sh"); // and what is about to be a `sleep`
    EXPECT_GE(shells.size(), 2U);
    kill(job.pid(), SIGHUP); // as under nohup
    for (pid_t const pid : shells) kill(pid, SIGHUP);
    kill(job.pid(), SIGUSR1); // of two signals the one with the smaller number is taken first
    EXPECT_TRUE(job.said("lives", 2));
}

} // namespace
} // namespace sode::internal::testing
