// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <dlfcn.h>
#include <mpi.h>

namespace sode::interpose {

/// A function of MPI as the next library in the program's order of symbols has it: the MPI itself, or a tool between it and us.
class next_symbol {
public:
    explicit next_symbol(char const* name) noexcept : address_(::dlsym(RTLD_NEXT, name)) {}
    // The type is the declared one of the function of that name.
    template <class Function> operator Function*() const noexcept { return reinterpret_cast<Function*>(address_); } // NOLINT

private:
    void* address_;
};

/// What a wrapped call goes on to. Two of them exist: `MPI_` finds a tool that is stacked below this library, `PMPI_` the MPI
/// itself.
struct call_table {
    explicit call_table(bool profiling) noexcept;

    decltype(&::PMPI_Init) init;
    decltype(&::PMPI_Init_thread) init_thread;
    decltype(&::PMPI_Finalize) finalize;

    decltype(&::PMPI_Send) send;
    decltype(&::PMPI_Ssend) ssend;
    decltype(&::PMPI_Rsend) rsend;
    decltype(&::PMPI_Isend) isend;
    decltype(&::PMPI_Issend) issend;
    decltype(&::PMPI_Irsend) irsend;
    decltype(&::PMPI_Recv) recv;
    decltype(&::PMPI_Irecv) irecv;
    decltype(&::PMPI_Sendrecv) sendrecv;
    decltype(&::PMPI_Sendrecv_replace) sendrecv_replace;

    decltype(&::PMPI_Send_init) send_init;
    decltype(&::PMPI_Ssend_init) ssend_init;
    decltype(&::PMPI_Rsend_init) rsend_init;
    decltype(&::PMPI_Recv_init) recv_init;
    decltype(&::PMPI_Start) start;
    decltype(&::PMPI_Startall) startall;

    decltype(&::PMPI_Wait) wait;
    decltype(&::PMPI_Waitall) waitall;
    decltype(&::PMPI_Waitany) waitany;
    decltype(&::PMPI_Waitsome) waitsome;
    decltype(&::PMPI_Test) test;
    decltype(&::PMPI_Testall) testall;
    decltype(&::PMPI_Testany) testany;
    decltype(&::PMPI_Testsome) testsome;
    decltype(&::PMPI_Request_free) request_free;
    decltype(&::PMPI_Request_get_status) request_get_status;

    decltype(&::PMPI_Probe) probe;
    decltype(&::PMPI_Iprobe) iprobe;
    decltype(&::PMPI_Mprobe) mprobe;
    decltype(&::PMPI_Improbe) improbe;
    decltype(&::PMPI_Mrecv) mrecv;
    decltype(&::PMPI_Imrecv) imrecv;

    decltype(&::PMPI_Alltoall) alltoall;
    decltype(&::PMPI_Alltoallv) alltoallv;
    decltype(&::PMPI_Alltoallw) alltoallw;
    decltype(&::PMPI_Neighbor_alltoallw) neighbor_alltoallw;
    decltype(&::PMPI_Gather) gather;
    decltype(&::PMPI_Gatherv) gatherv;
    decltype(&::PMPI_Scatter) scatter;
    decltype(&::PMPI_Scatterv) scatterv;
    decltype(&::PMPI_Allgather) allgather;
    decltype(&::PMPI_Allgatherv) allgatherv;

#if MPI_VERSION >= 4
    decltype(&::PMPI_Send_c) send_c;
    decltype(&::PMPI_Ssend_c) ssend_c;
    decltype(&::PMPI_Rsend_c) rsend_c;
    decltype(&::PMPI_Isend_c) isend_c;
    decltype(&::PMPI_Issend_c) issend_c;
    decltype(&::PMPI_Irsend_c) irsend_c;
    decltype(&::PMPI_Recv_c) recv_c;
    decltype(&::PMPI_Irecv_c) irecv_c;
    decltype(&::PMPI_Sendrecv_c) sendrecv_c;
    decltype(&::PMPI_Sendrecv_replace_c) sendrecv_replace_c;
    decltype(&::PMPI_Send_init_c) send_init_c;
    decltype(&::PMPI_Ssend_init_c) ssend_init_c;
    decltype(&::PMPI_Rsend_init_c) rsend_init_c;
    decltype(&::PMPI_Recv_init_c) recv_init_c;
    decltype(&::PMPI_Mrecv_c) mrecv_c;
    decltype(&::PMPI_Imrecv_c) imrecv_c;
    decltype(&::PMPI_Isendrecv) isendrecv;
    decltype(&::PMPI_Isendrecv_c) isendrecv_c;
    decltype(&::PMPI_Isendrecv_replace) isendrecv_replace;
    decltype(&::PMPI_Isendrecv_replace_c) isendrecv_replace_c;
#endif
};

/// Looked up when this library is loaded.
extern call_table const functions_of_tool_below;
extern call_table const functions_of_mpi;

[[nodiscard]] inline call_table const& tool_below() noexcept {
    return functions_of_tool_below;
}
[[nodiscard]] inline call_table const& mpi_itself() noexcept {
    return functions_of_mpi;
}

} // namespace sode::interpose
