// SPDX-License-Identifier: Apache-2.0
#include "interpose/datatypes/datatype_contents.hpp"

namespace sode::internal {

index_t numbers_of(MPI_Datatype type) {
    datatype_contents const c{type};
    if (c.basic()) return 0;
    index_t numbers = c.numbers();
    MPI_Datatype last = MPI_DATATYPE_NULL;
    for (MPI_Datatype const t : c.types()) {
        if (t != last) numbers += numbers_of(t);
        last = t;
    }
    return numbers;
}

index_t element_bytes_of(MPI_Datatype type) {
    datatype_contents const c{type};
    if (c.basic()) {
        MPI_Aint lower = 0, extent = 0;
        MPI_Count size = 0;
        PMPI_Type_get_extent(type, &lower, &extent);
        PMPI_Type_size_x(type, &size);
        return size == extent ? static_cast<index_t>(size) : 0;
    }
    MPI_Datatype last = MPI_DATATYPE_NULL;
    index_t bytes = 0;
    for (MPI_Datatype const t : c.types()) {
        if (t == last) continue;
        last = t;
        index_t const of_these = element_bytes_of(t);
        if (of_these == 0 || (bytes != 0 && bytes != of_these)) return 0;
        bytes = of_these;
    }
    return bytes;
}

} // namespace sode::internal
