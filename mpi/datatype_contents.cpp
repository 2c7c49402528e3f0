// SPDX-License-Identifier: Apache-2.0
#include "datatype_contents.hpp"

#include <sode/error.hpp>

namespace sode {
namespace {

[[noreturn]] void unreadable() {
    throw error{error_kind::usage, "a datatype cannot be read", "MPI does not say how it was made",
                "pass a handle that MPI returned and that was not freed"};
}

void check(int code) {
    if (code != MPI_SUCCESS) unreadable();
}

} // namespace

datatype_contents::datatype_contents(MPI_Datatype type) : combiner_(combiner_of(type)) {
    if (!basic()) read(type);
}

datatype_contents::~datatype_contents() {
    for (MPI_Datatype& t : types_)
        if (t != MPI_DATATYPE_NULL && !is_basic(combiner_of(t))) PMPI_Type_free(&t);
}

#if MPI_VERSION >= 4

int datatype_contents::combiner_of(MPI_Datatype type) {
    MPI_Count integers = 0;
    MPI_Count addresses = 0;
    MPI_Count large = 0;
    MPI_Count types = 0;
    int combiner = MPI_COMBINER_NAMED;
    check(PMPI_Type_get_envelope_c(type, &integers, &addresses, &large, &types, &combiner));
    return combiner;
}

void datatype_contents::read(MPI_Datatype type) {
    MPI_Count integers = 0;
    MPI_Count addresses = 0;
    MPI_Count large = 0;
    MPI_Count types = 0;
    check(PMPI_Type_get_envelope_c(type, &integers, &addresses, &large, &types, &combiner_));
    std::vector<int> small_counts(static_cast<std::size_t>(integers));
    std::vector<MPI_Aint> offsets(static_cast<std::size_t>(addresses));
    std::vector<MPI_Count> large_counts(static_cast<std::size_t>(large));
    types_.assign(static_cast<std::size_t>(types), MPI_DATATYPE_NULL);
    check(PMPI_Type_get_contents_c(type, integers, addresses, large, types, small_counts.data(), offsets.data(),
                                   large_counts.data(), types_.data()));
    if (large > 0) return sort_large_counts(small_counts, large_counts);
    integers_.assign(small_counts.begin(), small_counts.end());
    addresses_.assign(offsets.begin(), offsets.end());
}

/// The large constructors keep all counts and displacements in one array, and the rest where it was (MPI-4.0, table 5.1).
void datatype_contents::sort_large_counts(std::vector<int> const& small, std::vector<MPI_Count> const& large) {
    auto const to_addresses = [&](std::size_t from) {
        integers_.assign(large.begin(), large.begin() + static_cast<std::ptrdiff_t>(from));
        addresses_.assign(large.begin() + static_cast<std::ptrdiff_t>(from), large.end());
    };
    auto const entries = static_cast<std::size_t>(large.front());
    switch (combiner_) {
    case MPI_COMBINER_RESIZED: return to_addresses(0);
    case MPI_COMBINER_HVECTOR:
    case MPI_COMBINER_HINDEXED_BLOCK: return to_addresses(2);
    case MPI_COMBINER_HINDEXED:
    case MPI_COMBINER_STRUCT: return to_addresses(1 + entries);
    case MPI_COMBINER_SUBARRAY:
        integers_.assign(1, small.at(0));
        integers_.insert(integers_.end(), large.begin(), large.end());
        integers_.push_back(small.at(1));
        return;
    case MPI_COMBINER_DARRAY:
        integers_.assign(small.begin(), small.begin() + 3);
        integers_.insert(integers_.end(), large.begin(), large.end());
        integers_.insert(integers_.end(), small.begin() + 3, small.end());
        return;
    default: integers_.assign(large.begin(), large.end());
    }
}

#else

int datatype_contents::combiner_of(MPI_Datatype type) {
    int integers = 0;
    int addresses = 0;
    int types = 0;
    int combiner = MPI_COMBINER_NAMED;
    check(PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner));
    return combiner;
}

void datatype_contents::read(MPI_Datatype type) {
    int integers = 0;
    int addresses = 0;
    int types = 0;
    check(PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner_));
    std::vector<int> counts(static_cast<std::size_t>(integers));
    std::vector<MPI_Aint> offsets(static_cast<std::size_t>(addresses));
    types_.assign(static_cast<std::size_t>(types), MPI_DATATYPE_NULL);
    check(PMPI_Type_get_contents(type, integers, addresses, types, counts.data(), offsets.data(), types_.data()));
    integers_.assign(counts.begin(), counts.end());
    addresses_.assign(offsets.begin(), offsets.end());
}

#endif

bool datatype_is_basic(MPI_Datatype type) {
    return datatype_contents{type}.basic();
}

} // namespace sode
