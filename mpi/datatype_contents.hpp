// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/mpi_contents.hpp>

namespace sode {

using datatype_contents = detail::mpi_contents;

/// Whether a type is predefined, or one of Fortran's by precision and range: such a type is never freed.
[[nodiscard]] bool datatype_is_basic(MPI_Datatype type);

} // namespace sode
