// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <mpi.h>
#include <vector>

namespace sode::interpose {

/// The elements of a message as one element of a type that nobody else can free.
class kept_type {
public:
    kept_type(int count, MPI_Datatype type) {
        // Not a duplicate: that would call what the user has attached to the type.
        PMPI_Type_contiguous(count, type, &type_);
        PMPI_Type_commit(&type_);
    }
    ~kept_type() { PMPI_Type_free(&type_); }
    kept_type(kept_type const&) = delete;
    kept_type& operator=(kept_type const&) = delete;
    kept_type(kept_type&&) = delete;
    kept_type& operator=(kept_type&&) = delete;
    [[nodiscard]] MPI_Datatype get() const noexcept { return type_; }

private:
    MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

/// A copy of a message, to be sent as MPI_PACKED.
class packed_message {
public:
    packed_message(void const* buffer, int count, MPI_Datatype type, MPI_Comm communicator) {
        int room = 0;
        PMPI_Pack_size(count, type, communicator, &room);
        bytes_.resize(static_cast<std::size_t>(room));
        PMPI_Pack(buffer, count, type, bytes_.data(), room, &size_, communicator);
    }
    [[nodiscard]] std::byte const* data() const noexcept { return bytes_.data(); }
    [[nodiscard]] int size() const noexcept { return size_; }

private:
    std::vector<std::byte> bytes_;
    int size_ = 0;
};

} // namespace sode::interpose
