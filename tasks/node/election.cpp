// SPDX-License-Identifier: Apache-2.0
#include "tasks/node/election.hpp"

#include "base/clock.hpp"
#include "base/system_error.hpp"
#include "tasks/node/node_socket.hpp"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace sode::tasks {

namespace {

constexpr double longest_wait_s = 10;

// Between fork and exec in a process that may have been told anything: only system calls.
[[noreturn]] void become_root(int listener, char const* program) {
    if (setsid() < 0 || fork() != 0) _exit(0); // the root must be nobody's child that the program would wait for
    int const nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    int const high = fcntl(listener, F_DUPFD_CLOEXEC, root_descriptor + 1);
    for (int fd = 0; fd <= STDERR_FILENO; ++fd) dup2(nothing, fd);
    dup2(high, root_descriptor);
    close_range(root_descriptor + 1, ~0U, 0);
    if (chdir("/") == 0) execl(program, "sode-task", "--root", nullptr);
    _exit(1);
}

void start_root(unique_fd const& listener, std::string const& program) {
    pid_t const child = fork();
    if (child < 0) throw system_error("the root of this node's tasks cannot be started", "fork", "look at `ulimit -u`");
    if (child == 0) become_root(listener.get(), program.c_str());
    while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
    }
}

} // namespace

root_link join_root(std::string const& name, std::string const& program) {
    for (double const give_up = now_s() + longest_wait_s; now_s() < give_up;) {
        if (auto link = root_link::to(name)) return std::move(*link);
        if (auto const listener = listen_at(name))
            start_root(*listener, program);
        else
            std::this_thread::sleep_for(std::chrono::milliseconds{1}); // taken, but not listened at yet
    }
    throw error{error_kind::environment, "this node's tasks have no root", "nobody answers at @" + name,
                "is a process of yours stopped? it may be the root"};
}

} // namespace sode::tasks
