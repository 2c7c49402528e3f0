// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interpose/collective/repeated_call.hpp"

#include <cstddef>
#include <cstdint>
#include <mpi.h>

namespace sode::internal::interpose {

/// What one rank passes: each rank's own affair.
struct passed_memory {
    void* memory = nullptr; ///< not written to where it is given
    MPI_Count count = 0;
    MPI_Datatype type = MPI_DATATYPE_NULL;
};
[[nodiscard]] inline passed_memory bytes_at(std::byte* memory, std::int64_t bytes) noexcept {
    return {memory, static_cast<MPI_Count>(bytes), MPI_BYTE};
}
struct passed_call {
    repeated_call what{};
    passed_memory given{};
    passed_memory got{};   ///< no datatype: what comes is not wanted
    bool in_place = false; ///< what is given lies where something is got
    MPI_Op op = MPI_OP_NULL;
};

} // namespace sode::internal::interpose
