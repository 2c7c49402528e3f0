// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/types.hpp>

#include <mpi.h>

namespace sode::detail {

/// The constructor of a datatype, without its arguments (MPI-4.0, section 5.1.13). MPI's small function fails for types made by
/// large (`_c`) constructors, so the large function is called if it exists.
struct mpi_envelope {
#if MPI_VERSION >= 4
    using number = MPI_Count;
    explicit mpi_envelope(MPI_Datatype type) noexcept
        : code(PMPI_Type_get_envelope_c(type, &integers, &addresses, &large, &types, &combiner)) {}
#else
    using number = int;
    explicit mpi_envelope(MPI_Datatype type) noexcept
        : code(PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner)) {}
#endif
    number integers = 0;
    number addresses = 0;
    number large = 0; ///< counts of a large constructor
    number types = 0;
    int combiner = MPI_COMBINER_NAMED;
    int code; // the last member, because its initialiser sets the other members

    [[nodiscard]] index_t numbers() const noexcept {
        return static_cast<index_t>(integers) + addresses + large;
    }
    /// True for predefined types, and for Fortran types that are defined by precision and range. Basic types are not built from
    /// other types, and are never freed.
    [[nodiscard]] static bool is_basic(int combiner) noexcept {
        return combiner == MPI_COMBINER_NAMED || combiner == MPI_COMBINER_F90_REAL || combiner == MPI_COMBINER_F90_COMPLEX ||
               combiner == MPI_COMBINER_F90_INTEGER;
    }
    [[nodiscard]] bool basic() const noexcept {
        return is_basic(combiner);
    }
};

} // namespace sode::detail
