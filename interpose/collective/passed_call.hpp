// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interpose/collective/repeated_call.hpp"

#include <mpi.h>

namespace sode::internal::interpose {

/// What one rank passes: each rank's own affair.
struct passed_memory {
    void* memory = nullptr; ///< not written to where it is given
    MPI_Count count = 0;
    MPI_Datatype type = MPI_DATATYPE_NULL;
};
struct passed_call {
    repeated_call what{};
    passed_memory given{};
    passed_memory got{};   ///< no datatype: what comes is not wanted
    bool in_place = false; ///< what is given lies where something is got
    MPI_Op op = MPI_OP_NULL;
};

} // namespace sode::internal::interpose
