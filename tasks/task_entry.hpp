// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tasks/task_order.hpp"

#include <cstddef>
#include <cstdint>
#include <linux/sched.h>
#include <sys/types.h>

namespace sode::internal {

/// What a new process does before its program's first instruction.
enum class entry_step { none, root, signals, descriptors, directory, processors, memory_policy, nice, limits };

/// What it needs for that: plain data which the root keeps until the task has ended.
struct entry_plan {
    std::uintptr_t entry = 0;
    std::uintptr_t stack_pointer = 0;
    pid_t root = 0;
    char const* name = nullptr;
    char const* directory = nullptr; ///< null: stays
    bool own_session = false;        ///< else only a process group
    mode_t umask = 0;
    int nice = 0;
    std::uint64_t ignored_signals = 0;
    std::uint64_t blocked_signals = 0;
    unsigned long const* processors = nullptr; ///< null: stays
    std::size_t processor_words = 0;
    unsigned long const* memory_nodes = nullptr;
    std::size_t memory_node_words = 0;
    int memory_policy = 0;
    resource_limit const* limits = nullptr;
    std::size_t limit_count = 0;
    handed_fd* fds = nullptr; ///< `have` is written over
    std::size_t fd_count = 0;
    int free_fd = 0; ///< above all numbers in `fds`

    // Written by the new process: what did not work, if it never came to run its program.
    entry_step failed = entry_step::none;
    int failure = 0; ///< errno
};

/// Makes the process: it goes through the plan and jumps to the program. Returns its pid or -errno.
[[nodiscard]] long clone_task(clone_args& how, entry_plan& plan) noexcept;

} // namespace sode::internal
