// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <mpi.h>
#include <optional>

namespace sode::internal::interpose {

/// Whether the datatype is one of MPI's own in which the bytes lie one behind the other: without looking for long.
[[nodiscard]] bool lies_densely(MPI_Datatype type) noexcept;

/// The bytes of an element of such a datatype; nothing for others.
[[nodiscard]] std::optional<std::int64_t> dense_bytes(MPI_Datatype type) noexcept;

/// How that operator of MPI's combines elements of that datatype, as in plan/reduction.hpp; nothing, if we leave it to MPI:
/// operators of the user's, pairs of a value and its place, and what MPI refuses. A duplicate of a datatype is what it is a
/// duplicate of.
[[nodiscard]] std::optional<std::uint32_t> combiner_of(MPI_Op op, MPI_Datatype type) noexcept;

/// Whether MPI combines elements of that datatype so, and we do not: by an operator of the program's; or pairs of a value and its
/// place, and long doubles, by MPI's own operators.
[[nodiscard]] bool only_mpi_combines(MPI_Op op, MPI_Datatype type) noexcept;

} // namespace sode::internal::interpose
