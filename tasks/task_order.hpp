// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <sys/resource.h>
#include <sys/types.h>
#include <vector>

namespace sode::internal {

/// A descriptor for a task: the starter's `have` becomes the task's `want`.
struct handed_fd {
    int have;
    int want;
};

struct resource_limit {
    int resource; ///< RLIMIT_…
    rlimit value;
};

/// What to start, and everything that a process otherwise inherits from who executes it. What is left out is the root's.
struct task_order {
    std::string path;              ///< the program, with a slash in it; a script's interpreter is found
    std::vector<std::string> argv; ///< argv[0] included
    std::vector<std::string> env;  ///< all of it; task_variable is added
    std::string cwd;               ///< empty: the root's
    mode_t umask = 022;
    bool own_session = false;           ///< the task leads a session; else only a process group in that of the root
    std::vector<resource_limit> limits; ///< RLIMIT_AS and RLIMIT_DATA are passed over: they would count the memory of all tasks
    int nice = 0;
    std::vector<unsigned long> cpus; ///< CPU mask, lowest word first; empty: the root's
    int memory_policy = 0;           ///< MPOL_… of set_mempolicy(2)
    std::vector<unsigned long> memory_nodes;
    std::vector<handed_fd> fds;        ///< the task has these and no others
    std::uint64_t ignored_signals = 0; ///< bit s - 1: signal s is ignored; all others get their default
    std::uint64_t blocked_signals = 0; ///< likewise
    std::size_t stack_bytes = 0;       ///< 0: the soft RLIMIT_STACK (of `limits`, else the root's)
    int rank = -1;                     ///< what to call it on the board
};

} // namespace sode::internal
