// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interpose/requests/layer.hpp"

#include <span>
#include <vector>

namespace sode::internal::interpose {

/// A collective operation as messages between pairs of ranks, each of which goes as any message of the program does. Over the twin
/// of a communicator, so that they meet no others.
class pairwise {
public:
    pairwise(layer& l, entry const& call, MPI_Comm twin);

    void receive(void* buffer, int count, MPI_Datatype type, int source, int tag = 0);
    /// `mutual`: the other rank sends as much to this one.
    void send(void const* buffer, int count, MPI_Datatype type, int destination, int tag = 0, bool mutual = true);
    /// Data of this rank that lies where others send to: MPI_IN_PLACE.
    void keep(void* buffer, int count, MPI_Datatype type) { static_cast<void>(place_of(buffer, count, type)); }
    /// A rank's message to itself.
    void copy(void const* from, int count, MPI_Datatype type, void* to, int room, MPI_Datatype into);
    /// Waits for all. Returns the first error that there was, of which the error handler of the user's communicator has been told.
    [[nodiscard]] int finish(MPI_Comm communicator);

    [[nodiscard]] int rank() const noexcept { return rank_; }
    [[nodiscard]] int size() const noexcept { return size_; }

private:
    /// A block that shares bytes with an earlier one. MPI forbids that, and no MPI objects; but a record must stay whole until it
    /// is read, so the block is received apart from the others.
    struct detour {
        std::span<std::byte> block;
        std::vector<std::byte> room;
    };
    /// Where to receive a block: in its place, or on a detour. Blocks with gaps may interleave, and are not looked at.
    [[nodiscard]] void* place_of(void* buffer, int count, MPI_Datatype type);

    void note(int result) {
        if (result_ == MPI_SUCCESS) result_ = result;
    }

    layer& layer_;
    entry const& call_;
    MPI_Comm twin_;
    int rank_ = 0;
    int size_ = 1;
    int result_ = MPI_SUCCESS;
    std::vector<MPI_Request> requests_;
    std::size_t receives_ = 0; // the first of these
    std::vector<std::span<std::byte>> blocks_;
    std::byte* end_ = nullptr; ///< of the blocks
    std::vector<detour> detours_;
};

/// Element `index` of an array of blocks of `count` elements.
[[nodiscard]] inline void* block_of(void const* buffer, MPI_Aint index, MPI_Aint count, MPI_Datatype type) {
    MPI_Aint lower = 0, extent = 0;
    PMPI_Type_get_extent(type, &lower, &extent);
    auto const* const place = static_cast<std::byte const*>(buffer) + index * count * extent;
    return const_cast<std::byte*>(place); // as MPI has it: who sends does not write
}

} // namespace sode::internal::interpose
