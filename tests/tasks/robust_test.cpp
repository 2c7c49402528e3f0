// SPDX-License-Identifier: Apache-2.0
// Nothing that a task does, or that is done to it, harms the house.
#include "needs_tasks.hpp"
#include "task_run.hpp"

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <random>
#include <string>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace sode::internal::testing {
namespace {

class robust : public needs_tasks {};

bool dies(pid_t pid) {
    for (int i = 0; i < 6000; ++i) {
        if (::kill(pid, 0) != 0 && errno == ESRCH) return true;
        std::this_thread::sleep_for(std::chrono::milliseconds{10});
    }
    return false;
}

class robust_both_ways : public robust, public ::testing::WithParamInterface<bool> {};

TEST_P(robust_both_ways, tasks_that_die_while_they_or_the_house_map_something) {
    constexpr unsigned seed = 7;
    std::mt19937 random{seed};
    task_house tasks{{.capacity = 2, .shortcuts = GetParam()}};
    for (int i = 0; i < 40; ++i) {
        auto const& board = tasks.board();
        // Any range will do: what it says is not looked at.
        task_run victim{
            tasks, program_path("mapping"), {"0", fmt::format("{:x}", board.area + board.capacity * board.stride), "1000000000"}};
        std::this_thread::sleep_for(std::chrono::microseconds{random() % 6000});
        auto const base = board.entries[victim.task().index].base.load();
        ASSERT_EQ(::kill(victim.task().pid, SIGKILL), 0);
        EXPECT_TRUE(WIFSIGNALED(victim.wait()));
        // Nothing may be left in its partition, not even what was mapped for it in the moment of its death.
        std::array<unsigned char, 1> there{};
        for (std::size_t at = 0; at < std::size_t{1} << 30U; at += std::size_t{1} << 20U)
            EXPECT_TRUE(::mincore(reinterpret_cast<void*>(base + at), 4096, there.data()) != 0 && errno == ENOMEM)
                << std::hex << base + at;
    }
    task_run after{tasks, program_path("daily"), {"thread"}};
    EXPECT_EQ(after.wait(), 0);
}

INSTANTIATE_TEST_SUITE_P(all, robust_both_ways, ::testing::Bool(),
                         [](auto const& with) { return with.param ? "shortcuts" : "supervisor"; });

TEST_F(robust, an_overflow_of_the_stack_is_the_tasks_own) {
    task_house tasks;
    task_run other{tasks, program_path("hello")};
    (void)other.line();
    task_run deep{tasks, program_path("hello"), {"deep"}};
    int const status = deep.wait();
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV) << status;
    EXPECT_EQ(other.wait(), 0);
}

TEST_F(robust, without_its_root_no_task_goes_on) {
    std::array<int, 2> ends{};
    ASSERT_EQ(::pipe(ends.data()), 0);
    pid_t const root = ::fork();
    if (root == 0) {
        task_house tasks;
        auto const task = tasks.start(task_run::order_for("/bin/sleep", {"1000"}));
        if (::write(ends[1], &task.pid, sizeof task.pid) != sizeof task.pid) ::_exit(1);
        for (;;) ::pause();
    }
    pid_t task = 0;
    ASSERT_EQ(::read(ends[0], &task, sizeof task), static_cast<ssize_t>(sizeof task));
    // The task's zombie is its new parent's to bury.
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);
    ASSERT_EQ(::kill(root, SIGKILL), 0);
    ::waitpid(root, nullptr, 0);
    ::waitpid(task, nullptr, 0);
    ::prctl(PR_SET_CHILD_SUBREAPER, 0);
    EXPECT_TRUE(dies(task));
    ::close(ends[0]);
    ::close(ends[1]);
}

/// How often the other threads of this process have gone to sleep.
long times_others_slept() {
    long sum = 0;
    for (auto const& thread : std::filesystem::directory_iterator{"/proc/self/task"}) {
        if (thread.path().filename() == std::to_string(::gettid())) continue;
        std::ifstream status{thread.path() / "status"};
        for (std::string line; std::getline(status, line);) {
            long times = 0;
            if (std::sscanf(line.c_str(), "voluntary_ctxt_switches: %ld", &times) == 1) sum += times;
        }
    }
    return sum;
}

TEST_F(robust, a_house_sleeps_while_its_tasks_are_at_work) {
    using namespace std::chrono_literals;
    task_house tasks;
    task_run waits{tasks, "/bin/sleep", {"2"}};
    task_run works{tasks, "/bin/sh", {"-c", "echo started; i=0; while [ $i -lt 1000000000 ]; do i=$((i+1)); done"}};
    EXPECT_EQ(works.line(), "started");
    // Once all that was to be done has been done, however slow this machine is just now, nobody wakes up any more.
    bool slept_all_the_time = false;
    for (int tried = 0; tried < 100 && !slept_all_the_time; ++tried) {
        auto const before = times_others_slept();
        EXPECT_GT(before, 0);
        std::this_thread::sleep_for(300ms);
        slept_all_the_time = times_others_slept() == before;
    }
    EXPECT_TRUE(slept_all_the_time);
    ASSERT_EQ(::kill(works.task().pid, SIGKILL), 0);
    (void)works.wait();
    EXPECT_EQ(waits.wait(), 0);
}

TEST_F(robust, houses_come_and_go) {
    for (int i = 0; i < 20; ++i) {
        task_house tasks{{.capacity = 3}};
        task_run run{tasks, "/bin/true"};
        EXPECT_EQ(run.wait(), 0);
    }
}

} // namespace
} // namespace sode::internal::testing
