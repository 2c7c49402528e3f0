// SPDX-License-Identifier: Apache-2.0
#include "tasks/usable.hpp"

#include "base/limits.hpp"
#include "base/message.hpp"
#include "base/unique_fd.hpp"
#include "tasks/task_house.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <fmt/format.h>
#include <linux/kcmp.h>
#include <string_view>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

namespace sode::internal {

namespace {

struct kernel_version {
    int major = 0;
    int minor = 0;

    [[nodiscard]] bool before(int other_major, int other_minor) const noexcept {
        return major < other_major || (major == other_major && minor < other_minor);
    }
};

kernel_version this_kernel() {
    utsname name{};
    kernel_version version;
    if (::uname(&name) == 0) (void)std::sscanf(name.release, "%d.%d", &version.major, &version.minor);
    return version;
}

std::string denied(std::string_view call, int why) {
    auto const limit = limit_behind(why);
    return fmt::format("{}: {}{}{}", call, std::system_category().message(why), limit.empty() ? "" : "; ", limit);
}

/// What the root has to see of a task. Tried on a child, which a task is too: some systems allow only that.
std::string look_at_child(pid_t child) {
    if (::syscall(SYS_kcmp, ::getpid(), child, KCMP_VM, 0, 0) < 0)
        return denied("tasks cannot check whether two processes share memory, kcmp", errno);
    unique_fd const process{static_cast<int>(::syscall(SYS_pidfd_open, child, 0))};
    if (!process) return denied("pidfd_open", errno);
    unique_fd const taken{static_cast<int>(::syscall(SYS_pidfd_getfd, process.get(), 2, 0))};
    if (!taken && errno != EBADF)
        return denied("a process may not copy file descriptors of a child process (see kernel.yama.ptrace_scope), pidfd_getfd",
                      errno);
    return {};
}

std::string try_child() {
    pid_t const child = ::fork();
    if (child < 0) return denied("fork", errno);
    if (child == 0) {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        for (;;) ::pause();
    }
    auto why = look_at_child(child);
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    return why;
}

std::string try_everything() {
    // Some sandboxes do not know the call, and some libraries cope with that; tasks cannot.
    if (::syscall(SYS_clone3, nullptr, 0) < 0 && errno != EINVAL) return denied("clone3", errno);
    if (auto why = try_child(); !why.empty()) return why;
    try {
        task_house const house{{.capacity = 1}};
    } catch (std::exception const& refused) {
        return std::string{quoted(refused.what())};
    }
    return {};
}

std::string cautions(kernel_version kernel) {
    std::string text;
    auto const add = [&](std::string_view words) { text.append(text.empty() ? "" : "; ").append(words); };
    if (kernel.before(5, 16))
        add(fmt::format("in Linux {}.{}, before 5.16, a core dump of one task ends all of them", kernel.major, kernel.minor));
    for (int const resource : {RLIMIT_AS, RLIMIT_DATA}) {
        rlimit limit{};
        if (::getrlimit(resource, &limit) == 0 && limit.rlim_max != RLIM_INFINITY)
            add(fmt::format("the hard limit of {} (ulimit -H{}), {} bytes, is for all tasks together",
                            resource == RLIMIT_AS ? "address space" : "data", resource == RLIMIT_AS ? 'v' : 'd', limit.rlim_max));
    }
    return text;
}

/// What `work` says, done in a process of its own.
template <class F> std::string in_child(F work) {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) return denied("pipe", errno);
    unique_fd const from{ends[0]};
    unique_fd to{ends[1]};
    pid_t const child = ::fork();
    if (child < 0) return denied("fork", errno);
    if (child == 0) {
        auto const text = work();
        auto const written = ::write(to.get(), text.data(), text.size());
        ::_exit(written == static_cast<ssize_t>(text.size()) ? 0 : 1);
    }
    to.reset();
    std::string text;
    std::array<char, 1024> part{};
    ssize_t bytes = 0;
    while ((bytes = ::read(from.get(), part.data(), part.size())) > 0) text.append(part.data(), static_cast<std::size_t>(bytes));
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (status != 0 && text.empty()) return "a process that tried it was killed: this sandbox ends programs for such system calls";
    return text;
}

} // namespace

task_usability tasks_usable() {
    auto const kernel = this_kernel();
    if (kernel.before(5, 9)) return {false, fmt::format("Linux {}.{} is too old, tasks need 5.9", kernel.major, kernel.minor), {}};
    auto why = in_child(try_everything);
    if (!why.empty()) return {false, std::move(why), {}};
    return {true, {}, cautions(kernel)};
}

} // namespace sode::internal
