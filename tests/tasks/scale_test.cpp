// SPDX-License-Identifier: Apache-2.0
// Many tasks at a time. TEST_TASKS says how many in the last test; ./check --full asks for 3000.
#include "needs_tasks.hpp"
#include "task_run.hpp"

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <memory>
#include <sode/error.hpp>
#include <string>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace sode::internal::testing {
namespace {

class scale : public needs_tasks {
protected:
    static void SetUpTestSuite() {
        rlimit files{};
        ::getrlimit(RLIMIT_NOFILE, &files);
        files.rlim_cur = files.rlim_max;
        ::setrlimit(RLIMIT_NOFILE, &files);
    }

    /// All of them alive at the same time, all with a global of their own.
    static void run(int count) {
        auto const before = std::chrono::steady_clock::now();
        task_house tasks{{.capacity = count}};
        std::array<int, 2> in{};
        std::array<int, 2> out{};
        ASSERT_EQ(::pipe2(in.data(), O_CLOEXEC), 0);
        ASSERT_EQ(::pipe2(out.data(), O_CLOEXEC), 0);
        auto order = task_run::order_for(program_path("hello"));
        order.fds = {{in[0], 0}, {out[1], 1}, {2, 2}};
        std::vector<started_task> started;
        for (int i = 0; i < count; ++i) started.push_back(tasks.start(order));
        ::close(out[1]);
        ::close(in[0]);
        {
            std::unique_ptr<std::FILE, decltype(&std::fclose)> const said{::fdopen(out[0], "r"), &std::fclose};
            std::vector<int> heard(static_cast<std::size_t>(count));
            for (int i = 0; i < count; ++i) {
                int pid = 0;
                void* global = nullptr;
                ASSERT_EQ(std::fscanf(said.get(), "%d %p", &pid, &global), 2);
                int const index = tasks.board().owner_of(global);
                ASSERT_GE(index, 0);
                EXPECT_EQ(tasks.board().entries[index].pid, pid);
                EXPECT_EQ(*static_cast<int*>(global), 42);
                ++heard[static_cast<std::size_t>(index)];
            }
            EXPECT_THAT(heard, ::testing::Each(1));
            ::close(in[1]);
        }
        for (auto const& one : started) {
            int status = -1;
            EXPECT_EQ(::waitpid(one.pid, &status, 0), one.pid);
            EXPECT_EQ(status, 0);
            EXPECT_EQ(tasks.ended(one.index, status), "");
        }
        std::chrono::duration<double, std::milli> const took = std::chrono::steady_clock::now() - before;
        std::printf("%d tasks: %.0f ms\n", count, took.count());
    }
};

TEST_F(scale, sixty_four_tasks) {
    run(64);
}

TEST_F(scale, a_thousand_or_more) {
    char const* const asked = std::getenv("TEST_TASKS");
    if (asked == nullptr) GTEST_SKIP() << "TEST_TASKS says how many";
    run(std::min(std::atoi(asked), 1000));
    if (std::atoi(asked) > 1000) run(std::atoi(asked));
}

TEST_F(scale, too_many_mappings_are_an_error_and_no_end) {
    task_house tasks;
    constexpr std::size_t page = 4096;
    constexpr std::size_t bytes = std::size_t{1} << 33U;
    auto* const area = static_cast<char*>(::mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
    ASSERT_NE(area, MAP_FAILED);
    std::size_t made = 0;
    while (made < bytes / page / 2 && ::mprotect(area + made * 2 * page, page, PROT_READ) == 0) ++made;
    if (made < bytes / page / 2) {
        try {
            (void)tasks.start(task_run::order_for("/bin/true"));
            ADD_FAILURE() << "started with " << made << " mappings";
        } catch (error const& caught) {
            EXPECT_THAT(caught.what(), ::testing::HasSubstr("vm.max_map_count"));
        }
    }
    ::munmap(area, bytes);
    task_run run{tasks, "/bin/true"};
    EXPECT_EQ(run.wait(), 0);
}

} // namespace
} // namespace sode::internal::testing
