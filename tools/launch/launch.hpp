// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sode::internal::tools {

struct launch_options {
    int ranks = 1;
    int threads = 1;   ///< of each rank
    std::string cores; ///< "all", "none", a list, or empty: decide
    bool prefix = false;
    double timeout_s = 0; ///< 0: no limit
    std::vector<std::string> program;
    std::string space = "processes";      ///< or "tasks": ranks share an address space
    std::optional<std::uint64_t> scatter; ///< a seed: tasks at random places
    int placements = 0;                   ///< more than 0: run it so often, with tasks at other places each time
    std::string partition;                ///< address space of a task, as text; empty: as much as there is
    std::string stack;                    ///< of a task; empty: the soft limit
    bool mpi = false;                     ///< an MPI program: by its own launcher, under the MPI layer

    [[nodiscard]] bool tasks() const { return space == "tasks"; }
};

/// The exit statuses of the launcher itself, as env(1), timeout(1) and the shells use them.
inline constexpr int timeout_status = 124;
inline constexpr int not_executable_status = 126;
inline constexpr int not_found_status = 127;
inline constexpr int signal_status = 128; ///< plus the signal

/// Runs the program as a job of ranks, and returns the exit status of the first rank that failed, 0 if none did.
///
/// Two processes look after the ranks, so that nothing survives the death of either. The *front* is what the user has started: it
/// passes signals (and a terminal's input) on. The *keeper*, its child, is the parent of the ranks, each the leader of a process
/// group. If the front dies, the keeper sees its life line break and kills the ranks; if the keeper dies, the kernel kills the
/// ranks. Both adopt orphans: what a rank has started and left behind is found and killed when the job ends.
/// Only who kills both at once with SIGKILL can leave something: what a rank has started, not the ranks.
///
/// Errors: usage, environment (nothing is left running).
[[nodiscard]] int launch(launch_options const& options);

} // namespace sode::internal::tools
