// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <mpi.h>

namespace sode::internal::interpose {

/// Makes a request that is never started: the program's handle of what MPI knows nothing of, which MPI takes for an inactive one
/// wherever requests may stand. Returns a code of MPI.
///
/// No send to MPI_PROC_NULL with MPICH 4.0: once such a request was freed, a persistent collective of MPICH's own that gets its
/// place never ends.
[[nodiscard]] inline int make_resting_request(MPI_Request* request) {
    return PMPI_Send_init(nullptr, 0, MPI_BYTE, 0, 0, MPI_COMM_SELF, request);
}

} // namespace sode::internal::interpose
