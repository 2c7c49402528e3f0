// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interpose/calls/next.hpp"

#include <mpi.h>

namespace sode::internal::interpose {

/// Collective, in a call in which ranks may wait for each other: whether all say yes. False if MPI fails.
[[nodiscard]] inline bool all_agree(bool mine, MPI_Comm communicator) {
    int all = mine ? 1 : 0;
    return mpi_itself().allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, communicator) == MPI_SUCCESS && all != 0;
}

} // namespace sode::internal::interpose
