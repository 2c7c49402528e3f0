// SPDX-License-Identifier: Apache-2.0
#include "launch/answer.hpp"

#include "base/system_error.hpp"
#include "base/unique_fd.hpp"
#include "launch/become.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace sode::internal::tools {

answer ask(std::vector<std::string> words) {
    auto const arguments = as_arguments(words);
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw system_error("no pipe can be made", "pipe2", "look at `ulimit -n`");
    unique_fd const reading{ends[0]};
    unique_fd writing{ends[1]};
    pid_t const child = ::fork();
    if (child < 0) throw system_error("no process can be made", "fork", "look at `ulimit -u`");
    if (child == 0) {
        int const nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
        ::dup2(nothing, STDIN_FILENO);
        ::dup2(writing.get(), STDOUT_FILENO);
        ::dup2(nothing, STDERR_FILENO);
        ::execvp(arguments.front(), arguments.data());
        ::_exit(127);
    }
    writing.reset();
    answer result;
    std::array<char, 4096> part{};
    for (ssize_t got = 0; (got = ::read(reading.get(), part.data(), part.size())) > 0 || (got < 0 && errno == EINTR);)
        if (got > 0) result.text.append(part.data(), static_cast<std::size_t>(got));
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    while (!result.text.empty() && result.text.back() == '\n') result.text.pop_back();
    return result;
}

} // namespace sode::internal::tools
