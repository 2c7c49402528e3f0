// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace sode::internal::tasks {

/// What a process can tell, without asking anybody, of the job that it is a rank of.
struct job_key {
    std::string name;   ///< the same for all ranks of one job step and one user on a machine, another one for everything else
    int rank = -1;      ///< -1: nobody says
    int on_machine = 0; ///< how many ranks of the job this machine has; 0: nobody says
    int launcher = 0;   ///< the process that looks after them here; 0: unknown
};

/// Reads what the launcher left in this process: the other end of the pipe of PMI (Hydra, Slurm) or of `sode run` is the launcher
/// itself; a PMIx server (Open MPI, Slurm) gives its job a name; Slurm counts jobs and steps. Where there is none of these, all
/// processes with the same parent belong together.
[[nodiscard]] job_key own_job_key();

/// What tells that job from all others of this machine, and its user's and container's from others': fit to be a socket's name.
[[nodiscard]] std::string job_name(job_key const& key);
/// What the names of all sockets begin with that this user's roots have.
[[nodiscard]] std::string socket_name_prefix();

} // namespace sode::internal::tasks
