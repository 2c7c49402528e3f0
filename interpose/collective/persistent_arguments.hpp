// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interpose/collective/repeated_call.hpp"

#include <mpi.h>
#include <vector>

namespace sode::internal::interpose {

/// Lists of the forms with v and w, by part; empty where they mean nothing.
struct persistent_lists {
    std::vector<MPI_Count> counts{};
    std::vector<MPI_Aint> places{};    ///< in elements; with types: in bytes
    std::vector<MPI_Datatype> types{}; ///< of the forms with w
};

/// What a persistent collective was made with; what means nothing for its function is left out.
struct persistent_arguments {
    planned_function what = planned_function::barrier;
    void const* from = nullptr;
    MPI_Count count = 0;
    MPI_Datatype type = MPI_DATATYPE_NULL;
    void* to = nullptr; ///< of MPI_Bcast: its buffer
    MPI_Count room = 0;
    MPI_Datatype into = MPI_DATATYPE_NULL;
    MPI_Op op = MPI_OP_NULL;
    int root = -1;
    persistent_lists given{}; ///< of what is sent; MPI_Reduce_scatter: the counts
    persistent_lists got{};
};

} // namespace sode::internal::interpose
