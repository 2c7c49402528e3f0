// SPDX-License-Identifier: Apache-2.0
#include "launch/answer.hpp"

#include "base/system_error.hpp"
#include "base/unique_fd.hpp"
#include "launch/become.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>

namespace sode::internal::tools {

namespace {

using clock = std::chrono::steady_clock;
using deadline = std::optional<clock::time_point>;

// Whether something can be read, or everything has been, before then.
bool comes_in_time(int fd, deadline const& latest) {
    for (;;) {
        int patience_ms = -1;
        if (latest) {
            auto const left = std::chrono::ceil<std::chrono::milliseconds>(*latest - clock::now()).count();
            patience_ms = static_cast<int>(std::clamp<std::int64_t>(left, 0, 60'000));
            if (left <= 0) return false;
        }
        pollfd p{.fd = fd, .events = POLLIN, .revents = 0};
        if (::poll(&p, 1, patience_ms) > 0) return true;
    }
}

} // namespace

answer ask(std::vector<std::string> words, std::optional<std::chrono::milliseconds> patience) {
    auto const arguments = as_arguments(words);
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw system_error("a pipe cannot be created", "pipe2", "raise `ulimit -n`");
    unique_fd const reading{ends[0]};
    unique_fd writing{ends[1]};
    pid_t const child = ::fork();
    if (child < 0) throw system_error("a process cannot be created", "fork", "raise `ulimit -u`");
    if (child == 0) {
        if (patience) ::setpgid(0, 0); // to be killed with all that it starts
        int const nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
        ::dup2(nothing, STDIN_FILENO);
        ::dup2(writing.get(), STDOUT_FILENO);
        ::dup2(nothing, STDERR_FILENO);
        ::execvp(arguments.front(), arguments.data());
        ::_exit(127);
    }
    writing.reset();
    auto const latest = patience ? deadline{clock::now() + *patience} : std::nullopt;
    answer result;
    std::array<char, 4096> part{};
    bool in_time = true;
    for (ssize_t got = 1; got != 0 && (in_time = comes_in_time(reading.get(), latest));) {
        got = ::read(reading.get(), part.data(), part.size());
        if (got < 0 && errno != EINTR) break;
        if (got > 0) result.text.append(part.data(), static_cast<std::size_t>(got));
    }
    if (!in_time) {
        ::setpgid(child, child); // it may not have come to that itself
        ::kill(-child, SIGKILL);
    }
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    result.status = !in_time ? no_answer_status : WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    while (!result.text.empty() && result.text.back() == '\n') result.text.pop_back();
    return result;
}

} // namespace sode::internal::tools
