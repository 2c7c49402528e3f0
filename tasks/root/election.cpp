// SPDX-License-Identifier: Apache-2.0
#include "tasks/root/election.hpp"

#include "base/clock.hpp"
#include "base/limits.hpp"
#include "tasks/root/abstract_socket.hpp"
#include "tasks/root/meeting_place.hpp"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace sode::internal::tasks {

namespace {

constexpr double longest_wait_s = 10;

// Between fork and exec in a process that may have been told anything: only system calls.
[[noreturn]] void become_root(int listener, char const* program, char const* job) {
    if (setsid() < 0 || fork() != 0) _exit(0); // the root must be nobody's child that the program would wait for
    int const nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    int const high = fcntl(listener, F_DUPFD_CLOEXEC, root_descriptor + 1);
    for (int fd = 0; fd <= STDERR_FILENO; ++fd) dup2(nothing, fd);
    dup2(high, root_descriptor);
    close_range(root_descriptor + 1, ~0U, 0);
    if (chdir("/") == 0) execl(program, "sode-task", "--root", job, nullptr);
    _exit(1);
}

void start_root(unique_fd const& listener, std::string const& program, std::string const& job) {
    pid_t const child = fork();
    if (child < 0) throw refused("the process that starts the tasks on this machine cannot be started", "fork", errno);
    if (child == 0) become_root(listener.get(), program.c_str(), job.c_str());
    while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
    }
}

/// Somebody holds the name and does not answer as our root would.
class obstacle {
public:
    /// After so long, somebody of this user who is about to listen would do it.
    static constexpr double suspicious_s = 1;

    void seen() {
        if (since_s_ == 0) since_s_ = now_s();
    }
    void gone() { since_s_ = 0; }
    [[nodiscard]] bool stays() const { return since_s_ != 0 && now_s() - since_s_ > suspicious_s; }

private:
    double since_s_ = 0;
};

} // namespace

root_link join_root(std::string const& job, std::string const& program) {
    meeting_place place{job};
    obstacle silent;
    std::string name;
    for (double const give_up = now_s() + longest_wait_s; now_s() < give_up;) {
        name = place.name();
        if (auto link = root_link::to(name)) return std::move(*link);
        auto const stranger = root_link::stranger_at(name);
        if (stranger && !place.leave())
            throw error{error_kind::environment, "the process that starts the tasks on this machine belongs to another user",
                        fmt::format("user {} has taken the socket @{}", *stranger, name),
                        "contact this user, or use another network namespace"};
        if (stranger) continue;
        if (auto const listener = listen_at(name)) {
            // Who held it until now may have been a root that said, before it went, that this name does not count any more.
            if (place.agreed()) start_root(*listener, program, job);
            silent.gone();
            continue;
        }
        silent.seen();
        if (silent.stays() && place.leave()) silent.gone();
        std::this_thread::sleep_for(std::chrono::milliseconds{1});
    }
    throw error{error_kind::environment, "no process starts the tasks on this machine", "no process answers at @" + name,
                "check whether you have stopped a process named sode-root"};
}

} // namespace sode::internal::tasks
