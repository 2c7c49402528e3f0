// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tasks/elf_file.hpp"

#include <string>
#include <vector>

namespace sode::internal {

/// What to map, and with which arguments, so that a file runs: what exec would find out.
///
/// A program that wants a dynamic linker is run *by* it (`ld.so --argv0 NAME PROGRAM ARGUMENTS…`): only so does the linker know the
/// program's path and with it $ORIGIN, because /proc/self/exe is one for the whole address space, the root's.
struct program {
    elf_file file;                 ///< the dynamic linker, or a static-pie program
    std::vector<std::string> argv; ///< what `file` is given
    std::string name;              ///< of the process, as ps shows it
    bool executable_stack;
};

/// Errors: usage, if there is no such program, it may not be executed, or cannot be a task.
[[nodiscard]] program find_program(std::string const& path, std::vector<std::string> const& argv);

} // namespace sode::internal
