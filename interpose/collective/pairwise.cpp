// SPDX-License-Identifier: Apache-2.0
#include "interpose/collective/pairwise.hpp"

#include <algorithm>
#include <cstring>

namespace sode::internal::interpose {

pairwise::pairwise(layer& l, entry const& call, MPI_Comm twin) : layer_(l), call_(call), twin_(twin) {
    PMPI_Comm_rank(twin, &rank_);
    PMPI_Comm_size(twin, &size_);
}

void* pairwise::place_of(void* buffer, int count, MPI_Datatype type) {
    MPI_Aint lower = 0, extent = 0;
    int size = 0;
    if (count == 0 || PMPI_Type_size(type, &size) != MPI_SUCCESS || size == 0) return buffer;
    PMPI_Type_get_true_extent(type, &lower, &extent);
    if (extent != size) return buffer;
    auto* const begin = static_cast<std::byte*>(buffer) + lower;
    PMPI_Type_get_extent(type, &lower, &extent);
    if (count > 1 && extent != size) return buffer;
    std::span<std::byte> const block{begin, static_cast<std::size_t>(size) * static_cast<std::size_t>(count)};
    auto const meets = [&](auto const& b) { return b.data() < block.data() + block.size() && block.data() < b.data() + b.size(); };
    // Blocks mostly come in their order, and the last rank's before the first one's.
    bool const beyond = blocks_.empty() || block.data() >= end_;
    if (beyond || std::none_of(blocks_.begin(), blocks_.end(), meets)) {
        end_ = std::max(end_, block.data() + block.size());
        blocks_.push_back(block);
        return buffer;
    }
    detour& d = detours_.emplace_back(detour{block, std::vector<std::byte>(block.size())});
    return d.room.data() - (begin - static_cast<std::byte*>(buffer));
}

void pairwise::receive(void* buffer, int count, MPI_Datatype type, int source, int tag) {
    buffer = place_of(buffer, count, type);
    MPI_Request request = MPI_REQUEST_NULL;
    note(mpi_itself().irecv(buffer, count, type, source, tag, twin_, &request));
    if (request == MPI_REQUEST_NULL) return;
    if (foundation::takes_records(count, type)) layer_.receives.track({buffer, count, type, source, tag, twin_}, request, false);
    requests_.push_back(request);
    ++receives_;
}

void pairwise::send(void const* buffer, int count, MPI_Datatype type, int destination, int tag, bool mutual) {
    MPI_Request request = MPI_REQUEST_NULL;
    send_arguments const a{buffer, count, type, destination, tag, twin_, mutual};
    std::optional<int> sent;
    if (layer_.base.concerns(count, type)) sent = layer_.sends.isend(call_, a, send_mode::standard, &request);
    note(sent ? *sent : mpi_itself().isend(buffer, count, type, destination, tag, twin_, &request));
    if (request != MPI_REQUEST_NULL) requests_.push_back(request);
}

void pairwise::copy(void const* from, int count, MPI_Datatype type, void* to, int room, MPI_Datatype into) {
    to = place_of(to, room, into);
    // MPI would pack it and unpack it.
    if (!layer_.receives.copy(from, count, type, to, room, into))
        note(mpi_itself().sendrecv(from, count, type, rank_, 0, to, room, into, rank_, 0, twin_, MPI_STATUS_IGNORE));
}

int pairwise::finish(MPI_Comm communicator) {
    // What MPI has refused on this rank, a datatype that was never committed for one, it has most likely refused on the others:
    // then nothing comes.
    for (std::size_t i = 0; result_ != MPI_SUCCESS && i < receives_; ++i) PMPI_Cancel(&requests_[i]);
    std::vector<MPI_Status> statuses(requests_.size());
    int const result = layer_.completes.waitall(call_, static_cast<int>(requests_.size()), requests_.data(), statuses.data());
    for (detour const& d : detours_) std::memcpy(d.block.data(), d.room.data(), d.room.size());
    int kind = MPI_SUCCESS;
    PMPI_Error_class(result, &kind);
    if (kind != MPI_ERR_IN_STATUS) note(result);
    if (kind == MPI_ERR_IN_STATUS)
        for (MPI_Status const& s : statuses)
            if (s.MPI_ERROR != MPI_ERR_PENDING) note(s.MPI_ERROR);
    if (result_ != MPI_SUCCESS) PMPI_Comm_call_errhandler(communicator, result_);
    return result_;
}

} // namespace sode::internal::interpose
