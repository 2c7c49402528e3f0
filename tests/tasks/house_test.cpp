// SPDX-License-Identifier: Apache-2.0
// Tasks have all for themselves that processes have, in one address space, and leave nothing behind.
#include "needs_tasks.hpp"
#include "task_run.hpp"

#include <sode/error.hpp>

#include <array>
#include <atomic>
#include <cerrno>
#include <cinttypes>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <memory>
#include <set>
#include <string>
#include <sys/mman.h>
#include <sys/wait.h>
#include <thread>
#include <vector>

namespace sode::internal::testing {
namespace {

class house : public needs_tasks {};

std::size_t mappings_here() {
    std::ifstream maps{"/proc/self/maps"};
    std::size_t lines = 0;
    for (std::string line; std::getline(maps, line);) ++lines;
    return lines;
}

/// What programs/identity prints of itself.
struct identity {
    int pid = 0;
    std::array<void*, 6> of_its_own{}; // a global, a thread-local, something on its stack, on its heap (small, large), in libc

    explicit identity(std::string const& line) {
        EXPECT_EQ(std::sscanf(line.c_str(), "%d %p %p %p %p %p %p", &pid, &of_its_own[0], &of_its_own[1], &of_its_own[2],
                              &of_its_own[3], &of_its_own[4], &of_its_own[5]),
                  7)
            << line;
    }
};

TEST_F(house, all_that_a_task_has_is_its_own_and_lies_in_its_partition) {
    task_house tasks;
    std::vector<std::unique_ptr<task_run>> runs;
    for (int i = 0; i < 4; ++i) runs.push_back(std::make_unique<task_run>(tasks, program_path("identity")));
    std::set<void*> seen;
    for (auto const& run : runs) {
        identity const one{run->line()};
        EXPECT_EQ(one.pid, run->task().pid);
        for (auto* const address : one.of_its_own) {
            EXPECT_EQ(tasks.board().owner_of(address), run->task().index) << address;
            EXPECT_TRUE(seen.insert(address).second) << address;
        }
    }
    EXPECT_EQ(tasks.board().owner_of(&seen), -1);
    for (auto const& run : runs) {
        EXPECT_EQ(run->wait(), 0);
        EXPECT_EQ(run->output(), std::to_string(run->task().pid) + "\n");
    }
}

TEST_F(house, an_address_of_one_is_good_in_all) {
    task_house tasks;
    task_run first{tasks, program_path("identity")};
    identity const its{first.line()};
    auto* const global = static_cast<int*>(its.of_its_own[0]);
    EXPECT_EQ(*global, its.pid);
    EXPECT_EQ(*static_cast<int*>(its.of_its_own[3]), its.pid);
    *global = 4711;
    EXPECT_EQ(first.wait(), 0);
    EXPECT_EQ(first.output(), "4711\n");
}

TEST_F(house, the_board_tells_what_became_of_a_task) {
    task_house tasks{{.capacity = 3}};
    auto order = task_run::order_for(program_path("identity"));
    order.rank = 12;
    auto run = std::make_unique<task_run>(tasks, order);
    auto const& entry = tasks.board().entries[run->task().index];
    EXPECT_EQ(entry.state, task_state::running);
    EXPECT_EQ(entry.pid, run->task().pid);
    EXPECT_EQ(entry.rank, 12);
    (void)run->line();
    EXPECT_EQ(::kill(run->task().pid, SIGKILL), 0);
    int const status = run->wait();
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    EXPECT_EQ(entry.state, task_state::ended);
    EXPECT_EQ(entry.wait_status, status);
}

TEST_F(house, a_task_finds_its_board_and_its_children_do_not) {
    task_house tasks{{.capacity = 5}};
    auto order = task_run::order_for(program_path("placed"));
    order.rank = 3;
    task_run first{tasks, order};
    EXPECT_EQ(first.line(), "task 0 rank 3 of 5, mine 0");
    task_run second{tasks, order};
    EXPECT_EQ(second.line(), "task 1 rank 3 of 5, mine 1");
    for (auto* const run : {&first, &second}) {
        EXPECT_EQ(run->wait(), 0);
        EXPECT_EQ(run->output(), "forked: no task\nexecuted: no task\n");
    }
}

TEST_F(house, the_crash_of_one_leaves_the_others_alone) {
    task_house tasks;
    task_run other{tasks, program_path("identity")};
    (void)other.line();
    for (std::string const signal : {"SEGV", "ABRT", "KILL", "BUS"}) {
        task_run one{tasks, "/bin/sh", {"-c", "kill -" + signal + " $$"}};
        EXPECT_TRUE(WIFSIGNALED(one.wait())) << signal;
    }
    EXPECT_EQ(other.wait(), 0);
}

TEST_F(house, exit_codes_come_through) {
    task_house tasks;
    for (int const code : {0, 1, 42, 255}) {
        task_run run{tasks, "/bin/sh", {"-c", "exit " + std::to_string(code)}};
        int const status = run.wait();
        EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == code) << status;
    }
}

TEST_F(house, what_tasks_leave_behind_is_nothing) {
    task_house tasks{{.capacity = 4}};
    auto const round = [&] {
        std::vector<std::unique_ptr<task_run>> runs;
        for (int i = 0; i < 4; ++i)
            runs.push_back(std::make_unique<task_run>(tasks, program_path("daily"), std::vector<std::string>{"thread"}));
        for (auto const& run : runs) {
            EXPECT_EQ(run->wait(), 0);
            EXPECT_EQ(run->output(), "ok\n");
        }
    };
    round(); // what the first use of something maps in this process stays
    auto const before = mappings_here();
    for (int i = 0; i < 5; ++i) round();
    EXPECT_LE(mappings_here(), before + 1);
}

TEST_F(house, a_full_house_says_so) {
    task_house tasks{{.capacity = 2}};
    auto a = std::make_unique<task_run>(tasks, program_path("identity"));
    task_run const b{tasks, program_path("identity")};
    EXPECT_THROW((task_run{tasks, program_path("identity")}), error);
    a.reset();
    EXPECT_NO_THROW((task_run{tasks, program_path("identity")}));
}

TEST_F(house, nobody_ends_twice) {
    task_house tasks{{.capacity = 2}};
    EXPECT_THROW((void)tasks.ended(0, 0), error);
    EXPECT_THROW((void)tasks.ended(2, 0), error);
    task_run run{tasks, "/bin/true"};
    EXPECT_EQ(run.wait(), 0);
    EXPECT_THROW((void)tasks.ended(run.task().index, 0), error);
}

TEST_F(house, its_end_is_that_of_its_tasks) {
    pid_t pid = 0;
    {
        task_house tasks;
        auto order = task_run::order_for("/bin/sleep", {"1000"});
        pid = tasks.start(order).pid;
    }
    EXPECT_EQ(::kill(pid, 0), -1);
    EXPECT_EQ(errno, ESRCH);
}

TEST_F(house, scattered_partitions_lie_by_the_seed) {
    auto const bases = [](std::uint64_t seed) {
        task_house tasks{{.capacity = 64, .partition_bytes = std::size_t{1} << 30U, .scatter = seed}};
        std::vector<std::uintptr_t> all;
        std::vector<std::unique_ptr<task_run>> runs;
        for (int i = 0; i < 4; ++i) {
            runs.push_back(std::make_unique<task_run>(tasks, program_path("identity")));
            identity const one{runs.back()->line()};
            all.push_back(tasks.board().entries[runs.back()->task().index].base);
            for (auto* const address : one.of_its_own) EXPECT_EQ(tasks.board().owner_of(address), runs.back()->task().index);
        }
        return all;
    };
    auto const some = bases(1);
    EXPECT_EQ(some, bases(1));
    EXPECT_NE(some, bases(2));
    EXPECT_EQ((std::set<std::uintptr_t>{some.begin(), some.end()}.size()), 4U);
}

TEST_F(house, nobody_else_may_live_there) {
    auto* const there = reinterpret_cast<void*>(task_house{}.board().area + (std::size_t{1} << 40U));
    ASSERT_EQ(::mmap(there, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0), there);
    EXPECT_THROW(task_house{}, error);
    ::munmap(there, 4096);
    EXPECT_NO_THROW(task_house{});
}

TEST_F(house, what_does_not_fit_is_refused) {
    EXPECT_THROW((task_house{{.capacity = 0}}), error);
    EXPECT_THROW((task_house{{.capacity = 10, .partition_bytes = std::size_t{1} << 45U}}), error);
    EXPECT_THROW((task_house{{.capacity = 10'000'000}}), error);
}

} // namespace
} // namespace sode::internal::testing
