// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "layout/layout.hpp"

#include <mpi.h>

namespace sode::internal {

/// The bytes of `count` elements of a datatype in MPI's order of transfer, relative to the buffer argument (for MPI_BOTTOM: to
/// address 0): the type map of the MPI standard (MPI-4.0, chapter 5) in normal form. Strided types stay symbolic, whatever their
/// counts; indexed ones become lists, repeated ones loops around lists. The type need not be committed.
///
/// Calls only PMPI_ functions. Errors: usage, for a negative count, a null handle, or a type that spans 2^62 bytes;
/// environment, for a combiner that this library does not know (then the type must be left to MPI).
/// Cost: O(nesting), plus the entries of indexed types.
[[nodiscard]] layout layout_of(MPI_Datatype type, MPI_Count count);

/// One element, and how far apart elements lie.
struct element_layout {
    layout one;
    MPI_Count lower = 0;  ///< lower bound
    MPI_Count extent = 0; ///< bytes between elements of an array
    MPI_Count size = 0;   ///< bytes of data
};
[[nodiscard]] element_layout element_of(MPI_Datatype type);

} // namespace sode::internal
