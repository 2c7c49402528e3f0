// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/datatype.hpp>

#include <cstddef>
#include <memory>
#include <mpi.h>
#include <optional>
#include <vector>

namespace sode::internal::interpose {

/// What some ranks give, each in memory of its own, combined in their order by an operator that only MPI knows: the program's, or
/// one of a pair of a value and its place. It runs where the program waits, and never in a thread that the program knows nothing
/// of.
class rank_order_fold {
public:
    rank_order_fold(MPI_Op op, MPI_Datatype type, int count);

    /// Memory for what the next rank gives: an address for that many elements.
    [[nodiscard]] std::byte* add();
    /// The last one gives straight into `result`.
    void add_result(void* result) { given_.push_back(static_cast<std::byte*>(result)); }
    /// The result is wanted there, which is not where the last one gives.
    void deliver_to(void* result);
    [[nodiscard]] sode::datatype const& what() const noexcept { return what_; }
    [[nodiscard]] std::int64_t bytes() const noexcept { return bytes_; } ///< of its memory

    /// Combines: what was given is lost. Returns a code of MPI.
    [[nodiscard]] int run() const;

private:
    MPI_Op op_;
    MPI_Datatype type_;
    int count_;
    sode::datatype what_; // relative to the address of the elements
    std::int64_t bytes_ = 0;
    std::vector<std::unique_ptr<std::byte[]>> rooms_;
    std::vector<std::byte*> given_; // by rank
    std::byte* result_ = nullptr;   // null: where the last one has given
    std::optional<sode::datatype_copy> copy_;
};

} // namespace sode::internal::interpose
