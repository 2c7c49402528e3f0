// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <mpi.h>

namespace sode::internal::interpose {

/// No predefined datatype is longer (long double complex).
inline constexpr MPI_Count longest_predefined = 32;

/// Whether the datatype is one of MPI's own, without a call: true for the common ones, never for a derived one.
[[nodiscard]] inline bool surely_predefined(MPI_Datatype type) noexcept {
#if defined(OPEN_MPI)
    // Addresses of objects, and no range of them: a program may have copies of those that it names.
    return type == MPI_DOUBLE || type == MPI_BYTE || type == MPI_INT || type == MPI_CHAR || type == MPI_FLOAT;
#else
    // MPICH's handles say what they are: the two highest bits are 1 for what is built in.
    constexpr std::uint32_t kind = 0xc0000000, built_in = 0x40000000;
    return (static_cast<std::uint32_t>(type) & kind) == built_in;
#endif
}

} // namespace sode::internal::interpose
