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
    integers_.resize(static_cast<std::size_t>(integers));
    addresses_.resize(static_cast<std::size_t>(addresses));
    std::vector<MPI_Count> large_counts(static_cast<std::size_t>(large));
    types_.assign(static_cast<std::size_t>(types), MPI_DATATYPE_NULL);
    check(PMPI_Type_get_contents_c(type, integers, addresses, large, types, integers_.data(), addresses_.data(),
                                   large_counts.data(), types_.data()));
    if (large > 0) sort_large_counts(large_counts);
}

/// The large constructors keep all counts and displacements in one array, and the rest where it was (MPI-4.0, table 5.1).
void datatype_contents::sort_large_counts(std::vector<MPI_Count> const& large) {
    auto const to_addresses = [&](std::size_t from) {
        large_.assign(large.begin(), large.begin() + static_cast<std::ptrdiff_t>(from));
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
        large_.assign(1, integers_.at(0));
        large_.insert(large_.end(), large.begin(), large.end());
        large_.push_back(integers_.at(1));
        return;
    case MPI_COMBINER_DARRAY:
        large_.assign(integers_.begin(), integers_.begin() + 3);
        large_.insert(large_.end(), large.begin(), large.end());
        large_.insert(large_.end(), integers_.begin() + 3, integers_.end());
        return;
    default: large_.assign(large.begin(), large.end());
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
    integers_.resize(static_cast<std::size_t>(integers));
    addresses_.resize(static_cast<std::size_t>(addresses));
    types_.assign(static_cast<std::size_t>(types), MPI_DATATYPE_NULL);
    check(PMPI_Type_get_contents(type, integers, addresses, types, integers_.data(), addresses_.data(), types_.data()));
}

#endif

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

} // namespace sode
