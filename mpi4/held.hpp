// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <memory>
#include <mpi.h>
#include <utility>
#include <vector>

namespace sode::internal::mpi4 {

/// Which part a rank has in a collective with a root.
struct roles {
    bool root = false;
    bool leaf = false; ///< it gives or takes one part
};
[[nodiscard]] roles roles_of(MPI_Comm communicator, int root);

[[nodiscard]] bool is_between_groups(MPI_Comm communicator);

/// How many parts ranks give or take: those of a communicator, or of the other group.
[[nodiscard]] int parts_of(MPI_Comm communicator);
/// Ranks of the own group.
[[nodiscard]] int ranks_of(MPI_Comm communicator);

struct neighbours {
    int sources = 0;
    int targets = 0;
};
[[nodiscard]] neighbours neighbours_of(MPI_Comm communicator);

/// What a persistent collective has to hold on to: MPI lets users free their datatypes and operators, and, of other MPIs' mind,
/// their lists, between MPI_Bcast_init and MPI_Start.
class held_arguments {
public:
    held_arguments() = default;
    ~held_arguments();
    held_arguments(held_arguments&& other) noexcept
        : error_(other.error_), types_(std::move(other.types_)), ops_(std::move(other.ops_)) {
        other.types_.clear();
        other.ops_.clear();
    }
    held_arguments(held_arguments const&) = delete;
    held_arguments& operator=(held_arguments const&) = delete;
    held_arguments& operator=(held_arguments&&) = delete;

    /// A datatype that is the same and stays, if `means` something here.
    [[nodiscard]] MPI_Datatype type(MPI_Datatype of_user, bool means = true);
    [[nodiscard]] std::shared_ptr<MPI_Datatype[]> types(MPI_Datatype const* of_user, int n, bool means = true);
    /// It is not freed before this is.
    [[nodiscard]] MPI_Op op(MPI_Op of_user);
    /// What went wrong with any of these.
    [[nodiscard]] int error() const noexcept { return error_; }

private:
    int error_ = MPI_SUCCESS;
    std::vector<MPI_Datatype> types_;
    std::vector<MPI_Op> ops_;
};

/// A copy of a list, or null, if it means nothing here.
template <class T> [[nodiscard]] std::shared_ptr<T[]> list(T const* of_user, int n, bool means = true) {
    if (!means) return nullptr;
    std::shared_ptr<T[]> copy{new T[static_cast<std::size_t>(n) + 1]};
    std::copy_n(of_user, n, copy.get());
    return copy;
}

/// MPI_Op_free. It takes place when nobody holds the operator any more.
[[nodiscard]] int free_op(MPI_Op* op);

} // namespace sode::internal::mpi4
