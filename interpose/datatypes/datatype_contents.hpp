// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/mpi_contents.hpp>

namespace sode::internal {

using datatype_contents = detail::mpi_contents;

/// How many numbers describe a type, those of the types that it is made of included: what a layout of it costs to make grows with
/// them. Errors: as datatype_contents. Cost: some nanoseconds a number.
[[nodiscard]] index_t numbers_of(MPI_Datatype type);

/// How many bytes each basic element of a type has, if all have as many, without gaps in them; else 0, as of MPI_LONG_INT. Errors
/// and cost: as above.
[[nodiscard]] index_t element_bytes_of(MPI_Datatype type);

} // namespace sode::internal
