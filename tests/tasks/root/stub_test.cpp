// SPDX-License-Identifier: Apache-2.0
// `sode task`: a task cannot be told from the program itself, and neither outlives the other.
#include "tasks/root/own_request.hpp"
#include "tasks/root/rank_request.hpp"
#include "tools/support/process.hpp"
#include "tools/support/words.hpp"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <thread>

namespace sode::internal::testing {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

words const stub{SODE_COMMAND, "task"};
words const who{WHO};

// By a shell, which begins with `setting`.
words in_shell(std::string const& setting, words const& command) {
    std::string line = setting + "; exec";
    for (auto const& w : command) line += " '" + w + "'";
    return {"sh", "-c", line};
}

bool eventually(auto const& holds) {
    for (int i = 0; i < 1000 && !holds(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds{5});
    return holds();
}

// A stub with a root of its own: else that of a sibling, which another test has left a moment ago, would do.
words lonely_stub() {
    static int jobs = 0;
    return words{"env", fmt::format("PMIX_NAMESPACE=stub-test-{}-{}", getpid(), ++jobs)} + stub;
}

class TaskOf : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Settings, TaskOf,
                         ::testing::Values("true", "cd /tmp", "umask 027", "ulimit -n 300", "ulimit -c 0; ulimit -s 4096",
                                           "trap '' HUP", "exec < /dev/null", "exec 0<&-",
                                           "mkdir -p gone.$$; cd gone.$$; rmdir ../gone.$$",
                                           "WHO_VARIABLE=x; export WHO_VARIABLE"));

TEST_P(TaskOf, AProcessInheritsWhatItWould) {
    result const alone = process{in_shell(GetParam(), who + words{"an argument", ""}), "input"}.wait();
    process job{in_shell(GetParam(), stub + who + words{"an argument", ""}), "input"};
    result const task = job.wait();
    EXPECT_EQ(task.out, alone.out);
    EXPECT_EQ(task.err, alone.err);
    EXPECT_EQ(task.status, 0);
    EXPECT_TRUE(job.family_gone(10));
}

TEST(Task, OfABoundAndNiceProcess) {
    if (std::system("taskset --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "there is no taskset";
    words const before{"taskset", "-c", "0", "nice", "-n", "3"};
    result const alone = process{before + who}.wait();
    int const nice = std::min(::getpriority(PRIO_PROCESS, 0) + 3, 19);
    EXPECT_THAT(alone.out, HasSubstr(fmt::format("nice {}, processors 0\n", nice)));
    EXPECT_EQ((process{before + stub + who}.wait().out), alone.out);
}

// The kernel gives each session the same share of a busy machine: ranks to whom Hydra gives one each would be slower in a common
// one.
TEST(Task, LeadsASessionIfItsStubDoes) {
    EXPECT_THAT((process{words{"setsid", "--wait"} + stub + who}.wait().out), HasSubstr("leads a session"));
    EXPECT_THAT((process{stub + who}.wait().out), HasSubstr("is in a session"));
}

TEST(Task, OfMegabytes) {
    std::string const more(100'000, 'x');
    words many{"sh", "-c", "for i in 1 2 3 4 5 6 7 8 9; do export V$i=$1; done; export WHO_VARIABLE=$1; shift; exec \"$@\"", "sh",
               more};
    words const arguments(8, more);
    result const alone = process{many + who + arguments}.wait();
    result const task = process{many + stub + who + arguments}.wait();
    EXPECT_GT(alone.out.size(), 800'000U);
    EXPECT_EQ(task.out, alone.out);
}

// More than one message of a socket can carry.
TEST(Task, OfManyDescriptors) {
    words const many{"bash", "-c", "for ((i = 300; i < 900; i++)); do eval \"exec $i< /dev/null\"; done; exec \"$@\"", "bash"};
    result const alone = process{many + who}.wait();
    EXPECT_GE(count(alone.out, "descriptor "), 600);
    EXPECT_EQ((process{many + stub + who}.wait().out), alone.out);
}

TEST(Task, EndsAsTheProgramEnds) {
    for (int const status : {0, 1, 42, 255})
        EXPECT_EQ((process{stub + who + words{"exit", std::to_string(status)}}.wait().status), status);
    for (int const signal : {SIGSEGV, SIGABRT, SIGKILL, SIGTERM, SIGHUP, SIGRTMIN}) {
        result const r = process{stub + who + words{"die", std::to_string(signal)}}.wait();
        EXPECT_TRUE(r.by_signal) << signal;
        EXPECT_EQ(r.status, 128 + signal);
    }
}

TEST(Task, ReadsAndWritesItself) {
    EXPECT_EQ((process{stub + who + words{"copy"}, "some\ninput"}.wait().out), "some\ninput");
}

TEST(Task, IsRefusedClearly) {
    struct wrong {
        words command;
        int status;
        std::string text;
    };
    for (auto const& [command, status, text] :
         {wrong{{"no_such_program"}, 127, "no_such_program cannot be started (No such file or directory)"},
          wrong{{"/etc/passwd"}, 126, "/etc/passwd cannot be started (Permission denied)"},
          wrong{{"--stack=much", "true"}, 2, "--stack=much is invalid"},
          wrong{{"--fds=77", "true"}, 2, "descriptor 77 cannot be passed to a task"},
          wrong{{"--nonsense", "true"}, 2, "--nonsense"}, wrong{{}, 2, "there is no program to run"}}) {
        result const r = process{stub + command}.wait();
        EXPECT_EQ(r.status, status) << r.err;
        EXPECT_THAT(r.err, HasSubstr("sode: error: "));
        EXPECT_THAT(r.err, HasSubstr(text));
    }
}

TEST(Task, OfAProgramWithFixedAddressesIsRefusedOnce) {
    for (words const& start : {stub, words{SODE_COMMAND, "run", "--space=tasks", "-n", "3"}}) {
        result const r = process{start + words{FIXED}}.wait();
        EXPECT_EQ(r.status, start == stub ? 125 : 126);
        EXPECT_EQ(count(r.err, "not position-independent"), 1) << r.err;
        EXPECT_EQ(count(r.err, "\n"), 2) << r.err; // the suggestion has a line of its own
    }
}

// Hydra leaves the pipes of other ranks open.
TEST(Task, GetsFewDescriptorsOfAPmiLauncher) {
    words const with = in_shell("exec 7< /dev/null; export PMI_FD=9", stub + words{"--fds=7"} + who);
    words const without = in_shell("exec 7< /dev/null; export PMI_FD=9", stub + who);
    EXPECT_THAT((process{with}.wait().out), HasSubstr("descriptor 7 of kind 20000"));
    EXPECT_THAT((process{without}.wait().out), Not(HasSubstr("descriptor 7 ")));
}

TEST(Task, IsSentTheSignalsOfItsStub) {
    process job{stub + who + words{"signals"}};
    ASSERT_TRUE(job.said("pid"));
    for (int const signal : {SIGUSR1, SIGHUP, SIGINT, SIGQUIT, SIGWINCH, SIGALRM, SIGRTMIN + 3}) {
        kill(job.pid(), signal);
        EXPECT_TRUE(job.said(fmt::format("got {}\n", signal)));
    }
    kill(job.pid(), SIGTERM);
    EXPECT_EQ(job.wait().status, 0);
}

TEST(Task, StopsAndContinuesWithItsStub) {
    process job{stub + who + words{"wait", "1"}};
    ASSERT_TRUE(job.said("pid"));
    for (int round = 0; round < 3; ++round) {
        kill(job.pid(), SIGTSTP);
        EXPECT_TRUE(eventually([&] { return state_of(job.pid()) == 'T'; }));
        kill(job.pid(), SIGCONT);
        EXPECT_TRUE(eventually([&] { return state_of(job.pid()) == 'S'; }));
    }
    EXPECT_EQ(job.wait().status, 0);
}

TEST(Task, DiesWithItsStub) {
    process job{lonely_stub() + who + words{"wait"}};
    ASSERT_TRUE(job.said("pid"));
    auto const before = job.family(); // root and task
    EXPECT_EQ(before.size(), 2U);
    kill(job.pid(), SIGKILL);
    EXPECT_TRUE(job.family_gone(10));
}

TEST(Task, DiesWithTheRoot) {
    process job{lonely_stub() + who + words{"wait"}};
    ASSERT_TRUE(job.said("pid"));
    auto const root = job.family("sode-root");
    ASSERT_EQ(root.size(), 1U);
    kill(root[0], SIGKILL);
    result const r = job.wait();
    EXPECT_EQ(r.status, 125);
    EXPECT_THAT(r.err, HasSubstr("this task has been killed (the process that started the tasks on this machine has been killed)"));
    EXPECT_TRUE(job.family_gone(10));
}

// Ranks of one launcher, which is a shell here, that come and go: one root for all that live at the same time.
TEST(Task, SharesOneRootWithItsSiblings) {
    std::string const line = fmt::format("for i in 1 2 3 4 5 6 7 8; do '{}' task '{}' wait 2 & done; wait", SODE_COMMAND, WHO);
    process job{{"sh", "-c", line}};
    ASSERT_TRUE(job.said("pid ", 8));
    EXPECT_EQ(job.family("sode-root").size(), 1U);
    result const r = job.wait();
    EXPECT_EQ(r.status, 0) << r.err;
    EXPECT_TRUE(job.family_gone(10));
}

// A shell that starts a stub in the background as its own child, and goes on when the task has said something: by descriptor `fd`.
std::string in_background(int fd, std::string const& task) {
    return fmt::format("exec {0}< <(exec '{1}' task {2}); last=$!; read said <&{0}; ", fd, SODE_COMMAND, task);
}

TEST(Task, MustWishTheSamePartitionsAsItsSiblings) {
    std::string const line = in_background(9, fmt::format("--partition=1G '{}' wait 60", WHO)) +
                             fmt::format("'{}' task --partition=2G '{}' exit 0; echo status $?; kill $last", SODE_COMMAND, WHO);
    result const r = process{{"bash", "-c", line}}.wait();
    EXPECT_THAT(r.out, HasSubstr("status 125"));
    EXPECT_THAT(r.err, HasSubstr("this task requests other partitions than earlier tasks"));
}

TEST(Task, OutlivesTheStubThatStartedTheRoot) {
    std::string const line = in_background(9, fmt::format("'{}' wait 60", WHO)) + "first=$last; " +
                             in_background(8, fmt::format("'{}' signals", WHO)) +
                             "kill -9 $first; wait $first; kill $last; wait $last; echo second $?";
    process job{{"bash", "-c", line}};
    result const r = job.wait();
    EXPECT_THAT(r.out, HasSubstr("second 0")) << r.err;
    EXPECT_TRUE(job.family_gone(10));
}

TEST(Task, WaitsForThoseThatTheLauncherAnnounced) {
    // Two ranks, the second late, until it is told to come: the root of the first is still there.
    std::string const line = fmt::format("export OMPI_COMM_WORLD_LOCAL_SIZE=2; trap come=1 USR1; '{0}' task '{1}' exit 0; "
                                         "until [ \"$come\" ]; do sleep 0.02; done; '{0}' task '{1}' exit 0",
                                         SODE_COMMAND, WHO);
    process job{{"sh", "-c", line}};
    std::vector<pid_t> seen;
    EXPECT_TRUE(eventually([&] {
        auto const now = job.family("sode-root");
        if (!now.empty()) seen = now;
        return !now.empty();
    }));
    std::this_thread::sleep_for(std::chrono::milliseconds{600});
    auto const still = job.family("sode-root");
    ASSERT_EQ(still.size(), 1U);
    EXPECT_THAT(seen, Contains(still.front())) << "a task has the root's name, too, before it has its own";
    kill(job.pid(), SIGUSR1);
    EXPECT_EQ(job.wait().status, 0);
    EXPECT_TRUE(job.family_gone(8)) << "after the last of them, it waits no longer";
}

TEST(RankRequest, ArrivesAsItWasSent) {
    tasks::stub_wishes wishes;
    wishes.program = {"true", "x", ""};
    wishes.house.scatter_seed = 7;
    auto const sent = tasks::own_request(wishes);
    auto const got = tasks::read_request(tasks::write_request(sent));
    EXPECT_EQ(got.house, sent.house);
    EXPECT_EQ(got.path, sent.path);
    EXPECT_EQ(got.arguments, sent.arguments);
    EXPECT_EQ(got.environment, sent.environment);
    EXPECT_EQ(got.descriptors, sent.descriptors);
    EXPECT_EQ(got.processors, sent.processors);
}

TEST(RankRequest, IsReadWithCare) {
    auto const whole = tasks::write_request({});
    for (off_t const cut : {0, 1, 20, 60, 200}) {
        auto const file = tasks::write_request({});
        ASSERT_EQ(ftruncate(file.get(), cut), 0);
        EXPECT_THROW(static_cast<void>(tasks::read_request(file)), error) << cut;
    }
    EXPECT_NO_THROW(static_cast<void>(tasks::read_request(whole)));
}

} // namespace
} // namespace sode::internal::testing
