// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tasks/elf_image.hpp"

#include <cstddef>
#include <cstdint>
#include <elf.h>
#include <string>
#include <vector>

namespace sode::internal {

/// What the kernel tells a program at its start (getauxval(3)), as this process was told: of the machine, and of the user.
class auxiliary_vector {
public:
    /// Errors: environment, if /proc is not there.
    auxiliary_vector();

    [[nodiscard]] std::vector<Elf64_auxv_t> const& entries() const noexcept { return entries_; }

private:
    std::vector<Elf64_auxv_t> entries_;
};

/// Everything that stands on a program's stack before its first instruction.
struct initial_stack {
    std::vector<std::string> const& argv;
    std::vector<std::string> const& env;
    std::string const& path; ///< AT_EXECFN
    elf_image const& image;
    auxiliary_vector const& auxiliary;

    /// How many bytes of stack it takes, at most.
    [[nodiscard]] std::size_t bytes() const noexcept;
    /// Writes it below `top`, which is a multiple of 16; returns the stack pointer to begin with.
    [[nodiscard]] std::uintptr_t write(std::uintptr_t top) const;
};

} // namespace sode::internal
