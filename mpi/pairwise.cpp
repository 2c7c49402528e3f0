// SPDX-License-Identifier: Apache-2.0
#include "pairwise.hpp"

namespace sode::interpose {

pairwise::pairwise(layer& l, entry const& call, MPI_Comm twin) : layer_(l), call_(call), twin_(twin) {
    PMPI_Comm_rank(twin, &rank_);
    PMPI_Comm_size(twin, &size_);
}

void pairwise::receive(void* buffer, int count, MPI_Datatype type, int source, int tag) {
    MPI_Request request = MPI_REQUEST_NULL;
    note(mpi_itself().irecv(buffer, count, type, source, tag, twin_, &request));
    if (request == MPI_REQUEST_NULL) return;
    if (layer::takes_records(count, type)) layer_.track({buffer, count, type, source, tag, twin_}, request, false);
    requests_.push_back(request);
}

void pairwise::send(void const* buffer, int count, MPI_Datatype type, int destination, int tag, bool mutual) {
    MPI_Request request = MPI_REQUEST_NULL;
    send_arguments const a{buffer, count, type, destination, tag, twin_, mutual};
    std::optional<int> sent;
    if (layer_.concerns(count, type)) sent = layer_.isend(call_, a, send_mode::standard, &request);
    note(sent ? *sent : mpi_itself().isend(buffer, count, type, destination, tag, twin_, &request));
    if (request != MPI_REQUEST_NULL) requests_.push_back(request);
}

void pairwise::copy(void const* from, int count, MPI_Datatype type, void* to, int room, MPI_Datatype into) {
    // MPI would pack it and unpack it.
    if (!layer_.copy(from, count, type, to, room, into))
        note(mpi_itself().sendrecv(from, count, type, rank_, 0, to, room, into, rank_, 0, twin_, MPI_STATUS_IGNORE));
}

int pairwise::finish(MPI_Comm communicator) {
    std::vector<MPI_Status> statuses(requests_.size());
    int const result = layer_.waitall(call_, static_cast<int>(requests_.size()), requests_.data(), statuses.data());
    int kind = MPI_SUCCESS;
    PMPI_Error_class(result, &kind);
    if (kind != MPI_ERR_IN_STATUS) note(result);
    if (kind == MPI_ERR_IN_STATUS)
        for (MPI_Status const& s : statuses)
            if (s.MPI_ERROR != MPI_ERR_PENDING) note(s.MPI_ERROR);
    if (result_ != MPI_SUCCESS) PMPI_Comm_call_errhandler(communicator, result_);
    return result_;
}

} // namespace sode::interpose
