// SPDX-License-Identifier: Apache-2.0
#include "launch/keeper.hpp"

#include "base/clock.hpp"
#include "base/fd_message.hpp"
#include "base/message.hpp"
#include "base/system_error.hpp"
#include "base/warn.hpp"
#include "launch/orphans.hpp"
#include "launch/signals.hpp"
#include "tasks/root/own_request.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <system_error>

namespace sode::internal::tools {

namespace {

constexpr std::int64_t second_ns = 1'000'000'000;
constexpr std::int64_t grace_ns = 2 * second_ns;       // for survivors to say what they saw
constexpr std::int64_t termination_ns = 1 * second_ns; // for those to whom SIGTERM was sent
constexpr double endless_s = 1e9;                      // some 30 years; more does not fit into a clock
constexpr std::int64_t last_words_ns = 1 * second_ns;  // for output that is still under way

} // namespace

keeper::keeper(launch_options const& options, placement where, job_control& control, job_place const& job,
               inherited_state const& inherited, unique_fd front_lives, unique_fd input)
    : options_(options), where_(std::move(where)), control_(control), job_(job), inherited_(inherited),
      front_lives_(std::move(front_lives)), input_(std::move(input)), signals_(signal_descriptor()),
      ranks_(static_cast<std::size_t>(options.ranks)) {
    if (!signals_) throw system_error("signals cannot be read", "signalfd", "raise `ulimit -n`");
    if (options.prefix || options.ranks > 1) output_.emplace(options.prefix, options.ranks);
}

int keeper::run() {
    try {
        start_all();
    } catch (...) {
        end_all_children();
        throw;
    }
    if (options_.timeout_s > 0 && options_.timeout_s < endless_s)
        act_at_ns_ = now_ns() + static_cast<std::int64_t>(options_.timeout_s * 1e9);
    if (tasks_ && alive_ > 0) hear_of_tasks(); // what was told while they were started
    while (alive_ > 0) keep();
    end_all_children();
    if (output_) finish_output();
    return status_;
}

void keeper::start_all() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) throw system_error("a pipe cannot be created", "pipe2", "raise `ulimit -n`");
    unique_fd const report{ends[0]};
    unique_fd telling{ends[1]};
    unique_fd const nothing{open("/dev/null", O_RDONLY | O_CLOEXEC)};
    if (options_.tasks()) {
        try {
            tasks_.emplace(options_);
        } catch (tasks::program_error const& e) {
            return refuse(e.number());
        }
    }
    for (int rank = 0; rank < options_.ranks; ++rank) start(rank, telling, nothing);
    telling.reset();
    input_.reset();
    if (tasks_) {
        auto const why_not = tasks_->first_failure();
        if (!why_not) return; // also if the root is dead: hear_of_tasks() sees that
        say(*why_not);
        status_ = not_executable_status;
        alive_ = 0;
        return;
    }

    if (int const why = first_failure(report)) refuse(why);
}

void keeper::refuse(int why) {
    auto const& program = options_.program.front();
    say(fmt::format("{} cannot be started", program), std::system_category().message(why), how_to_start(program, why));
    status_ = why == ENOENT ? not_found_status : not_executable_status;
    alive_ = 0;
}

void keeper::start(int rank, unique_fd const& report, unique_fd const& nothing) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
        throw system_error("a socket cannot be created", "socketpair", "raise `ulimit -n`");
    unique_fd const ours{ends[0]};
    unique_fd const theirs{ends[1]};
    job_place place = job_;
    place.rank = rank;
    send_with_fd(ours.get(), &place, sizeof place, control_.memory().get());

    unique_fd const output = output_ ? output_->end_for(rank, STDOUT_FILENO) : unique_fd{};
    unique_fd const errors = output_ ? output_->end_for(rank, STDERR_FILENO) : unique_fd{};
    auto const r = static_cast<std::size_t>(rank);
    rank_start const how{options_.program,
                         inherited_,
                         where_.of_rank.empty() ? nullptr : &where_.of_rank[r],
                         theirs.get(),
                         rank == 0 ? input_.get() : nothing.get(),
                         output.get(),
                         errors.get(),
                         report.get()};
    if (tasks_)
        tasks_->start(rank, how);
    else
        ranks_[r].pid = start_rank(how);
    ranks_[r].runs = true;
    ++alive_;
}

// The pipe closes in each rank when it is executed, so this ends when all are.
int keeper::first_failure(unique_fd const& report) {
    int why = 0;
    ssize_t got = 0;
    do got = read(report.get(), &why, sizeof why);
    while (got < 0 && errno == EINTR);
    return got == static_cast<ssize_t>(sizeof why) ? why : 0;
}

void keeper::keep() {
    std::vector<pollfd> polls{{signals_.get(), POLLIN, 0}, {front_lives_.get(), POLLIN, 0}};
    if (tasks_) polls.push_back({tasks_->fd(), POLLIN, 0});
    std::size_t const watched = polls.size();
    if (output_) output_->watch(polls);
    if (poll(polls.data(), polls.size(), milliseconds_to_act()) > 0) {
        if (polls[0].revents != 0) on_signals();
        if (polls[1].revents != 0) {
            front_lives_.reset(); // poll() skips it from now on
            enter(stage::killing);
        }
        if (tasks_) hear_of_tasks();
    }
    if (output_) output_->serve(polls.data() + watched, now_ns());
    if (now_ns() >= act_at_ns_) on_time();
}

void keeper::on_signals() {
    while (auto const signal = next_signal(signals_)) {
        if (*signal == SIGCHLD) {
            reap();
        } else if (stage_ != stage::running && (*signal == SIGINT || *signal == SIGTERM)) {
            enter(stage::killing); // somebody is in a hurry
        } else if (!asked_.insert(*signal).second && (*signal == SIGINT || *signal == SIGTERM)) {
            escalate(*signal);
        } else {
            signal_all(*signal);
        }
    }
}

// As the MPIs' launchers do: ranks may ignore it, or be stopped.
void keeper::escalate(int signal) {
    auto const text = message_text(severity::warning, fmt::format("ranks have not ended after the first {}", strsignal(signal)),
                                   "they get SIGTERM now, and SIGKILL a second later", {});
    if (output_)
        output_->announce(text, now_ns());
    else
        warn(text);
    status_ = signal_status + signal;
    enter(stage::terminating);
}

void keeper::reap() {
    siginfo_t info{};
    // A rank stays a zombie while its group is killed: nobody else can get its number before that.
    while (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid != 0) {
        pid_t const pid = info.si_pid;
        auto const rank =
            std::find_if(ranks_.begin(), ranks_.end(), [pid](started_rank const& r) { return r.runs && r.pid == pid; });
        if (rank != ranks_.end()) {
            rank->runs = false;
            --alive_;
            bool const by_signal = info.si_code != CLD_EXITED;
            if (by_signal || info.si_status != 0) kill(-pid, SIGKILL);
            on_exit(static_cast<int>(rank - ranks_.begin()), by_signal, info.si_status, info.si_code == CLD_DUMPED);
        }
        waitpid(pid, nullptr, 0);
        info = {};
    }
}

void keeper::hear_of_tasks() {
    while (auto const end = tasks_->next_end()) {
        ranks_[static_cast<std::size_t>(end->rank)].runs = false;
        --alive_;
        if (!end->never_ran.empty()) say(end->never_ran);
        int const status = end->never_ran.empty() ? end->status : not_executable_status << 8;
        bool const by_signal = WIFSIGNALED(status);
        on_exit(end->rank, by_signal, by_signal ? WTERMSIG(status) : WEXITSTATUS(status), by_signal && WCOREDUMP(status));
    }
    if (!tasks_->gone() || alive_ == 0) return;
    say("the tasks have been killed", "the process that started the tasks on this machine was killed");
    for (std::size_t r = 0; r < ranks_.size(); ++r) {
        if (!ranks_[r].runs) continue;
        ranks_[r].runs = false;
        --alive_;
        on_exit(static_cast<int>(r), true, SIGKILL, false);
    }
}

void keeper::on_exit(int rank, bool by_signal, int number, bool dumped) {
    control_.record_exit(rank, by_signal, number);
    bool const failed = by_signal || number != 0;
    // Who aborts has said why in peace, and others may say the same.
    if (output_ && failed) output_->hear_last_of(rank, by_signal && number != SIGABRT, now_ns());
    if (!failed || stage_ != stage::running) return;
    status_ = by_signal ? signal_status + number : number;
    say(fmt::format("rank {} {}{}{}", rank, by_signal ? "was " : "", describe_exit(by_signal, number),
                    dumped ? " and dumped core" : ""));
    enter(stage::grace);
}

void keeper::on_time() {
    if (stage_ == stage::running) {
        say(fmt::format("the job has not ended after {:g} s", options_.timeout_s), "--timeout");
        status_ = timeout_status;
        enter(stage::terminating);
    } else {
        enter(stage_ == stage::grace ? stage::terminating : stage::killing);
    }
}

void keeper::enter(stage next) {
    stage_ = next;
    switch (next) {
    case stage::running: break;
    case stage::grace: act_at_ns_ = now_ns() + grace_ns; break;
    case stage::terminating:
        signal_all(SIGTERM);
        signal_all(SIGCONT); // who is stopped cannot die politely
        act_at_ns_ = now_ns() + termination_ns;
        break;
    case stage::killing:
        signal_all(SIGKILL);
        act_at_ns_ = INT64_MAX;
        break;
    }
}

void keeper::signal_all(int signal) {
    for (std::size_t r = 0; r < ranks_.size(); ++r) {
        if (!ranks_[r].runs) continue;
        if (tasks_)
            tasks_->signal(static_cast<int>(r), signal);
        else
            kill(-ranks_[r].pid, signal);
    }
}

int keeper::milliseconds_to_act() const {
    std::int64_t const next = std::min(act_at_ns_, output_ ? output_->due_ns() : INT64_MAX);
    if (next == INT64_MAX) return -1;
    std::int64_t const left = std::max<std::int64_t>(0, next - now_ns());
    return static_cast<int>(std::min<std::int64_t>(left / 1'000'000 + 1, 60'000));
}

// All processes have ended, but what they wrote may still be in the pipes.
void keeper::finish_output() {
    std::int64_t const enough = now_ns() + last_words_ns;
    while (output_->busy() && now_ns() < enough) {
        if (!output_->awaits_ranks()) output_->flush();
        std::vector<pollfd> polls;
        output_->watch(polls);
        poll(polls.data(), polls.size(), 100);
        output_->serve(polls.data(), now_ns());
    }
    if (output_->lost() == 0) return;
    tell(error{error_kind::environment, "output of the ranks is lost", std::system_category().message(output_->lost()),
               "write the output to a file system with free space"});
    if (status_ == 0) status_ = 1;
}

void keeper::say(std::string_view problem, std::string_view why, std::string_view suggestion) {
    auto const text = message_text(severity::error, problem, why, suggestion);
    if (output_)
        output_->announce(text, now_ns());
    else
        tell(error{error_kind::environment, text, {}, {}});
}

} // namespace sode::internal::tools
