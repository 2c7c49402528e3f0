// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interpose/collective/repeated_call.hpp"

#include <mpi.h>

namespace sode::internal::interpose {

/// What a program passes to a call, unread.
struct unread_call {
    planned_function what = planned_function::barrier;
    int root = -1;
    MPI_Count count = -1; ///< negative: it is not known how it was passed
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Op op = MPI_OP_NULL;
    MPI_Count room = 0; ///< of what is got, where that has a count of its own
    MPI_Datatype into = MPI_DATATYPE_NULL;
    bool in_place = false;

    friend bool operator==(unread_call const&, unread_call const&) = default;
};

} // namespace sode::internal::interpose
