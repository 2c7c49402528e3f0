// SPDX-License-Identifier: Apache-2.0
#include "interpose/datatypes/datatype_contents.hpp"

namespace sode::internal {

bool datatype_is_basic(MPI_Datatype type) {
    return datatype_contents{type}.basic();
}

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

} // namespace sode::internal
