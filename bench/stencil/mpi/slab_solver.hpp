// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "stencil/mpi/slab_edges.hpp"
#include "stencil/mpi/team.hpp"
#include "stencil/solver.hpp"

#include <mpi.h>

#include <memory>
#include <string>

namespace sode::internal::bench {

/// When a rank computes: after the halos have come, or what needs none of them meanwhile.
enum class overlap { no, yes };

/// Who solves: some ranks, each with some threads. One rank with threads is plain OpenMP, ranks with one thread each are plain MPI,
/// and both together MPI + OpenMP, where thread 0 communicates.
struct crew {
    MPI_Comm ranks; ///< borrowed
    omp_team threads;
    overlap how = overlap::no;
};

/// A problem in plain C, cut into slabs of layers, a slab a rank, as an expert would write it for MPI: plain_kernels.h. Throws
/// std::invalid_argument where a rank would have too few layers to compute, or there is no such problem.
[[nodiscard]] std::unique_ptr<solver> by_slabs(std::string const& problem, crew who, problem_size size);

/// The same in a window that all ranks share: the arrays are whole, as those of threads are, and a rank reads its neighbours'
/// layers where they lie. Between steps it meets those neighbours by empty messages.
[[nodiscard]] std::unique_ptr<solver> by_window(std::string const& problem, MPI_Comm ranks, problem_size size);

} // namespace sode::internal::bench
