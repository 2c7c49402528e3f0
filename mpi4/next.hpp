// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <mpi.h>

namespace sode::internal::mpi4 {

/// MPI's own functions behind those that this library defines under both of their names, MPI_ and PMPI_: Fortran's bindings use the
/// second one.
struct next_functions {
    next_functions() noexcept;
    decltype(&::PMPI_Start) start;
    decltype(&::PMPI_Startall) startall;
    decltype(&::PMPI_Wait) wait;
    decltype(&::PMPI_Test) test;
    decltype(&::PMPI_Waitall) waitall;
    decltype(&::PMPI_Testall) testall;
    decltype(&::PMPI_Waitany) waitany;
    decltype(&::PMPI_Testany) testany;
    decltype(&::PMPI_Waitsome) waitsome;
    decltype(&::PMPI_Testsome) testsome;
    decltype(&::PMPI_Request_free) request_free;
    decltype(&::PMPI_Request_get_status) request_get_status;
    decltype(&::PMPI_Cancel) cancel;
    decltype(&::PMPI_Op_free) op_free;
    decltype(&::PMPI_Finalize) finalize;
};

[[nodiscard]] next_functions const& next() noexcept;

} // namespace sode::internal::mpi4
