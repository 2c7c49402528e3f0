// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/processors.hpp"
#include "base/unique_fd.hpp"

#include <csignal>
#include <string>
#include <sys/resource.h>
#include <sys/types.h>
#include <vector>

namespace sode::internal::tools {

/// What a rank gets back that the launcher has changed for itself.
struct inherited_state {
    sigset_t blocked{};
    struct sigaction broken_pipe {};
    rlimit open_files{};
};

/// Everything a new rank is started with.
struct rank_start {
    std::vector<std::string> const& program;
    inherited_state const& inherited;
    processor_set const* where; ///< null: not bound
    int place_socket;           ///< over which it is told its place
    int input;                  ///< -1: that of the launcher
    int output;                 ///< same
    int errors;                 ///< same
    int report;                 ///< close-on-exec; gets errno as an int if the program cannot be started
};

/// Forks and executes: the rank leads a process group of its own, and dies with this process. Errors: environment, if no process
/// can be made.
[[nodiscard]] pid_t start_rank(rank_start const& start);

} // namespace sode::internal::tools
