// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <mpi.h>
#include <optional>

namespace sode::internal::interpose {

/// The fewest bytes, `shortest_record` or more, with which a message of the datatype can end at the end of a basic element; for the
/// first elements of the type's signature. Nothing, if the message is shorter than that, holds MPI_PACKED (which any datatype may
/// receive), or has a basic type that is not known. Cost: O(nesting).
[[nodiscard]] std::optional<int> record_bytes(MPI_Datatype type, MPI_Count count);

} // namespace sode::internal::interpose
