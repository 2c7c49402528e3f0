// SPDX-License-Identifier: Apache-2.0
#include "launch/task_ranks.hpp"

#include "base/job_control.hpp"
#include "base/message.hpp"
#include "base/sibling.hpp"
#include "base/system_error.hpp"
#include "tasks/root/election.hpp"
#include "tasks/root/own_request.hpp"
#include "tasks/root/parse_bytes.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

namespace sode::internal::tools {

namespace {

[[noreturn]] void become_root(int socket, char const* program, pid_t keeper) {
    bool ready = prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && getppid() == keeper;
    int const high = fcntl(socket, F_DUPFD_CLOEXEC, tasks::root_descriptor + 1);
    ready = ready && dup2(high, tasks::root_descriptor) == tasks::root_descriptor;
    int const nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int const fd : {STDIN_FILENO, STDOUT_FILENO}) ready = ready && dup2(nothing, fd) == fd;
    close_range(tasks::root_descriptor + 1, ~0U, 0);
    if (ready) execl(program, "sode-task", "--root", nullptr);
    _exit(not_executable_status);
}

tasks::root_link start_root(std::string const& program) {
    std::array<int, 2> ends{};
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0)
        throw system_error("a socket cannot be created", "socketpair", "raise `ulimit -n`");
    unique_fd ours{ends[0]};
    unique_fd const theirs{ends[1]};
    pid_t const keeper = getpid();
    pid_t const child = fork();
    if (child < 0)
        throw system_error("the process that starts the tasks on this machine cannot be started", "fork", "raise `ulimit -u`");
    if (child == 0) become_root(theirs.get(), program.c_str(), keeper);
    return tasks::root_link{std::move(ours)};
}

std::uint64_t as_word(sigset_t const& set) {
    std::uint64_t word = 0;
    for (int s = 1; s <= 64; ++s)
        if (sigismember(&set, s) == 1) word |= std::uint64_t{1} << (s - 1);
    return word;
}

void set_bit(std::uint64_t& word, int signal, bool value) {
    std::uint64_t const bit = std::uint64_t{1} << (signal - 1);
    word = value ? word | bit : word & ~bit;
}

int first_free(std::vector<int> const& taken) {
    int fd = STDERR_FILENO + 1;
    while (std::binary_search(taken.begin(), taken.end(), fd)) ++fd;
    return fd;
}

} // namespace

std::string find_task_program() {
    return find_sibling({"../libexec/sode/sode-task"}, "this installation of Sode does not contain sode-task",
                        "build sode-task with the project (x86-64 only), or use --space=processes");
}

answer ask_about_tasks() {
    try {
        return ask({find_task_program(), "--usable"});
    } catch (error const& e) {
        return {.status = not_found_status, .text = std::string{quoted(e.what())}};
    }
}

task_ranks::task_ranks(launch_options const& options) {
    tasks::stub_wishes wishes;
    wishes.program = options.program;
    wishes.house = {options.ranks, options.partition.empty() ? 0 : tasks::parse_bytes("partition", options.partition),
                    options.scatter};
    if (!options.stack.empty()) wishes.stack_bytes = tasks::parse_bytes("stack", options.stack);
    request_ = tasks::own_request(wishes);
    auto& variables = request_.environment;
    std::erase_if(variables, [](std::string const& v) { return v.starts_with(fmt::format("{}=", boot_fd_variable)); });
    inherited_ = tasks::inheritable_descriptors();
    int const place = first_free(inherited_);
    variables.push_back(fmt::format("{}={}", boot_fd_variable, place));
    request_.descriptors = {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO, place};
    request_.descriptors.insert(request_.descriptors.end(), inherited_.begin(), inherited_.end());
    request_.on_machine = options.ranks;
    request_.launcher = getpid();
    request_.leads_session = 0;
    link_ = start_root(find_task_program());
}

void task_ranks::start(int rank, rank_start const& how) {
    tasks::rank_request mine = request_;
    mine.rank = rank;
    mine.limits.at(RLIMIT_NOFILE) = how.inherited.open_files;
    mine.blocked = as_word(how.inherited.blocked);
    set_bit(mine.ignored, SIGPIPE, how.inherited.broken_pipe.sa_handler == SIG_IGN);
    if (how.where != nullptr) mine.processors = how.where->words();
    auto const or_ours = [](int fd, int own) { return fd < 0 ? own : fd; };
    std::vector<int> descriptors{or_ours(how.input, STDIN_FILENO), or_ours(how.output, STDOUT_FILENO),
                                 or_ours(how.errors, STDERR_FILENO), how.place_socket};
    descriptors.insert(descriptors.end(), inherited_.begin(), inherited_.end());
    ++unanswered_;
    if (!link_.order(rank, tasks::write_request(mine), descriptors)) gone_ = true;
}

void task_ranks::take(tasks::packet what) {
    switch (what.kind) {
    case tasks::packet_kind::started: --unanswered_; break;
    case tasks::packet_kind::failed:
        unanswered_ = std::max(0, unanswered_ - 1);
        ends_.push_back({what.task, 0, std::move(what.text)});
        break;
    case tasks::packet_kind::ended: ends_.push_back({what.task, what.number, {}}); break;
    default: break;
    }
}

std::optional<std::string> task_ranks::first_failure() {
    while (unanswered_ > 0 && !gone_) {
        auto what = link_.receive();
        if (!what) {
            gone_ = true;
            break;
        }
        take(std::move(*what));
        if (!ends_.empty() && !ends_.back().never_ran.empty()) return ends_.back().never_ran;
    }
    return std::nullopt;
}

std::optional<rank_end> task_ranks::next_end() {
    while (ends_.empty() && !gone_) {
        auto got = tasks::receive_packet(link_.fd(), tasks::waiting::no);
        if (got.how == tasks::received::state::nothing) return std::nullopt;
        if (got.how == tasks::received::state::gone)
            gone_ = true;
        else
            take(std::move(got.what));
    }
    if (ends_.empty()) return std::nullopt;
    rank_end end = std::move(ends_.front());
    ends_.pop_front();
    return end;
}

void task_ranks::signal(int rank, int number) {
    static_cast<void>(link_.send({tasks::packet_kind::signal, rank, number, 0, {}})); // if it is gone, next_end() says so
}

} // namespace sode::internal::tools
