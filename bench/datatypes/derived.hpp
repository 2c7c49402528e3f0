// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <mpi.h>

#include <cstddef>
#include <span>
#include <utility>

namespace sode::internal::bench {

/// A derived MPI datatype, freed at the end.
class derived {
public:
    explicit derived(MPI_Datatype type) noexcept : type_(type) {}
    ~derived() {
        if (type_ != MPI_DATATYPE_NULL) MPI_Type_free(&type_);
    }
    derived(derived&& other) noexcept : type_(std::exchange(other.type_, MPI_DATATYPE_NULL)) {}
    derived& operator=(derived&&) = delete;

    [[nodiscard]] MPI_Datatype get() const noexcept { return type_; }
    void commit() { MPI_Type_commit(&type_); }

private:
    MPI_Datatype type_;
};

/// One part of a structure.
struct part {
    std::ptrdiff_t displacement; ///< bytes
    MPI_Datatype type;
    int count = 1;
};

[[nodiscard]] derived contiguous(int count, MPI_Datatype old);
/// `stride` in elements of `old`.
[[nodiscard]] derived vector(int count, int block, int stride, MPI_Datatype old);
/// `stride` in bytes.
[[nodiscard]] derived hvector(int count, int block, std::ptrdiff_t stride, MPI_Datatype old);
/// `where` in elements of `old`.
[[nodiscard]] derived indexed_blocks(int block, std::span<int const> where, MPI_Datatype old);
[[nodiscard]] derived structure(std::span<part const> parts);
/// Slowest dimension first.
[[nodiscard]] derived subarray(std::span<int const> sizes, std::span<int const> part_sizes, std::span<int const> starts,
                               MPI_Datatype old);
/// From 0 to `extent` bytes.
[[nodiscard]] derived resized(std::ptrdiff_t extent, MPI_Datatype old);

} // namespace sode::internal::bench
