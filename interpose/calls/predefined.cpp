// SPDX-License-Identifier: Apache-2.0
#include "interpose/calls/predefined.hpp"

namespace sode::internal::interpose {

void learn_predefined() {
#if defined(OPEN_MPI)
    for (MPI_Datatype const type : {MPI_DOUBLE,
                                    MPI_BYTE,
                                    MPI_INT,
                                    MPI_CHAR,
                                    MPI_FLOAT,
                                    MPI_LONG,
                                    MPI_PACKED,
                                    MPI_SIGNED_CHAR,
                                    MPI_UNSIGNED_CHAR,
                                    MPI_SHORT,
                                    MPI_UNSIGNED_SHORT,
                                    MPI_UNSIGNED,
                                    MPI_UNSIGNED_LONG,
                                    MPI_LONG_LONG_INT,
                                    MPI_UNSIGNED_LONG_LONG,
                                    MPI_LONG_DOUBLE,
                                    MPI_WCHAR,
                                    MPI_INT8_T,
                                    MPI_UINT8_T,
                                    MPI_INT16_T,
                                    MPI_UINT16_T,
                                    MPI_INT32_T,
                                    MPI_UINT32_T,
                                    MPI_INT64_T,
                                    MPI_UINT64_T,
                                    MPI_AINT,
                                    MPI_COUNT,
                                    MPI_OFFSET,
                                    MPI_C_BOOL,
                                    MPI_CXX_BOOL,
                                    MPI_C_COMPLEX,
                                    MPI_C_FLOAT_COMPLEX,
                                    MPI_C_DOUBLE_COMPLEX,
                                    MPI_CXX_FLOAT_COMPLEX,
                                    MPI_CXX_DOUBLE_COMPLEX,
                                    MPI_INTEGER,
                                    MPI_REAL,
                                    MPI_DOUBLE_PRECISION,
                                    MPI_COMPLEX,
                                    MPI_DOUBLE_COMPLEX,
                                    MPI_LOGICAL,
                                    MPI_CHARACTER,
                                    MPI_INTEGER4,
                                    MPI_INTEGER8,
                                    MPI_REAL4,
                                    MPI_REAL8}) {
        auto& place = known_predefined.all[predefined_types::place(type)];
        if (type == MPI_DATATYPE_NULL || place.type != nullptr) continue;
        int bytes = 0;
        if (PMPI_Type_size(type, &bytes) == MPI_SUCCESS && bytes > 0) place = {type, bytes};
    }
#endif
}

} // namespace sode::internal::interpose
