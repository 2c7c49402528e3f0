// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sode::internal {

/// A system call and nothing else: no errno, no cancellation point. For code that has no libc of its own. Returns what the kernel
/// does: -errno on failure.
inline long raw_call(long number, unsigned long a = 0, unsigned long b = 0, unsigned long c = 0, unsigned long d = 0,
                     unsigned long e = 0) noexcept {
    long result = number;
    register unsigned long fourth asm("r10") = d; // NOLINT(hicpp-no-assembler)
    register unsigned long fifth asm("r8") = e;   // NOLINT(hicpp-no-assembler)
    asm volatile("syscall" : "+a"(result) : "D"(a), "S"(b), "d"(c), "r"(fourth), "r"(fifth) : "rcx", "r11", "memory");
    return result;
}

} // namespace sode::internal
