// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <cstring>
#include <mpi.h>

namespace sode::internal {

/// Handles are integers in one MPI and pointers in another; equal handles have equal bytes in both.
inline std::uint64_t bits_of(MPI_Datatype type) noexcept {
    std::uint64_t bits = 0;
    static_assert(sizeof(MPI_Datatype) <= sizeof bits);
    std::memcpy(&bits, &type, sizeof(MPI_Datatype));
    return bits;
}

} // namespace sode::internal
