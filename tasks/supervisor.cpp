// SPDX-License-Identifier: Apache-2.0
#include "tasks/supervisor.hpp"

#include "base/limits.hpp"
#include "tasks/pages.hpp"
#include "tasks/quiet_thread.hpp"

#include <array>
#include <cerrno>
#include <cstdio>
#include <fmt/format.h>
#include <linux/kcmp.h>
#include <memory>
#include <new>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace sode::internal {

namespace {

// <linux/seccomp.h> of Linux 6.6.
constexpr unsigned long set_flags_call = _IOW('!', 4, std::uint64_t);
constexpr std::uint64_t wake_up_here = 1;

bool shares_memory(pid_t process) noexcept {
    return ::syscall(SYS_kcmp, ::getpid(), process, KCMP_VM, 0, 0) == 0;
}

/// The root may have been started by a rank that is bound to one core; not all of its tasks will be there.
void run_anywhere() noexcept {
    std::array<unsigned long, 128> every{}; // 8192 processors, the most that a kernel can be built for
    every.fill(~0UL);
    (void)::syscall(SYS_sched_setaffinity, 0, sizeof every, every.data()); // leaves those that this process may use at all
}

/// The process of a thread; 0, if it is gone.
pid_t process_of(pid_t thread) {
    std::unique_ptr<std::FILE, decltype(&std::fclose)> const file{std::fopen(fmt::format("/proc/{}/status", thread).c_str(), "re"),
                                                                  &std::fclose};
    std::array<char, 256> line{};
    pid_t process = 0;
    while (file && std::fgets(line.data(), line.size(), file.get()) != nullptr)
        if (std::sscanf(line.data(), "Tgid: %d", &process) == 1) return process;
    return 0;
}

int fetch_fd_of(pid_t thread, pid_t task, unique_fd const& pidfd, int fd) {
    // Descriptors belong to a process, and a child of vfork() has its own.
    auto const process = thread == task ? task : process_of(thread);
    unique_fd other;
    if (process != task) other = unique_fd{static_cast<int>(::syscall(SYS_pidfd_open, process, 0))};
    auto const fetched = ::syscall(SYS_pidfd_getfd, process == task ? pidfd.get() : other.get(), fd, 0);
    return fetched < 0 ? -errno : static_cast<int>(fetched);
}

} // namespace

supervisor::supervisor(int listener, task_board const& board, std::deque<supervised_task>& tasks)
    : listener_(listener), board_(&board), tasks_(&tasks), stop_(::eventfd(0, EFD_CLOEXEC)) {
    if (!stop_) throw refused("tasks cannot be supervised", "eventfd", errno);
    // One waits for the other anyway, so they may share a core. Kernels before 6.6 know nothing of that.
    (void)::ioctl(listener_, set_flags_call, wake_up_here);
    thread_ = quiet_thread([this] {
        run_anywhere();
        work();
    });
}

supervisor::~supervisor() {
    ::eventfd_write(stop_.get(), 1);
    thread_.join();
}

void supervisor::work() {
    for (;;) {
        std::array<pollfd, 2> events{{{listener_, POLLIN, 0}, {stop_.get(), POLLIN, 0}}};
        if (::poll(events.data(), events.size(), -1) < 0) continue;
        if (events[1].revents != 0) return;
        seccomp_notif call{}; // the kernel insists on zeros
        // ENOENT: who asked has been killed since.
        if (::ioctl(listener_, SECCOMP_IOCTL_NOTIF_RECV, &call) == 0) answer(call);
    }
}

placed_call supervisor::decide(seccomp_notif const& call) {
    // The code that asks is the task's own copy of it, so it tells whose task asks, whichever thread it is. Only a forked child,
    // which has that code at the same place in its own memory, has to be told apart.
    int const index = board_->owner_of(memory_at(call.data.instruction_pointer));
    if (index < 0) return placed_call::left_to_kernel();
    bool const is_break = call.data.nr == SYS_brk;
    auto const not_a_task = [&] { return is_break ? refuse_brk() : placed_call::left_to_kernel(); };
    auto const& entry = board_->entries[index];
    auto& task = (*tasks_)[static_cast<std::size_t>(index)];
    auto const thread = static_cast<pid_t>(call.pid);
    auto const state = entry.state.load();
    auto const pid = entry.pid.load();
    if (state != task_state::starting && state != task_state::running) return not_a_task();
    if (thread != pid && !shares_memory(thread)) return not_a_task();
    if (thread == pid) task.quick.learn(call.data.nr, call.data.instruction_pointer, pid);
    switch (call.data.nr) {
    case SYS_mmap: return place_mmap(task.own, call.data, [&](int fd) { return fetch_fd_of(thread, pid, task.pidfd, fd); });
    case SYS_mremap: return place_mremap(task.own, call.data);
    case SYS_brk: return place_brk(task.own, call.data);
    case SYS_shmat: return place_shmat(task.own, call.data);
    default: return placed_call::left_to_kernel();
    }
}

void supervisor::answer(seccomp_notif const& call) {
    // Until the answer is given: what is undone below must not have become a new task's meanwhile.
    std::lock_guard const lock{mutex_};
    auto outcome = placed_call::left_to_kernel();
    try {
        outcome = decide(call);
    } catch (std::bad_alloc const&) {
        outcome = placed_call::failed(-ENOMEM);
    } // the root is short of memory; the task waits all the same
    ++answered_;
    seccomp_notif_resp reply{};
    reply.id = call.id;
    if (outcome.to_kernel) reply.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
    reply.val = outcome.value;
    reply.error = outcome.error;
    if (::ioctl(listener_, SECCOMP_IOCTL_NOTIF_SEND, &reply) != 0 && outcome.undo) outcome.undo();
}

} // namespace sode::internal
