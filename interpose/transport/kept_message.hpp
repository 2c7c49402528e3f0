// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <mpi.h>
#include <vector>

namespace sode::internal::interpose {

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

} // namespace sode::internal::interpose
