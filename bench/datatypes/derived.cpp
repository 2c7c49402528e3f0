// SPDX-License-Identifier: Apache-2.0
#include "datatypes/derived.hpp"

#include <vector>

namespace sode::internal::bench {

derived contiguous(int count, MPI_Datatype old) {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(count, old, &type);
    return derived{type};
}

derived vector(int count, int block, int stride, MPI_Datatype old) {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_vector(count, block, stride, old, &type);
    return derived{type};
}

derived hvector(int count, int block, std::ptrdiff_t stride, MPI_Datatype old) {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_create_hvector(count, block, stride, old, &type);
    return derived{type};
}

derived indexed_blocks(int block, std::span<int const> where, MPI_Datatype old) {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_create_indexed_block(static_cast<int>(where.size()), block, where.data(), old, &type);
    return derived{type};
}

derived structure(std::span<part const> parts) {
    std::vector<int> counts;
    std::vector<MPI_Aint> displacements;
    std::vector<MPI_Datatype> types;
    for (auto const& p : parts) {
        counts.push_back(p.count);
        displacements.push_back(p.displacement);
        types.push_back(p.type);
    }
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_create_struct(static_cast<int>(parts.size()), counts.data(), displacements.data(), types.data(), &type);
    return derived{type};
}

derived subarray(std::span<int const> sizes, std::span<int const> part_sizes, std::span<int const> starts, MPI_Datatype old) {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_create_subarray(static_cast<int>(sizes.size()), sizes.data(), part_sizes.data(), starts.data(), MPI_ORDER_C, old,
                             &type);
    return derived{type};
}

derived resized(std::ptrdiff_t extent, MPI_Datatype old) {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_create_resized(old, 0, extent, &type);
    return derived{type};
}

} // namespace sode::internal::bench
