// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/unique_fd.hpp"

#include <cstddef>
#include <cstdint>
#include <elf.h>
#include <string>
#include <vector>

namespace sode::internal {

/// A program or a dynamic linker that could be mapped anywhere: an x86-64 ELF file without fixed addresses, whose headers make
/// sense.
class elf_file {
public:
    /// Errors: usage, if the file is none: another format, another machine, fixed addresses, damaged.
    elf_file(unique_fd fd, std::string path);

    [[nodiscard]] std::string const& path() const noexcept { return path_; }
    [[nodiscard]] int fd() const noexcept { return fd_.get(); }
    [[nodiscard]] Elf64_Ehdr const& header() const noexcept { return header_; }
    /// The PT_LOAD segments, by address.
    [[nodiscard]] std::vector<Elf64_Phdr> const& segments() const noexcept { return segments_; }
    /// The dynamic linker that it asks for; empty: none.
    [[nodiscard]] std::string const& interpreter() const noexcept { return interpreter_; }
    [[nodiscard]] bool wants_executable_stack() const noexcept { return executable_stack_; }

    /// From the first page to the last, in bytes from address 0 of the file's own numbering.
    [[nodiscard]] std::uintptr_t low() const noexcept;
    [[nodiscard]] std::uintptr_t high() const noexcept;
    /// What its start has to be a multiple of.
    [[nodiscard]] std::size_t alignment() const noexcept;
    /// Where its program headers lie, in its own numbering; 0: in no segment.
    [[nodiscard]] std::uintptr_t header_address() const noexcept;

private:
    void check_header() const;
    void read_headers(std::size_t file_bytes);
    void take_segment(Elf64_Phdr const& segment, std::size_t file_bytes);
    [[noreturn]] void refuse(std::string_view why, std::string_view suggestion) const;
    [[noreturn]] void damaged(std::string_view why) const;

    unique_fd fd_;
    std::string path_;
    Elf64_Ehdr header_{};
    std::vector<Elf64_Phdr> segments_;
    std::string interpreter_;
    std::uintptr_t stated_headers_ = 0; ///< of PT_PHDR
    bool executable_stack_ = false;
};

} // namespace sode::internal
