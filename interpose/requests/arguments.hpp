// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interpose/calls/known_sizes.hpp"

#include <cstdint>
#include <mpi.h>

namespace sode::internal::interpose {

enum class send_mode : std::uint8_t { standard, ready, synchronous };

/// Arguments that all sends have.
struct send_arguments {
    void const* buffer;
    MPI_Count count;
    MPI_Datatype type;
    int destination;
    int tag;
    MPI_Comm communicator;
    bool mutual = false; ///< the receiver sends as much to us at the same time
};
/// Arguments that all receives have.
struct receive_arguments {
    void* buffer;
    MPI_Count count;
    MPI_Datatype type;
    int source;
    int tag;
    MPI_Comm communicator;
};

/// In bytes. Nothing has no length, of whatever type; those of more than 2 GiB have none as an int.
[[nodiscard]] inline MPI_Count length_of(MPI_Count count, MPI_Datatype type) noexcept {
    if (count == 0 || type == MPI_DATATYPE_NULL) return 0;
    if (MPI_Count const known = bytes_of_predefined(type); known >= 0) return known * count;
    if (MPI_Count const known = sizes_of_types.of(type); known >= 0) return known * count;
    MPI_Count size = 0;
    PMPI_Type_size_x(type, &size);
    return size * count;
}

} // namespace sode::internal::interpose
