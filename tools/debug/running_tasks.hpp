// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <sys/types.h>
#include <vector>

namespace sode::internal::tools {

/// A task of this user that runs on this machine.
struct task_info {
    int rank = -1; ///< -1: nobody has told
    pid_t pid = 0;
    std::uintptr_t base = 0; ///< all its memory lies from here
    std::uintptr_t end = 0;  ///< to here
    std::string program;
    std::string job; ///< the socket of its root
};

/// Asks all roots. Those that do not answer within a second, because they are being debugged or have just ended, are left out.
[[nodiscard]] std::vector<task_info> running_tasks();

/// The one that `text`, a rank or a process number, means. Errors: usage, if there is none, or more than one.
[[nodiscard]] task_info find_task(std::string const& text);

} // namespace sode::internal::tools
