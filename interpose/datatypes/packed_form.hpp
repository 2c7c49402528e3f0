// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interpose/datatypes/datatype_cache.hpp"

#include <mpi.h>

namespace sode::internal {

/// A message of so many bytes that lie together, as a layout that its length names. The reference holds until this thread has asked
/// for some other lengths.
[[nodiscard]] message_layout const& packed_form(index_t bytes);

/// Whether messages of that datatype, which is no predefined one, may be sent as bytes. MPICH 4.0 can fail to receive as a datatype
/// what was sent as bytes that lie together, if the elements of the type differ in length.
[[nodiscard]] bool can_be_sent_packed(MPI_Datatype type);

} // namespace sode::internal
