// SPDX-License-Identifier: Apache-2.0
#include "interpose/transport/pmpi_bootstrap.hpp"

#include "interpose/calls/next.hpp"

#include <sode/error.hpp>

#include <array>
#include <map>

namespace sode::interpose {

void check(int status, char const* call) {
    if (status == MPI_SUCCESS) return;
    std::array<char, MPI_MAX_ERROR_STRING> text{};
    int length = 0;
    PMPI_Error_string(status, text.data(), &length);
    throw error{error_kind::peer, std::string{call} + " failed", std::string{text.data(), static_cast<std::size_t>(length)},
                "see the messages of the MPI library"};
}

pmpi_bootstrap::pmpi_bootstrap() {
    check(PMPI_Comm_dup(MPI_COMM_WORLD, &communicator_), "MPI_Comm_dup");
    check(PMPI_Comm_set_errhandler(communicator_, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
    check(PMPI_Comm_rank(communicator_, &rank_), "MPI_Comm_rank");
    check(PMPI_Comm_size(communicator_, &size_), "MPI_Comm_size");
}

pmpi_bootstrap::~pmpi_bootstrap() {
    PMPI_Comm_free(&communicator_);
}

std::vector<int> pmpi_bootstrap::machines() {
    if (!machines_.empty()) return machines_;
    MPI_Comm here = MPI_COMM_NULL;
    check(PMPI_Comm_split_type(communicator_, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &here), "MPI_Comm_split_type");
    int leader = rank_;
    int const status = PMPI_Bcast(&leader, 1, MPI_INT, 0, here);
    PMPI_Comm_free(&here);
    check(status, "MPI_Bcast");

    machines_.resize(static_cast<std::size_t>(size_));
    check(mpi_itself().allgather(&leader, 1, MPI_INT, machines_.data(), 1, MPI_INT, communicator_), "MPI_Allgather");
    std::map<int, int> number;
    for (int& l : machines_) l = number.try_emplace(l, static_cast<int>(number.size())).first->second;
    return machines_;
}

void pmpi_bootstrap::allgather(void const* mine, std::size_t bytes, void* all) {
    // Nothing here is longer than a few hundred bytes a rank.
    int const n = static_cast<int>(bytes);
    check(mpi_itself().allgather(mine, n, MPI_BYTE, all, n, MPI_BYTE, communicator_), "MPI_Allgather");
}

void pmpi_bootstrap::barrier() {
    check(PMPI_Barrier(communicator_), "MPI_Barrier");
}

} // namespace sode::interpose
