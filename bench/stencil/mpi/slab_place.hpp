// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "stencil/slab.hpp"
#include "stencil/solver.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <stdexcept>

namespace sode::internal::bench {

/// Which of how many ranks.
struct slab_place {
    int rank = 0, ranks = 1;
    explicit slab_place(MPI_Comm comm) {
        MPI_Comm_rank(comm, &rank);
        MPI_Comm_size(comm, &ranks);
    }
};

/// What the rank computes, where a layer needs `reach` others on both sides. Throws std::invalid_argument where that is less than
/// two times its reach.
[[nodiscard]] inline slab own_part(slab_place const& p, problem_size size, long reach) {
    slab const mine = part_of(size.layers, p.ranks, p.rank, reach);
    if (mine.layers() < 2 * reach)
        throw std::invalid_argument{
            fmt::format("{} layers are too few for {} ranks: rank {} has {}", size.layers, p.ranks, p.rank, mine.layers())};
    return mine;
}

} // namespace sode::internal::bench
