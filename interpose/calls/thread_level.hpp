// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <mpi.h>

namespace sode::internal::interpose {

/// The helper of started_calls goes on with what a program has started and does not ask for. Where that sends messages between
/// machines it calls MPI, beside the program: so MPI is begun with MPI_THREAD_MULTIPLE, whatever the program asked for. The program
/// still hears of the level that it asked for.
///
/// That costs every call of MPI a lock. So it is done only where plans may go between machines: in a program that is linked with
/// libsode-mpi4, and unless the launcher says that all ranks are on one machine. It may be wrong: whether ranks are, and what level
/// MPI has given, is looked at after MPI_Init, and all ranks agree then.
[[nodiscard]] bool wants_mpi_in_helper() noexcept;

/// What the program has asked for, if MPI has more than that by us; else -1.
inline std::atomic<int> level_of_program{-1};

/// The level that `provided` of MPI is for a program that asked for `required`, and for MPI_Query_thread from now on.
[[nodiscard]] inline int level_for_program(int required, int provided) noexcept {
    if (provided != MPI_THREAD_MULTIPLE || required == MPI_THREAD_MULTIPLE) return provided;
    level_of_program.store(required, std::memory_order_release);
    return required;
}

} // namespace sode::internal::interpose
