// SPDX-License-Identifier: Apache-2.0
#include "tasks/elf_file.hpp"

#include "base/system_error.hpp"
#include "tasks/pages.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace sode::internal {

namespace {

constexpr std::size_t most_headers = 512;
constexpr std::uintptr_t most_address = std::uintptr_t{1} << 40U; // no file is larger than a terabyte, mapped
constexpr std::size_t most_alignment = std::size_t{1} << 30U;

std::string_view name_of_machine(Elf64_Half machine) {
    switch (machine) {
    case EM_386: return "32-bit x86";
    case EM_AARCH64: return "64-bit ARM";
    case EM_ARM: return "32-bit ARM";
    case EM_PPC64: return "64-bit POWER";
    case EM_RISCV: return "RISC-V";
    case EM_S390: return "IBM Z";
    default: return "another architecture";
    }
}

} // namespace

elf_file::elf_file(unique_fd fd, std::string path) : fd_(std::move(fd)), path_(std::move(path)) {
    struct stat status {};
    if (::fstat(fd_.get(), &status) != 0)
        throw system_error(fmt::format("cannot start {}", path_), "fstat", "pass a readable program");
    auto const bytes = ::pread(fd_.get(), &header_, sizeof header_, 0);
    if (bytes < static_cast<ssize_t>(SELFMAG) || std::memcmp(&header_.e_ident, ELFMAG, SELFMAG) != 0)
        refuse("the file is neither an ELF program nor a script with #! in the first line", "pass a program");
    if (bytes != static_cast<ssize_t>(sizeof header_)) damaged("the file ends within the header");
    check_header();
    read_headers(static_cast<std::size_t>(status.st_size));
}

void elf_file::refuse(std::string_view why, std::string_view suggestion) const {
    throw error{error_kind::usage, fmt::format("cannot start {} as a task", path_), why, suggestion};
}

void elf_file::damaged(std::string_view why) const {
    refuse(fmt::format("the ELF headers are damaged: {}", why), "build or copy the program again");
}

void elf_file::check_header() const {
    if (header_.e_machine != EM_X86_64)
        refuse(fmt::format("the program is for {} (ELF machine {})", name_of_machine(header_.e_machine), header_.e_machine),
               "build the program for x86-64");
    if (header_.e_ident[EI_CLASS] != ELFCLASS64 || header_.e_ident[EI_DATA] != ELFDATA2LSB)
        refuse("the program is not 64-bit little-endian", "build the program for x86-64, without -m32 and -mx32");
    if (header_.e_type == ET_EXEC)
        refuse("the program is not position-independent, and only one program with fixed addresses fits into an address space",
               "build the program with -fPIE -pie, or run the program as a separate process");
    if (header_.e_type != ET_DYN) refuse("the file is an object file or a core dump", "pass a program");
}

void elf_file::read_headers(std::size_t file_bytes) {
    if (header_.e_phentsize != sizeof(Elf64_Phdr) || header_.e_phnum == 0 || header_.e_phnum > most_headers)
        damaged("the number of program headers is invalid");
    std::vector<Elf64_Phdr> headers(header_.e_phnum);
    auto const bytes = headers.size() * sizeof(Elf64_Phdr);
    if (header_.e_phoff > file_bytes || bytes > file_bytes - header_.e_phoff ||
        ::pread(fd_.get(), headers.data(), bytes, static_cast<off_t>(header_.e_phoff)) != static_cast<ssize_t>(bytes))
        damaged("the program headers are beyond the end of the file");
    for (auto const& one : headers) {
        if (one.p_type == PT_LOAD) take_segment(one, file_bytes);
        if (one.p_type == PT_GNU_STACK) executable_stack_ = (one.p_flags & PF_X) != 0;
        if (one.p_type == PT_PHDR) stated_headers_ = one.p_vaddr;
        if (one.p_type == PT_INTERP) {
            std::array<char, 4096> name{};
            if (one.p_filesz == 0 || one.p_filesz >= name.size() ||
                ::pread(fd_.get(), name.data(), one.p_filesz, static_cast<off_t>(one.p_offset)) !=
                    static_cast<ssize_t>(one.p_filesz))
                damaged("the name of the dynamic linker cannot be read");
            interpreter_ = name.data();
        }
    }
    if (segments_.empty()) damaged("there is no segment to load");
    if (std::none_of(segments_.begin(), segments_.end(), [&](Elf64_Phdr const& segment) {
            return (segment.p_flags & PF_X) != 0 && header_.e_entry >= segment.p_vaddr &&
                   header_.e_entry - segment.p_vaddr < segment.p_filesz;
        }))
        refuse("the file has no entry point", "pass a program, not a library");
}

void elf_file::take_segment(Elf64_Phdr const& segment, std::size_t file_bytes) {
    if (segment.p_memsz == 0) return;
    if (segment.p_filesz > segment.p_memsz) damaged("a segment is larger in the file than in memory");
    if (segment.p_vaddr > most_address || segment.p_memsz > most_address) damaged("the address of a segment is invalid");
    // A page beyond the end of the file could be mapped, but not touched.
    if (segment.p_offset > file_bytes || segment.p_filesz > file_bytes - segment.p_offset)
        damaged("the file is shorter than the segments");
    if (segment.p_offset % page_bytes != segment.p_vaddr % page_bytes)
        damaged("a segment has different page offsets in the file and in memory");
    if (segment.p_align > most_alignment || (segment.p_align != 0 && !std::has_single_bit(segment.p_align)))
        damaged("the alignment of a segment is invalid");
    if (!segments_.empty() && round_down(segment.p_vaddr, page_bytes) < high()) damaged("the segments overlap or are out of order");
    segments_.push_back(segment);
}

std::uintptr_t elf_file::low() const noexcept {
    return round_down(segments_.front().p_vaddr, page_bytes);
}

std::uintptr_t elf_file::high() const noexcept {
    return round_up(segments_.back().p_vaddr + segments_.back().p_memsz, page_bytes);
}

std::size_t elf_file::alignment() const noexcept {
    std::size_t most = page_bytes;
    for (auto const& segment : segments_) most = std::max<std::size_t>(most, segment.p_align);
    return most;
}

std::uintptr_t elf_file::header_address() const noexcept {
    if (stated_headers_ != 0) return stated_headers_;
    for (auto const& segment : segments_)
        if (segment.p_offset <= header_.e_phoff && header_.e_phoff < segment.p_offset + segment.p_filesz)
            return segment.p_vaddr + (header_.e_phoff - segment.p_offset);
    return 0;
}

} // namespace sode::internal
