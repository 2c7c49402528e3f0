// SPDX-License-Identifier: Apache-2.0
// Where tasks do not work, the reason is said.
#include "tasks/usable.hpp"

#include "needs_tasks.hpp"
#include "task_run.hpp"

#include <array>
#include <cerrno>
#include <cstddef>
#include <gmock/gmock.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <string>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace sode::internal::testing {
namespace {

using ::testing::HasSubstr;

/// What tasks_usable() says in a sandbox that answers system call `number` with `error`.
std::string said_without(long number, int error) {
    std::array<int, 2> ends{};
    if (::pipe(ends.data()) != 0) return "no pipe";
    pid_t const child = ::fork();
    if (child == 0) {
        std::array filter{sock_filter{BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(seccomp_data, nr)},
                          sock_filter{BPF_JMP | BPF_JEQ | BPF_K, 0, 1, static_cast<unsigned>(number)},
                          sock_filter{BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO | static_cast<unsigned>(error)},
                          sock_filter{BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW}};
        sock_fprog const program{filter.size(), filter.data()};
        ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
        ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
        auto const here = tasks_usable();
        auto const text = here.usable ? std::string{"usable"} : here.why;
        ::_exit(::write(ends[1], text.data(), text.size()) > 0 ? 0 : 1);
    }
    ::close(ends[1]);
    std::string text;
    for (char c = 0; ::read(ends[0], &c, 1) == 1;) text.push_back(c);
    ::close(ends[0]);
    ::waitpid(child, nullptr, 0);
    return text;
}

class usable : public needs_tasks {};

TEST_F(usable, is_said_where_it_is_so) {
    EXPECT_EQ(said_without(SYS_reboot, EPERM), "usable");
}

TEST_F(usable, names_the_call_that_is_not_allowed) {
    EXPECT_THAT(said_without(SYS_seccomp, EPERM), HasSubstr("seccomp: Operation not permitted"));
    EXPECT_THAT(said_without(SYS_clone3, ENOSYS), HasSubstr("clone3: Function not implemented"));
    EXPECT_THAT(said_without(SYS_kcmp, EPERM), HasSubstr("kcmp: Operation not permitted"));
    EXPECT_THAT(said_without(SYS_pidfd_getfd, EPERM), HasSubstr("ptrace_scope"));
}

[[noreturn]] void ask_with_little_address_space() {
    rlimit limit{};
    limit.rlim_cur = limit.rlim_max = rlim_t{1} << 40U;
    ::setrlimit(RLIMIT_AS, &limit);
    auto const here = tasks_usable();
    ::_exit(here.usable && here.caution.find("the hard limit of address space (ulimit -Hv)") != std::string::npos ? 0 : 1);
}

TEST_F(usable, with_a_word_of_caution) {
    EXPECT_EXIT(ask_with_little_address_space(), ::testing::ExitedWithCode(0), "");
}

TEST_F(usable, not_within_a_task) {
    task_house tasks;
    task_run run{tasks, program_path("asks")};
    EXPECT_EQ(run.wait(), 0);
    EXPECT_THAT(run.output(), HasSubstr("already watched by another program"));
}

} // namespace
} // namespace sode::internal::testing
