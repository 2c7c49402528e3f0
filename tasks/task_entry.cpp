// SPDX-License-Identifier: Apache-2.0
// The way of a new process from clone to its program. It shares this program's memory and still has the thread pointer of the
// thread that made it: nothing here may touch errno, thread-local storage, or memory that it does not own. Hence system calls only,
// compiled without a stack protector (see CMakeLists.txt).
#include "tasks/task_entry.hpp"

#include "tasks/raw_call.hpp"

#include <array>
#include <asm/prctl.h>
#include <csignal>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

namespace sode::internal {

namespace {

constexpr std::size_t signal_set_bytes = 8; // the kernel's, not libc's
constexpr int last_signal = 64;
constexpr unsigned int last_fd = ~0U;

template <class T> unsigned long word(T value) noexcept {
    if constexpr (requires { static_cast<unsigned long>(value); })
        return static_cast<unsigned long>(value);
    else
        return reinterpret_cast<unsigned long>(value);
}

/// `struct sigaction` of the system call.
struct kernel_action {
    unsigned long handler;
    unsigned long flags;
    unsigned long restorer;
    std::uint64_t mask;
};

struct trial {
    entry_step step;
    long result;
};

/// The root's death is the task's. Asked for before looking whether it has already happened.
trial follow_root(entry_plan const& plan) noexcept {
    long const result = raw_call(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL);
    if (result < 0) return {entry_step::root, result};
    return {entry_step::root, raw_call(SYS_getppid) == plan.root ? 0 : -ESRCH};
}

trial set_signals(entry_plan const& plan) noexcept {
    for (int number = 1; number <= last_signal; ++number) {
        if (number == SIGKILL || number == SIGSTOP) continue;
        bool const ignored = (plan.ignored_signals >> static_cast<unsigned>(number - 1) & 1U) != 0;
        kernel_action const action{ignored ? word(SIG_IGN) : word(SIG_DFL), 0, 0, 0};
        raw_call(SYS_rt_sigaction, word(number), word(&action), 0, signal_set_bytes);
    }
    return {entry_step::signals, raw_call(SYS_rt_sigprocmask, SIG_SETMASK, word(&plan.blocked_signals), 0, signal_set_bytes)};
}

/// Any number may be wanted by one descriptor and held by another, so all go up first, where nobody wants to be.
trial set_descriptors(entry_plan const& plan) noexcept {
    for (std::size_t i = 0; i < plan.fd_count; ++i) {
        long const moved = raw_call(SYS_fcntl, word(plan.fds[i].have), F_DUPFD, word(plan.free_fd));
        if (moved < 0) return {entry_step::descriptors, moved};
        plan.fds[i].have = static_cast<int>(moved);
    }
    raw_call(SYS_close_range, 0, word(plan.free_fd - 1), 0);
    for (std::size_t i = 0; i < plan.fd_count; ++i) {
        long const put = raw_call(SYS_dup2, word(plan.fds[i].have), word(plan.fds[i].want));
        if (put < 0) return {entry_step::descriptors, put};
    }
    return {entry_step::descriptors, raw_call(SYS_close_range, word(plan.free_fd), last_fd, 0)};
}

trial set_limits(entry_plan const& plan) noexcept {
    for (std::size_t i = 0; i < plan.limit_count; ++i) {
        long const set = raw_call(SYS_prlimit64, 0, word(plan.limits[i].resource), word(&plan.limits[i].value), 0);
        if (set < 0) return {entry_step::limits, set};
    }
    return {entry_step::limits, 0};
}

trial set_nice(entry_plan const& plan) noexcept {
    constexpr long middle = 20; // the system call tells 20 - nice
    constexpr unsigned long of_process = 0;
    if (raw_call(SYS_getpriority, of_process, 0) == middle - plan.nice) return {entry_step::nice, 0};
    return {entry_step::nice, raw_call(SYS_setpriority, of_process, 0, word(static_cast<long>(plan.nice)))};
}

trial go_through(entry_plan const& plan) noexcept {
    if (auto const done = follow_root(plan); done.result < 0) return done;
    raw_call(SYS_prctl, PR_SET_NAME, word(plan.name));
    // Either makes a process group: the task's children get the signals that are sent to a rank.
    if (plan.own_session)
        raw_call(SYS_setsid);
    else
        raw_call(SYS_setpgid, 0, 0);
    raw_call(SYS_umask, plan.umask);
    if (plan.directory != nullptr)
        if (long const moved = raw_call(SYS_chdir, word(plan.directory)); moved < 0) return {entry_step::directory, moved};
    if (plan.processors != nullptr)
        if (long const bound =
                raw_call(SYS_sched_setaffinity, 0, plan.processor_words * sizeof(unsigned long), word(plan.processors));
            bound < 0)
            return {entry_step::processors, bound};
    // The kernel takes one bit less than it is told. Some sandboxes refuse the call, which does no harm if it asks for what is
    // usual.
    if (long const set = raw_call(SYS_set_mempolicy, word(plan.memory_policy), word(plan.memory_nodes),
                                  plan.memory_node_words == 0 ? 0 : plan.memory_node_words * sizeof(unsigned long) * 8 + 1);
        set < 0 && plan.memory_policy != 0)
        return {entry_step::memory_policy, set};
    if (auto const done = set_nice(plan); done.result < 0) return done;
    if (auto const done = set_descriptors(plan); done.result < 0) return done;
    if (auto const done = set_limits(plan); done.result < 0) return done;
    return set_signals(plan);
}

[[noreturn]] void enter(entry_plan* plan) noexcept {
    constexpr unsigned long could_not_begin = 127; // as a shell says it
    if (auto const done = go_through(*plan); done.result < 0) {
        plan->failure = static_cast<int>(-done.result);
        plan->failed = done.step;
        raw_call(SYS_exit_group, could_not_begin);
    }
    raw_call(SYS_arch_prctl, ARCH_SET_FS, 0);
    // As the kernel leaves the registers at exec; rdx is what the program registers with atexit().
    asm volatile("mov %0, %%rsp\n" // NOLINT(hicpp-no-assembler)
                 "xor %%ebp, %%ebp\n"
                 "xor %%ebx, %%ebx\n"
                 "xor %%edx, %%edx\n"
                 "jmp *%1\n"
                 :
                 : "a"(plan->stack_pointer), "c"(plan->entry)
                 : "memory");
    __builtin_unreachable();
}

} // namespace

long clone_task(clone_args& how, entry_plan& plan) noexcept {
    long result = SYS_clone3;
    register auto* function asm("r8") = &enter; // NOLINT(hicpp-no-assembler)
    register auto* argument asm("r9") = &plan;  // NOLINT(hicpp-no-assembler)
    // The child comes back on a stack of its own, on which there is no return address.
    asm volatile("syscall\n" // NOLINT(hicpp-no-assembler)
                 "test %%rax, %%rax\n"
                 "jnz 1f\n"
                 "xor %%ebp, %%ebp\n"
                 "mov %%r9, %%rdi\n"
                 "call *%%r8\n"
                 "hlt\n"
                 "1:\n"
                 : "+a"(result)
                 : "D"(&how), "S"(sizeof how), "r"(function), "r"(argument)
                 : "rcx", "r11", "memory", "cc");
    return result;
}

} // namespace sode::internal
