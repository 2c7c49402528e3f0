// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/config.hpp"

#include <sode/bootstrap.hpp>

#include <memory>
#include <vector>

namespace sode::internal {

/// Finds out how this process was started: a rank of `sode run`, of an MPI's launcher, else alone. (Threads have thread_team,
/// programs that use MPI themselves <sode/mpi.hpp>.) The place in a job can be taken once: by the first program that asks, in one
/// process. Children of a rank are alone. Errors: usage, if this process asks twice or another program of this rank has asked
/// before; environment, if the job's memory cannot be had.
[[nodiscard]] std::unique_ptr<bootstrap> make_bootstrap(config const& settings = config::from_environment());

/// One rank, no job.
[[nodiscard]] std::unique_ptr<bootstrap> make_alone_bootstrap();

/// The place that `sode run` announced in the environment; null if it did not.
[[nodiscard]] std::unique_ptr<bootstrap> make_local_bootstrap(config const& settings);

/// The same ranks, of which every `ranks_on_machine` of a machine pretend to be one of their own (SODE_MACHINE_SIZE); 0: as they
/// are. Errors: usage, if ranks of different machines could not reach each other then.
[[nodiscard]] std::unique_ptr<bootstrap> with_small_machines(std::unique_ptr<bootstrap> all, int ranks_on_machine);

/// bootstrap::machines(), if every `most` ranks of a machine are one of their own. Pure.
[[nodiscard]] std::vector<int> divided_machines(std::vector<int> places, int most);

/// Closes what `sode run` announced, if it did: for a rank that is no Sode program itself and starts some, such as another `sode
/// run`.
void decline_local_place();

} // namespace sode::internal
