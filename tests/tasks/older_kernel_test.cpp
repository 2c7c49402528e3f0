// SPDX-License-Identifier: Apache-2.0
// Tasks on kernels without what was added after Linux 5.9. A filter refuses those calls as such a kernel does; which also brings
// back signals that interrupt a call while it is being answered, the rule before 5.19.
#include "needs_tasks.hpp"
#include "task_run.hpp"
#include "tasks/mappings.hpp"

#include <array>
#include <cerrno>
#include <cstddef>
#include <fcntl.h>
#include <fmt/format.h>
#include <linux/filter.h>
#include <linux/fs.h>
#include <linux/seccomp.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace sode::internal::testing {
namespace {

// As in Linux 6.11 and 6.6; the headers here may be older.
using map_query = std::array<std::uint64_t, 13>;
constexpr auto map_query_call = static_cast<unsigned>(_IOWR('f', 17, map_query));
constexpr auto set_flags_call = static_cast<unsigned>(_IOW('!', 4, std::uint64_t));

/// From here on this process, and all that it starts, is on an older kernel.
bool forget_what_is_new() {
    constexpr auto number = static_cast<unsigned>(offsetof(seccomp_data, nr));
    constexpr auto second = static_cast<unsigned>(offsetof(seccomp_data, args) + sizeof(std::uint64_t));
    std::array filter{
        sock_filter{BPF_LD | BPF_W | BPF_ABS, 0, 0, number},
        sock_filter{BPF_JMP | BPF_JEQ | BPF_K, 0, 4, SYS_ioctl},
        sock_filter{BPF_LD | BPF_W | BPF_ABS, 0, 0, second},
        sock_filter{BPF_JMP | BPF_JEQ | BPF_K, 5, 0, map_query_call},
        sock_filter{BPF_JMP | BPF_JEQ | BPF_K, 5, 0, set_flags_call},
        sock_filter{BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW},
        sock_filter{BPF_JMP | BPF_JEQ | BPF_K, 0, 4, SYS_seccomp},
        sock_filter{BPF_LD | BPF_W | BPF_ABS, 0, 0, second},
        sock_filter{BPF_JMP | BPF_JSET | BPF_K, 1, 2, SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV},
        sock_filter{BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO | ENOTTY},
        sock_filter{BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO | EINVAL},
        sock_filter{BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW},
    };
    sock_fprog const program{filter.size(), filter.data()};
    return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

class older_kernel : public needs_tasks {
protected:
    /// What fails there fails here.
    template <class F> static void run(F work) {
        pid_t const child = ::fork();
        ASSERT_GE(child, 0);
        if (child == 0) {
            if (!forget_what_is_new()) ::_exit(2);
            work();
            std::fflush(nullptr);
            ::_exit(HasFailure() ? 1 : 0);
        }
        int status = -1;
        ASSERT_EQ(::waitpid(child, &status, 0), child);
        EXPECT_EQ(status, 0) << "see above";
    }
};

TEST_F(older_kernel, refuses_what_it_does_not_know) {
    run([] {
        int const maps = ::open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
        map_query query{sizeof query};
        EXPECT_EQ(::ioctl(maps, map_query_call, query.data()), -1);
        EXPECT_EQ(errno, ENOTTY);
        EXPECT_EQ(::ioctl(maps, set_flags_call, 1), -1);
        EXPECT_EQ(errno, EINVAL);
        EXPECT_EQ(::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV, nullptr), -1);
        EXPECT_EQ(errno, EINVAL);
        EXPECT_EQ(::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, nullptr), -1);
        EXPECT_EQ(errno, EFAULT);
    });
}

TEST_F(older_kernel, keeps_mappings_in_their_partition) {
    for (bool const shortcuts : {false, true})
        run([&] {
            constexpr int often = 20'000; // beyond what the partition holds at once: free addresses have to be looked for
            task_house tasks{{.capacity = 4, .partition_bytes = std::size_t{256} << 20U, .shortcuts = shortcuts}};
            auto const& board = tasks.board();
            task_run one{
                tasks,
                program_path("mapping"),
                {fmt::format("{:x}", board.area), fmt::format("{:x}", board.area + board.partition_bytes), std::to_string(often)}};
            EXPECT_EQ(one.wait(), 0);
            EXPECT_EQ(one.output(), "");
        });
}

TEST_F(older_kernel, answers_calls_that_signals_interrupt) {
    for (bool const shortcuts : {false, true})
        run([&] {
            task_house tasks{{.shortcuts = shortcuts}};
            for (auto const* const what : {"signal", "thread", "fork", "break", "mix", "dlopen", "async"}) {
                task_run one{tasks, program_path("daily"), {what}};
                EXPECT_EQ(one.wait(), 0);
                EXPECT_EQ(one.output(), "ok\n") << what;
            }
        });
}

} // namespace
} // namespace sode::internal::testing
