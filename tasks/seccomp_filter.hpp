// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/unique_fd.hpp"

#include <cstdint>

namespace sode::internal {

/// Puts the calling thread, and every process made by it, under a filter of system calls, and returns the descriptor that hears of
/// them.
///
/// Heard of are calls that let the kernel choose an address (mmap, mremap that may move, shmat) or that move the break (brk: there
/// is only one for the whole address space), if their instruction lies in [low, high): in the code of a task, its libraries
/// included. So a program that a task *executes*, which the kernel puts elsewhere, pays nothing. Sets no_new_privs.
///
/// `low` and `high` are multiples of 4 GiB. Errors: environment, if this thread may not.
[[nodiscard]] unique_fd filter_this_thread(std::uintptr_t low, std::uintptr_t high);

} // namespace sode::internal
