// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <mpi.h>

#include <string>

namespace sode::internal::bench {

/// The functions that the loops call: as the program is linked, or as an MPI library itself has them, whatever is loaded before it.
struct functions {
    decltype(&::MPI_Send) Send = &::MPI_Send;
    decltype(&::MPI_Recv) Recv = &::MPI_Recv;
    decltype(&::MPI_Isend) Isend = &::MPI_Isend;
    decltype(&::MPI_Irecv) Irecv = &::MPI_Irecv;
    decltype(&::MPI_Wait) Wait = &::MPI_Wait;
    decltype(&::MPI_Waitall) Waitall = &::MPI_Waitall;
    decltype(&::MPI_Waitany) Waitany = &::MPI_Waitany;
    decltype(&::MPI_Test) Test = &::MPI_Test;
    decltype(&::MPI_Testall) Testall = &::MPI_Testall;
    decltype(&::MPI_Send_init) Send_init = &::MPI_Send_init;
    decltype(&::MPI_Recv_init) Recv_init = &::MPI_Recv_init;
    decltype(&::MPI_Start) Start = &::MPI_Start;
    decltype(&::MPI_Startall) Startall = &::MPI_Startall;
    decltype(&::MPI_Request_free) Request_free = &::MPI_Request_free;
    decltype(&::MPI_Sendrecv) Sendrecv = &::MPI_Sendrecv;
    decltype(&::MPI_Sendrecv_replace) Sendrecv_replace = &::MPI_Sendrecv_replace;
    decltype(&::MPI_Probe) Probe = &::MPI_Probe;
    decltype(&::MPI_Iprobe) Iprobe = &::MPI_Iprobe;
    decltype(&::MPI_Mprobe) Mprobe = &::MPI_Mprobe;
    decltype(&::MPI_Mrecv) Mrecv = &::MPI_Mrecv;
    decltype(&::MPI_Put) Put = &::MPI_Put;
    decltype(&::MPI_Get) Get = &::MPI_Get;
    decltype(&::MPI_Win_fence) Win_fence = &::MPI_Win_fence;
    decltype(&::MPI_Neighbor_alltoallw) Neighbor_alltoallw = &::MPI_Neighbor_alltoallw;
    decltype(&::MPI_Barrier) Barrier = &::MPI_Barrier;

    /// Errors: std::runtime_error, if the library or one of its functions is missing.
    static functions of_library(std::string const& path);
};

} // namespace sode::internal::bench
