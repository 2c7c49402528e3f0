// SPDX-License-Identifier: Apache-2.0
#include "launch/rank_process.hpp"

#include "base/job_control.hpp"
#include "base/system_error.hpp"
#include "launch/launch.hpp"

#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <sys/prctl.h>
#include <unistd.h>

namespace sode::internal::tools {

namespace {

// -1: leave it as it is. Leaves no copy behind: what is given is close-on-exec.
bool redirect(int from, int to) {
    return from < 0 || dup2(from, to) == to;
}

[[noreturn]] void become_rank(rank_start const& start, pid_t keeper) {
    // The parent may have died before the wish to die with it was known.
    bool ready = setpgid(0, 0) == 0 && prctl(PR_SET_PDEATHSIG, SIGKILL) == 0;
    if (getppid() != keeper) _exit(not_found_status);
    if (start.where != nullptr) ready = ready && start.where->bind_this_thread();
    ready = ready && redirect(start.input, STDIN_FILENO) && redirect(start.output, STDOUT_FILENO) &&
            redirect(start.errors, STDERR_FILENO);
    ready = ready && fcntl(start.place_socket, F_SETFD, 0) == 0;
    if (ready) {
        setenv(boot_fd_variable, std::to_string(start.place_socket).c_str(), 1);
        std::vector<char*> words;
        for (std::string const& word : start.program) words.push_back(const_cast<char*>(word.c_str()));
        words.push_back(nullptr);
        setrlimit(RLIMIT_NOFILE, &start.inherited.open_files);
        sigaction(SIGPIPE, &start.inherited.broken_pipe, nullptr);
        sigprocmask(SIG_SETMASK, &start.inherited.blocked, nullptr);
        execvp(words.front(), words.data());
    }
    int const why = errno;
    static_cast<void>(!write(start.report, &why, sizeof why));
    _exit(not_found_status);
}

} // namespace

pid_t start_rank(rank_start const& start) {
    pid_t const keeper = getpid();
    pid_t const pid = fork();
    if (pid < 0) throw system_error("the process of a rank cannot be started", "fork", "use fewer ranks, or raise `ulimit -u`");
    if (pid == 0) become_rank(start, keeper);
    // Also here: the first signal may be passed on before the child has come that far. It fails where the child was first.
    setpgid(pid, pid);
    return pid;
}

} // namespace sode::internal::tools
