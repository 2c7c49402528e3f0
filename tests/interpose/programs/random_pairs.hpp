// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "support/random_datatypes.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace sode::internal::test {

/// A send layout and a receive layout of one signature.
struct pair_of_types {
    owned_datatype from;
    int from_count;
    owned_datatype to;
    int to_count;
};

/// Blocks of bytes at random places, of `bytes` bytes together.
inline owned_datatype random_blocks_of_bytes(random_datatypes& random, std::int64_t bytes) {
    std::vector<int> lengths;
    std::vector<MPI_Aint> at;
    std::int64_t const usual = random.between(1, 200);
    MPI_Aint next = random.between(0, 20);
    for (std::int64_t left = bytes; left > 0; left -= lengths.back()) {
        lengths.push_back(static_cast<int>(std::min<std::int64_t>(left, random.chance(70) ? usual : random.between(1, 200))));
        at.push_back(next);
        next += lengths.back() + (random.chance(30) ? 0 : random.between(1, 40));
    }
    if (random.chance(25)) std::reverse(at.begin(), at.end()), std::reverse(lengths.begin(), lengths.end());
    MPI_Datatype made = MPI_DATATYPE_NULL;
    PMPI_Type_create_hindexed(static_cast<int>(at.size()), lengths.data(), at.data(), MPI_BYTE, &made);
    return owned_datatype{made};
}

/// `count` elements of `type` as one element of another type.
inline owned_datatype several(random_datatypes& random, MPI_Datatype type, int count) {
    MPI_Datatype made = MPI_DATATYPE_NULL;
    auto const [low, high] = span_of(type, 1);
    MPI_Aint const apart = std::max<MPI_Aint>(high - low, 1) + 8 * random.between(0, 4);
    if (random.chance(50))
        PMPI_Type_contiguous(count, type, &made);
    else
        PMPI_Type_create_hvector(count, 1, apart, type, &made);
    return owned_datatype{made};
}

inline pair_of_types random_pair(random_datatypes& random) {
    constexpr std::int64_t most = 4000;
    if (random.chance(40)) {
        // Signature of bytes: any two layouts.
        auto const bytes = random.between(1, 3 * most);
        return {random_blocks_of_bytes(random, bytes), 1, random_blocks_of_bytes(random, bytes), 1};
    }
    owned_datatype element = random.make(most, 4);
    int const count = static_cast<int>(random.between(1, random.chance(20) ? 20 : 4));
    MPI_Datatype twin = MPI_DATATYPE_NULL;
    PMPI_Type_dup(element.get(), &twin);
    owned_datatype same{twin};
    if (random.chance(40)) return {std::move(element), count, std::move(same), count};
    owned_datatype all = several(random, element.get(), count);
    if (random.chance(50)) return {std::move(element), count, std::move(all), 1};
    return {std::move(all), 1, std::move(same), count};
}

} // namespace sode::internal::test
