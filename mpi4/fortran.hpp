// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "mpi4/held.hpp"

#include <mpi.h>
#include <vector>

// Open MPI's own: what MPI_IN_PLACE and MPI_BOTTOM are in Fortran, told by their address.
extern "C" {
extern int mpi_fortran_in_place_;
extern int mpi_fortran_bottom_;
}

/// What Fortran gives, as C takes it.
namespace sode::internal::mpi4::fortran {

[[nodiscard]] inline void* address(void* of_user) noexcept {
    if (of_user == &mpi_fortran_in_place_) return MPI_IN_PLACE;
    return of_user == &mpi_fortran_bottom_ ? MPI_BOTTOM : of_user;
}

/// `n` datatypes.
class types {
public:
    types(MPI_Fint const* of_user, int n) {
        for (int i = 0; i < n; ++i) list_.push_back(PMPI_Type_f2c(of_user[i]));
        list_.push_back(MPI_DATATYPE_NULL); // there may be none, and an address is wanted
    }
    operator MPI_Datatype const*() const noexcept { return list_.data(); } // NOLINT(google-explicit-constructor): it is one

private:
    std::vector<MPI_Datatype> list_;
};

} // namespace sode::internal::mpi4::fortran
