// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace sode::internal {

/// Whether processes can share an address space on this machine.
struct task_usability {
    bool usable = false;
    std::string why;     ///< if not
    std::string caution; ///< what is different here from what it should be; empty: nothing
};

/// Tries what tasks need: the system calls, in a child process, since a filter of them cannot be taken off again. About 2 ms.
[[nodiscard]] task_usability tasks_usable();

} // namespace sode::internal
