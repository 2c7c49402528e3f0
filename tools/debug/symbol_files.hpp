// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "debug/running_tasks.hpp"

namespace sode::internal::tools {

/// A program or library in a task's memory.
struct symbol_file {
    std::string path;
    std::uintptr_t bias = 0; ///< what has been added to the addresses in the file
};

/// Those of one task: the kernel tells them of all tasks at once, because they share their memory. Its program comes first.
/// Errors: environment, if the task is gone.
[[nodiscard]] std::vector<symbol_file> symbol_files(task_info const& task);

/// The commands by which gdb attaches to that task and learns where its symbols are.
[[nodiscard]] std::string gdb_script(task_info const& task);

} // namespace sode::internal::tools
