// SPDX-License-Identifier: Apache-2.0
#include "tasks/seccomp_filter.hpp"

#include "base/system_error.hpp"

#include <array>
#include <cerrno>
#include <cstddef>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace sode::internal {

namespace {

constexpr std::uint32_t high_word = 4; // offset of the more significant half of a 64-bit field
constexpr std::uint32_t arch_field = offsetof(seccomp_data, arch);
constexpr std::uint32_t call_field = offsetof(seccomp_data, nr);
constexpr std::uint32_t place_field = offsetof(seccomp_data, instruction_pointer) + high_word;
constexpr std::uint32_t fourth_argument = offsetof(seccomp_data, args) + 3 * sizeof(std::uint64_t);
// Flags of mmap with which the kernel has no choice, or not one that a partition could make for it.
constexpr std::uint32_t not_free = MAP_FIXED | MAP_FIXED_NOREPLACE | MAP_32BIT | MAP_GROWSDOWN;

constexpr sock_filter load(std::uint32_t field) {
    return {BPF_LD | BPF_W | BPF_ABS, 0, 0, field};
}
/// `kind` is BPF_JEQ, BPF_JGE or BPF_JSET; jumps over so many instructions.
constexpr sock_filter jump(std::uint16_t kind, std::uint32_t value, std::uint8_t if_true, std::uint8_t if_false) {
    return {static_cast<std::uint16_t>(BPF_JMP | BPF_K | kind), if_true, if_false, value};
}
constexpr sock_filter give(std::uint32_t verdict) {
    return {BPF_RET | BPF_K, 0, 0, verdict};
}

auto filter_of(std::uint32_t low, std::uint32_t high) {
    return std::array{
        load(arch_field),                        // 0
        jump(BPF_JEQ, AUDIT_ARCH_X86_64, 0, 13), // 1
        load(place_field),                       // 2
        jump(BPF_JGE, low, 0, 11),               // 3
        jump(BPF_JGE, high, 10, 0),              // 4
        load(call_field),                        // 5
        jump(BPF_JEQ, SYS_brk, 9, 0),            // 6
        jump(BPF_JEQ, SYS_shmat, 8, 0),          // 7
        jump(BPF_JEQ, SYS_mremap, 3, 0),         // 8
        jump(BPF_JEQ, SYS_mmap, 0, 5),           // 9
        load(fourth_argument),                   // 10: flags of mmap
        jump(BPF_JSET, not_free, 3, 4),          // 11
        load(fourth_argument),                   // 12: flags of mremap
        jump(BPF_JSET, MREMAP_FIXED, 1, 0),      // 13
        jump(BPF_JSET, MREMAP_MAYMOVE, 1, 0),    // 14
        give(SECCOMP_RET_ALLOW),                 // 15
        give(SECCOMP_RET_USER_NOTIF),            // 16
    };
}

int install(sock_fprog const& program, unsigned long flags) noexcept {
    return static_cast<int>(::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program));
}

} // namespace

unique_fd filter_this_thread(std::uintptr_t low, std::uintptr_t high) {
    constexpr unsigned half = 32;
    auto filter = filter_of(static_cast<std::uint32_t>(low >> half), static_cast<std::uint32_t>(high >> half));
    sock_fprog const program{static_cast<unsigned short>(filter.size()), filter.data()};
    constexpr auto problem = "the memory of each task cannot be kept in its own address range";
    if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        throw system_error(problem, "prctl(PR_SET_NO_NEW_PRIVS)", "use a newer kernel");
    // A filter is often the mark of untrusted code, for which older kernels switch off what makes processors fast: not here.
    constexpr unsigned long flags = SECCOMP_FILTER_FLAG_NEW_LISTENER | SECCOMP_FILTER_FLAG_SPEC_ALLOW;
    // Linux 5.19 lets no signal but a deadly one come between a call that has been heard of and its answer.
    int fd = install(program, flags | SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV);
    if (fd < 0 && errno == EINVAL) fd = install(program, flags);
    if (fd < 0 && errno == EBUSY)
        throw error{error_kind::environment, problem, "system calls of this process are already watched by another program",
                    "do not start a job of tasks from a task, or in a sandbox that filters system calls"};
    if (fd < 0) throw system_error(problem, "seccomp", "allow system calls to be filtered with SECCOMP_RET_USER_NOTIF");
    return unique_fd{fd};
}

} // namespace sode::internal
