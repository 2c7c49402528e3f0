// SPDX-License-Identifier: Apache-2.0
// Entered where a program had `mov $number, %eax; syscall`, so all registers are as a system call wants them, and may change as one
// changes them: rax, rcx and r11. Nothing else may be touched, the stack neither: there may be a red zone. Whatever is not simple
// is done as it was asked, which the supervisor then hears of.
#include "tasks/shortcut_code.hpp"

#include "tasks/partition.hpp"

extern "C" {
extern std::byte const sode_mmap_code[];       // NOLINT(modernize-avoid-c-arrays)
extern std::byte const sode_mmap_code_state[]; // NOLINT(modernize-avoid-c-arrays)
extern std::byte const sode_brk_code[];        // NOLINT(modernize-avoid-c-arrays)
extern std::byte const sode_brk_code_state[];  // NOLINT(modernize-avoid-c-arrays)
}

// mmap. Simple is: no hint, no flag that speaks of the address (MAP_FIXED, MAP_FIXED_NOREPLACE, MAP_32BIT, MAP_GROWSDOWN) or of
// huge pages, less than 2 MiB. The address is taken as address_window::take() does. EEXIST can only mean that it was not free after
// all.
asm(R"(
    .pushsection .rodata
    .balign 16
    .globl sode_mmap_code, sode_mmap_code_state
    .hidden sode_mmap_code, sode_mmap_code_state
sode_mmap_code:
    test $0x140150, %r10d
    jnz 9f
    test %rdi, %rdi
    jnz 9f
    cmp $0x200000, %rsi
    jae 9f
    lea 4095(%rsi), %rcx
    and $-4096, %rcx
    jz 9f
    mov 1f(%rip), %r11
    mov %rcx, %rax
    lock xadd %rcx, (%r11)
    add %rcx, %rax
    cmp 8(%r11), %rax
    ja 9f
    mov %rcx, %rdi
    bts $20, %r10
    mov $9, %eax
    syscall
    btr $20, %r10
    xor %edi, %edi
    cmp $-17, %rax
    je 9f
    jmp *2f(%rip)
9:  mov $9, %eax
    syscall
    jmp *2f(%rip)
    .balign 8
sode_mmap_code_state:
1:  .quad 0
2:  .quad 0
    .popsection
)");

// brk. Simple is: the question where it is, and growing within what is mapped already.
asm(R"(
    .pushsection .rodata
    .balign 16
    .globl sode_brk_code, sode_brk_code_state
    .hidden sode_brk_code, sode_brk_code_state
sode_brk_code:
    mov 1f(%rip), %r11
    mov (%r11), %rax
    test %rdi, %rdi
    jz 8f
    cmp %rax, %rdi
    jb 9f
    cmp 8(%r11), %rdi
    ja 9f
    mov %rdi, (%r11)
    mov %rdi, %rax
8:  jmp *2f(%rip)
9:  mov $12, %eax
    syscall
    jmp *2f(%rip)
    .balign 8
sode_brk_code_state:
1:  .quad 0
2:  .quad 0
    .popsection
)");

namespace sode::internal {

namespace {

// What the code above counts on.
static_assert(sizeof(address_window) == 16 && offsetof(address_window, next) == 0 && offsetof(address_window, limit) == 8);
static_assert(sizeof(break_window) == 16 && offsetof(break_window, now) == 0 && offsetof(break_window, ready) == 8);

shortcut_code between(std::byte const* begin, std::byte const* state) noexcept {
    auto const at = static_cast<std::size_t>(state - begin);
    return {{begin, at + 2 * sizeof(std::uintptr_t)}, at, at + sizeof(std::uintptr_t)};
}

} // namespace

shortcut_code mmap_shortcut() noexcept {
    return between(&sode_mmap_code[0], &sode_mmap_code_state[0]);
}

shortcut_code brk_shortcut() noexcept {
    return between(&sode_brk_code[0], &sode_brk_code_state[0]);
}

} // namespace sode::internal
