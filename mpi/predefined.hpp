// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <mpi.h>

namespace sode::interpose {

/// No predefined datatype is longer (long double complex).
inline constexpr MPI_Count longest_predefined = 32;

/// Whether the datatype is one of MPI's own, without a call: true for the common ones, never for a derived one.
[[nodiscard]] inline bool surely_predefined(MPI_Datatype type) noexcept {
#if defined(OPEN_MPI)
    // Objects of the library, side by side; derived ones lie on the heap.
    auto const at = reinterpret_cast<std::uintptr_t>(type);
    auto const a = reinterpret_cast<std::uintptr_t>(MPI_DOUBLE), b = reinterpret_cast<std::uintptr_t>(MPI_CHAR);
    return a < b ? a <= at && at <= b : b <= at && at <= a;
#else
    // MPICH's handles say what they are: the two highest bits are 1 for what is built in.
    constexpr std::uint32_t kind = 0xc0000000, built_in = 0x40000000;
    return (static_cast<std::uint32_t>(type) & kind) == built_in;
#endif
}

} // namespace sode::interpose
