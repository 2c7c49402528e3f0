// SPDX-License-Identifier: Apache-2.0
#include "tasks/elf_image.hpp"

#include "tasks/no_room.hpp"
#include "tasks/pages.hpp"

#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <sys/mman.h>

namespace sode::internal {

namespace {

int protection(Elf64_Word flags) noexcept {
    return ((flags & PF_R) != 0 ? PROT_READ : 0) | ((flags & PF_W) != 0 ? PROT_WRITE : 0) | ((flags & PF_X) != 0 ? PROT_EXEC : 0);
}

void map_at(std::uintptr_t from, std::uintptr_t to, int prot, int flags, elf_file const& file, off_t offset) {
    bool const anonymous = (flags & MAP_ANONYMOUS) != 0;
    if (::mmap(memory_at(from), to - from, prot, flags | MAP_PRIVATE | MAP_FIXED, anonymous ? -1 : file.fd(), offset) == MAP_FAILED)
        throw no_room(fmt::format("cannot map {} into a task", file.path()), "mmap", errno);
}

void map_segment(elf_file const& file, Elf64_Phdr const& segment, std::uintptr_t bias) {
    int const prot = protection(segment.p_flags);
    auto const begin = round_down(bias + segment.p_vaddr, page_bytes);
    auto const file_end = bias + segment.p_vaddr + segment.p_filesz;
    auto const end = round_up(bias + segment.p_vaddr + segment.p_memsz, page_bytes);
    auto const zero_pages = segment.p_filesz == 0 ? begin : round_up(file_end, page_bytes);
    if (segment.p_filesz != 0)
        map_at(begin, zero_pages, prot, 0, file, static_cast<off_t>(round_down(segment.p_offset, page_bytes)));
    // To the end of the page, not only of the segment, as the kernel does: the dynamic linker's first malloc uses the rest of its
    // last page and trusts that it is zero.
    if (segment.p_memsz > segment.p_filesz && segment.p_filesz != 0 && (prot & PROT_WRITE) != 0 && zero_pages > file_end)
        std::memset(memory_at(file_end), 0, zero_pages - file_end);
    if (end > zero_pages) map_at(zero_pages, end, prot, MAP_ANONYMOUS, file, 0);
}

} // namespace

elf_image map_image(elf_file const& file, partition& where) {
    auto const span = file.high() - file.low();
    // All at once first, so that nothing else comes between its segments.
    long const base = where.map(span, file.alignment(), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (base < 0) throw no_room(fmt::format("cannot map {} into a task", file.path()), "mmap", static_cast<int>(-base));
    auto const bias = static_cast<std::uintptr_t>(base) - file.low();
    for (auto const& segment : file.segments()) map_segment(file, segment, bias);
    auto const headers = file.header_address();
    return {bias + file.header().e_entry, headers == 0 ? 0 : bias + headers, file.header().e_phnum};
}

} // namespace sode::internal
