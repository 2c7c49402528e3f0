// SPDX-License-Identifier: Apache-2.0
#include "base/bootstraps.hpp"
#include "base/standard_descriptors.hpp"
#include "base/system_error.hpp"
#include "base/warn.hpp"
#include "launch/keeper.hpp"
#include "launch/launch.hpp"
#include "launch/mpi_watch.hpp"
#include "launch/orphans.hpp"
#include "launch/signals.hpp"
#include "launch/terminal_input.hpp"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/random.h>
#include <sys/wait.h>

namespace sode::internal::tools {

namespace {

inherited_state prepare_signals() {
    inherited_state before;
    struct sigaction ignore {};
    ignore.sa_handler = SIG_IGN;
    sigaction(SIGPIPE, &ignore, &before.broken_pipe);
    // Ranks are in the background of the terminal, but write as if they were not (also where `stty tostop` is set): they inherit
    // this.
    sigaction(SIGTTOU, &ignore, nullptr);
    sigaction(SIGTTIN, &ignore, nullptr);
    struct sigaction usual {};
    usual.sa_handler = SIG_DFL;
    sigaction(SIGCHLD, &usual, nullptr); // where it is ignored, children cannot be waited for
    sigset_t const watched = watched_signals();
    sigprocmask(SIG_BLOCK, &watched, &before.blocked);
    return before;
}

// Two descriptors a rank with --prefix, and one on its way to each rank, count against this limit.
rlimit allow_many_descriptors() {
    rlimit before{};
    getrlimit(RLIMIT_NOFILE, &before);
    rlimit most = before;
    most.rlim_cur = most.rlim_max;
    setrlimit(RLIMIT_NOFILE, &most);
    return before;
}

[[noreturn]] void become_keeper(launch_options const& options, placement where, job_control& control, job_place const& job,
                                inherited_state const& inherited, unique_fd front_lives, unique_fd input) {
    int status = 1;
    try {
        setpgid(0, 0); // what is typed at the terminal goes to the front alone, and is passed on once
        adopt_orphans();
        status = keeper{options, std::move(where), control, job, inherited, std::move(front_lives), std::move(input)}.run();
    } catch (std::exception const& e) {
        tell(e);
    }
    _exit(status);
}

// The exit status of the keeper, which is the job's.
int attend(pid_t keeper, terminal_input& input, unique_fd const& signals, bool& interrupted) {
    while (true) {
        std::vector<pollfd> polls{{signals.get(), POLLIN, 0}};
        input.watch(polls);
        bool const watching_input = polls.size() > 1;
        if (poll(polls.data(), polls.size(), input.patience()) <= 0) continue;
        while (auto const signal = next_signal(signals)) {
            if (*signal == SIGCHLD) {
                int status = 0;
                for (pid_t pid = 0; (pid = waitpid(-1, &status, WNOHANG)) > 0;) {
                    if (pid != keeper) continue;
                    if (WIFEXITED(status)) return WEXITSTATUS(status);
                    tell(error{error_kind::environment, "the job has ended",
                               fmt::format("the process that supervises the job was {}", describe_exit(true, WTERMSIG(status))),
                               "look for the reason in the kernel log (dmesg)"});
                    return signal_status + WTERMSIG(status);
                }
                continue;
            }
            interrupted |= *signal == SIGINT;
            kill(keeper, *signal);
            if (*signal == SIGTSTP) raise(SIGSTOP);
        }
        if (watching_input) input.serve(&polls[1]);
    }
}

// A shell that runs a script ends it at Ctrl-C only if the command died of it, too.
void die_of_interrupt() {
    signal(SIGINT, SIG_DFL);
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    raise(SIGINT);
    sigprocmask(SIG_UNBLOCK, &set, nullptr);
}

} // namespace

int launch(launch_options const& options) {
    open_standard_descriptors();
    decline_local_place(); // of a job in which this launcher is a rank
    watch_for_mpi(options);
    placement where = place_ranks(options.cores, options.ranks, options.threads);
    job_place job;
    job.size = options.ranks;
    if (getrandom(&job.job, sizeof job.job, 0) != static_cast<ssize_t>(sizeof job.job))
        throw system_error("no random number", "getrandom", "");
    job_control control{job.job, options.ranks, where.processors};

    inherited_state inherited = prepare_signals();
    inherited.open_files = allow_many_descriptors();
    terminal_input input;
    unique_fd const signals = signal_descriptor();
    int life[2];
    if (!signals || pipe2(life, O_CLOEXEC) != 0)
        throw system_error("the job cannot be watched", "signalfd, pipe2", "raise `ulimit -n`");
    unique_fd front_lives{life[0]};
    unique_fd life_line{life[1]};
    adopt_orphans();

    unique_fd reading = input.take_reading_end();
    pid_t const keeper = fork();
    if (keeper < 0) throw system_error("the job cannot be started", "fork", "raise `ulimit -u`");
    if (keeper == 0) {
        life_line.reset();
        input.forget();
        become_keeper(options, std::move(where), control, job, inherited, std::move(front_lives), std::move(reading));
    }
    front_lives.reset();
    reading.reset();

    bool interrupted = false;
    int const status = attend(keeper, input, signals, interrupted);
    end_all_children();
    if (interrupted && status == signal_status + SIGINT) die_of_interrupt();
    return status;
}

} // namespace sode::internal::tools
