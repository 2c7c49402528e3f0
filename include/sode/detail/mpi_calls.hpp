// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/mpi_ranks.hpp>

#include <mpi.h>

namespace sode::detail {

/// The MPI functions that this program calls.
struct mpi_calls {
    static constexpr auto error_string = &MPI_Error_string;
    static constexpr auto comm_dup = &MPI_Comm_dup;
    static constexpr auto comm_free = &MPI_Comm_free;
    static constexpr auto comm_set_errhandler = &MPI_Comm_set_errhandler;
    static constexpr auto comm_rank = &MPI_Comm_rank;
    static constexpr auto comm_size = &MPI_Comm_size;
    static constexpr auto comm_split_type = &MPI_Comm_split_type;
    static constexpr auto allgather = &MPI_Allgather;
    static constexpr auto bcast = &MPI_Bcast;
    static constexpr auto barrier = &MPI_Barrier;
};

/// Converts an MPI error to a sode::error that names the call.
inline void check_mpi(int status, char const* call) {
    check_mpi_by<mpi_calls>(status, call);
}

} // namespace sode::detail
