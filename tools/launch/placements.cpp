// SPDX-License-Identifier: Apache-2.0
#include "launch/placements.hpp"

#include "base/shared_memory.hpp"
#include "base/system_error.hpp"
#include "base/warn.hpp"
#include "launch/become.hpp"
#include "launch/outcome.hpp"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace sode::internal::tools {

namespace {

std::vector<std::string> words_for(launch_options const& options, int seed) {
    std::vector<std::string> words{
        "sode", "run", "-n", std::to_string(options.ranks), "--space=tasks", "--prefix", fmt::format("--scatter={}", seed)};
    for (auto const& [name, value] :
         {std::pair{"--cores", options.cores}, {"--partition", options.partition}, {"--stack", options.stack}})
        if (!value.empty()) words.push_back(fmt::format("{}={}", name, value));
    if (options.threads > 1) words.push_back(fmt::format("--threads={}", options.threads));
    if (options.timeout_s > 0) words.push_back(fmt::format("--timeout={}", options.timeout_s));
    words.emplace_back("--");
    words.insert(words.end(), options.program.begin(), options.program.end());
    return words;
}

unique_fd new_text() {
    unique_fd file{memfd_create("sode-output", MFD_CLOEXEC)};
    if (!file) throw system_error("there is no room for the output of the ranks", "memfd_create", "raise `ulimit -n`");
    return file;
}

std::string text_in(unique_fd const& file) {
    std::string text;
    std::array<char, 65536> part{};
    ::lseek(file.get(), 0, SEEK_SET);
    for (ssize_t got = 0; (got = ::read(file.get(), part.data(), part.size())) > 0;)
        text.append(part.data(), static_cast<std::size_t>(got));
    return text;
}

struct heard {
    int status = 0; ///< as a shell has it
    std::string out;
    std::string err;
};

heard run(std::vector<std::string> words) {
    auto const arguments = as_arguments(words);
    unique_fd const out = new_text();
    unique_fd const err = new_text();
    pid_t const parent = ::getpid();
    pid_t const child = ::fork();
    if (child < 0) throw system_error("a process cannot be created", "fork", "raise `ulimit -u`");
    if (child == 0) {
        // The job of a launcher that is killed ends, whoever started it.
        if (::prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || ::getppid() != parent) ::_exit(not_executable_status);
        int const nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC); // the input can be read once only
        ::dup2(nothing, STDIN_FILENO);
        ::dup2(out.get(), STDOUT_FILENO);
        ::dup2(err.get(), STDERR_FILENO);
        ::execv("/proc/self/exe", arguments.data());
        ::_exit(not_executable_status);
    }
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return {WIFSIGNALED(status) ? signal_status + WTERMSIG(status) : WEXITSTATUS(status), text_in(out), text_in(err)};
}

} // namespace

int compare_placements(launch_options const& options) {
    outcome first;
    int others = 0;
    for (int seed = 1; seed <= options.placements; ++seed) {
        auto const told = run(words_for(options, seed));
        if (told.status == signal_status + SIGINT) { // Ctrl-C is for all of it
            std::signal(SIGINT, SIG_DFL);
            std::raise(SIGINT);
        }
        auto const now = outcome_of(told.status, told.out, told.err);
        if (seed == 1) {
            first = now;
            std::fputs(told.out.c_str(), stdout);
            std::fflush(stdout);
            std::fputs(told.err.c_str(), stderr);
            if (told.status == not_found_status || told.status == not_executable_status) return told.status;
            continue;
        }
        auto const found = differences(first, now);
        for (auto const& difference : found)
            warn(fmt::format("tasks at other addresses gave another result: {}", difference),
                 fmt::format("this run used --scatter={}, the first run --scatter=1", seed));
        others += found.empty() ? 0 : 1;
    }
    if (others == 0) {
        fmt::print(stderr, "sode: all {} placements gave the same results\n", options.placements);
        return first.status;
    }
    tell(error{error_kind::usage,
               fmt::format("{} of {} placements gave other results than the first placement", others, options.placements),
               "if results depend on the addresses of tasks, the program may access memory that is not its own, print addresses, "
               "or depend on time",
               "run these placements in a debugger: sode gdb"});
    return 1;
}

} // namespace sode::internal::tools
