// SPDX-License-Identifier: Apache-2.0
#include "tasks/root/root.hpp"

#include "base/clock.hpp"
#include "base/fd_message.hpp"
#include "base/limits.hpp"
#include "tasks/root/kill_task.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <fmt/format.h>
#include <new>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>

namespace sode::internal::tasks {

namespace {

constexpr std::int64_t ms_ns = 1'000'000;
constexpr std::int64_t wait_for_announced_ns = 10'000 * ms_ns; // ranks of one job come within seconds, or not at all
constexpr std::int64_t wait_for_first_ns = 5'000 * ms_ns;      // who has started this process is about to come
constexpr std::int64_t wait_for_others_ns = 200 * ms_ns;       // nobody has said how many there will be

} // namespace

root::root(task_starter& starter, unique_fd listener, unique_fd first)
    : starter_(starter), keeper_(bool{first}), listener_(std::move(listener)), events_(epoll_create1(EPOLL_CLOEXEC)) {
    sigset_t child;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    signals_ = unique_fd{signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK)};
    if (!events_ || !signals_) throw refused("tasks cannot be supervised", "epoll_create1, signalfd", errno);
    watch(signals_.get(), EPOLLIN);
    if (listener_) watch(listener_.get(), EPOLLIN);
    if (first) add_client(std::move(first));
}

void root::watch(int fd, std::uint32_t events) {
    epoll_event wish{};
    wish.events = events;
    wish.data.fd = fd;
    if (epoll_ctl(events_.get(), EPOLL_CTL_ADD, fd, &wish) != 0 &&
        (errno != EEXIST || epoll_ctl(events_.get(), EPOLL_CTL_MOD, fd, &wish) != 0))
        throw refused("tasks cannot be supervised", "epoll_ctl", errno);
}

void root::run() {
    look_for_end();
    while (now_ns() < leave_at_ns_) {
        std::array<epoll_event, 64> happened{};
        std::int64_t const left = leave_at_ns_ == INT64_MAX ? -1 : (leave_at_ns_ - now_ns()) / ms_ns + 1;
        int const many = epoll_wait(events_.get(), happened.data(), static_cast<int>(happened.size()), static_cast<int>(left));
        for (int i = 0; i < many; ++i) {
            epoll_event const& event = happened[static_cast<std::size_t>(i)];
            int const fd = event.data.fd;
            if (fd == signals_.get()) {
                reap();
            } else if (fd == listener_.get()) {
                accept_clients();
            } else if (fd == launcher_.get()) {
                epoll_ctl(events_.get(), EPOLL_CTL_DEL, fd, nullptr); // it has ended: nobody new will come
            } else {
                serve(fd, event.events);
            }
        }
        look_for_end();
    }
}

// --- clients ---

void root::add_client(unique_fd socket) {
    int const fd = socket.get();
    watch(fd, EPOLLIN);
    clients_[fd].socket = std::move(socket);
}

void root::accept_clients() {
    while (true) {
        unique_fd socket{accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK)};
        if (!socket) return;
        if (peer_user(socket.get()) == geteuid()) add_client(std::move(socket)); // an address space is shared by one user only
    }
}

void root::serve(int fd, std::uint32_t events) {
    auto const at = clients_.find(fd);
    if (at == clients_.end()) return; // dropped since the events were collected
    if ((events & EPOLLOUT) != 0) flush(at->second);
    while (true) {
        auto got = receive_packet(fd);
        if (got.how == received::state::nothing) return;
        if (got.how == received::state::gone) return drop(fd);
        on_packet(at->second, got);
    }
}

void root::on_packet(client& from, received& got) {
    switch (got.what.kind) {
    case packet_kind::order:
        from.unfinished.clear();
        from.unfinished.push_back({std::move(got.what), {}});
        [[fallthrough]];
    case packet_kind::descriptors: {
        if (from.unfinished.empty()) return;
        order& growing = from.unfinished.back();
        for (auto& fd : got.descriptors) growing.descriptors.push_back(std::move(fd));
        if (static_cast<int>(growing.descriptors.size()) < growing.head.number) return;
        order whole = std::move(growing);
        from.unfinished.clear();
        return start(from, std::move(whole));
    }
    case packet_kind::signal: return pass_signal(from, got.what);
    case packet_kind::list: return list(from);
    default: return; // nothing that a client says
    }
}

// Its tasks go with it.
void root::drop(int fd) {
    for (auto& [pid, t] : tasks_)
        if (t.client == fd) {
            t.client = -1;
            kill_task(pid, SIGKILL);
        }
    clients_.erase(fd); // closing it takes it from the events, too
}

void root::say(int client_fd, packet what) {
    auto const at = clients_.find(client_fd);
    if (at == clients_.end()) return;
    at->second.unsent.push_back(std::move(what));
    flush(at->second);
}

void root::flush(client& to) {
    bool const waited = !to.unsent.empty();
    while (!to.unsent.empty()) {
        sent const how = send_packet(to.socket.get(), to.unsent.front());
        if (how == sent::later) return watch(to.socket.get(), EPOLLIN | EPOLLOUT);
        if (how == sent::gone) {
            to.unsent.clear(); // what it still sends is read, and then its end
            break;
        }
        to.unsent.pop_front();
    }
    if (waited) watch(to.socket.get(), EPOLLIN);
}

// --- tasks ---

void root::start(client& from, order&& what) {
    int const fd = from.socket.get();
    std::int32_t const number = what.head.task;
    ++seen_;
    try {
        if (what.descriptors.empty())
            throw error{error_kind::environment, "a message from a stub arrived without its request", "",
                        "use the same version of Sode on the whole machine"};
        auto const request = read_request(what.descriptors.front());
        what.descriptors.erase(what.descriptors.begin());
        if (request.descriptors.size() != what.descriptors.size())
            throw error{error_kind::environment, "not all file descriptors of a task could be transferred",
                        "the process that starts the tasks on this machine has too many open files", limit_behind(EMFILE)};
        expected_ = std::max(expected_, request.on_machine);
        if (!launcher_ && request.launcher != 0) {
            launcher_ = unique_fd{static_cast<int>(syscall(SYS_pidfd_open, request.launcher, 0))};
            if (launcher_) watch(launcher_.get(), EPOLLIN);
        }
        auto const running = starter_.start(request, what.descriptors);
        tasks_[running.pid] = {fd, number, 0, request.rank, request.path, running};
        say(fd, {packet_kind::started, number, running.pid, 0, {}});
    } catch (std::bad_alloc const&) {
        say(fd, {packet_kind::failed, number, 0, 0,
                 refused("a task cannot be started", "memory of the process that starts tasks", ENOMEM).what()});
    } catch (std::exception const& e) {
        say(fd, {packet_kind::failed, number, 0, 0, e.what()});
    }
}

void root::pass_signal(client const& from, packet const& what) {
    for (auto& [pid, t] : tasks_) {
        if (t.client != from.socket.get() || t.number != what.task) continue;
        t.continues = what.count;
        kill_task(pid, what.number);
    }
}

void root::list(client& to) {
    std::string text;
    for (auto const& [pid, t] : tasks_)
        text += fmt::format("{} {} {:x} {:x} {}\n", t.rank, pid, t.running.base, t.running.end, t.path);
    for (std::size_t at = 0; at < text.size(); at += max_packet_text)
        say(to.socket.get(), {packet_kind::listed, 0, 0, 1, text.substr(at, max_packet_text)});
    say(to.socket.get(), {packet_kind::listed, 0, 0, 0, {}});
}

void root::reap() {
    signalfd_siginfo ignored{};
    while (read(signals_.get(), &ignored, sizeof ignored) > 0) {
    }
    tell_of_stops();
    siginfo_t info{};
    // A task stays a zombie while its group is killed: nobody else can get its number before that.
    while (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid != 0) {
        pid_t const pid = info.si_pid;
        if (info.si_code != CLD_EXITED || info.si_status != 0) kill(-pid, SIGKILL);
        int status = 0;
        if (waitpid(pid, &status, 0) == pid) on_end(pid, status);
        info = {};
    }
}

void root::tell_of_stops() {
    siginfo_t info{};
    while (waitid(P_ALL, 0, &info, WSTOPPED | WNOHANG) == 0 && info.si_pid != 0) {
        auto const at = tasks_.find(info.si_pid);
        if (at != tasks_.end()) {
            task const& t = at->second;
            say(t.client, {packet_kind::stopped, t.number, info.si_status, t.continues, {}});
        }
        info = {};
    }
}

void root::on_end(pid_t pid, int status) {
    auto const at = tasks_.find(pid);
    if (at == tasks_.end()) return; // an orphan that was given to us
    task const t = std::move(at->second);
    tasks_.erase(at);
    std::string const never_ran = starter_.ended(t.running.index, status);
    if (never_ran.empty())
        say(t.client, {packet_kind::ended, t.number, status, 0, {}});
    else
        say(t.client, {packet_kind::failed, t.number, 0, 0, never_ran});
}

// --- the end ---

bool root::more_will_come() const {
    if (seen_ >= expected_) return false;
    if (!launcher_) return true;
    pollfd ended{launcher_.get(), POLLIN, 0};
    return poll(&ended, 1, 0) == 0;
}

void root::look_for_end() {
    if (!tasks_.empty() || !clients_.empty()) {
        leave_at_ns_ = INT64_MAX;
        return;
    }
    std::int64_t patience = 0;
    if (keeper_)
        patience = 0;
    else if (seen_ == 0)
        patience = wait_for_first_ns;
    else if (more_will_come())
        patience = wait_for_announced_ns;
    else if (expected_ == 0)
        patience = wait_for_others_ns;
    leave_at_ns_ = std::min(leave_at_ns_, now_ns() + patience);
}

} // namespace sode::internal::tasks
