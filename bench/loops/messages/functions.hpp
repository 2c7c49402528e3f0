// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <mpi.h>

#include <string>

namespace sode::bench {

/// The functions that the loops call: as the program is linked, or as an MPI library itself has them, whatever is loaded before it.
struct functions {
#define SODE_FOR_EACH_FUNCTION(X)                                                                                                  \
    X(Send) X(Recv) X(Isend) X(Irecv) X(Wait) X(Waitall) X(Waitany) X(Test) X(Testall) X(Send_init) X(Recv_init) X(Start)          \
        X(Startall) X(Request_free) X(Sendrecv) X(Sendrecv_replace) X(Probe) X(Iprobe) X(Mprobe) X(Mrecv) X(Put) X(Get)            \
            X(Win_fence) X(Neighbor_alltoallw) X(Barrier)
#define SODE_MEMBER(NAME) decltype(&::MPI_##NAME) NAME = &::MPI_##NAME;
    SODE_FOR_EACH_FUNCTION(SODE_MEMBER)
#undef SODE_MEMBER

    /// Errors: std::runtime_error, if the library or one of its functions is missing.
    static functions of_library(std::string const& path);
};

} // namespace sode::bench
