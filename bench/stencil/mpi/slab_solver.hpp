// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "stencil/mpi/slab_edges.hpp"
#include "stencil/mpi/team.hpp"
#include "stencil/solver.hpp"

#include <mpi.h>

#include <memory>

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

/// The two problems in plain C, cut into slabs of layers, a slab a rank, as an expert would write them for MPI: the same kernels as
/// those of plain_…_on. Throws std::invalid_argument where a rank would have fewer than two layers to compute.
[[nodiscard]] std::unique_ptr<solver> slab_laplace(crew who, problem_size size);
[[nodiscard]] std::unique_ptr<solver> slab_himeno(crew who, problem_size size);

/// The same in a window that all ranks share: the arrays are whole, as those of threads are, and a rank reads its neighbours'
/// layers where they lie. Between steps it meets those neighbours by empty messages.
[[nodiscard]] std::unique_ptr<solver> window_laplace(MPI_Comm ranks, problem_size size);
[[nodiscard]] std::unique_ptr<solver> window_himeno(MPI_Comm ranks, problem_size size);

} // namespace sode::internal::bench
