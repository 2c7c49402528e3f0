// SPDX-License-Identifier: Apache-2.0
#include "interpose/calls/next.hpp"

#include <string>

namespace sode::interpose {

namespace {

next_symbol find(bool profiling, std::string const& function) {
    return next_symbol{((profiling ? "PMPI_" : "MPI_") + function).c_str()};
}

} // namespace

call_table::call_table(bool profiling) noexcept
    : init(find(profiling, "Init")), init_thread(find(profiling, "Init_thread")), finalize(find(profiling, "Finalize")),
      send(find(profiling, "Send")), ssend(find(profiling, "Ssend")), rsend(find(profiling, "Rsend")),
      isend(find(profiling, "Isend")), issend(find(profiling, "Issend")), irsend(find(profiling, "Irsend")),
      recv(find(profiling, "Recv")), irecv(find(profiling, "Irecv")), sendrecv(find(profiling, "Sendrecv")),
      sendrecv_replace(find(profiling, "Sendrecv_replace")), send_init(find(profiling, "Send_init")),
      ssend_init(find(profiling, "Ssend_init")), rsend_init(find(profiling, "Rsend_init")), recv_init(find(profiling, "Recv_init")),
      start(find(profiling, "Start")), startall(find(profiling, "Startall")), wait(find(profiling, "Wait")),
      waitall(find(profiling, "Waitall")), waitany(find(profiling, "Waitany")), waitsome(find(profiling, "Waitsome")),
      test(find(profiling, "Test")), testall(find(profiling, "Testall")), testany(find(profiling, "Testany")),
      testsome(find(profiling, "Testsome")), request_free(find(profiling, "Request_free")),
      request_get_status(find(profiling, "Request_get_status")), probe(find(profiling, "Probe")), iprobe(find(profiling, "Iprobe")),
      mprobe(find(profiling, "Mprobe")), improbe(find(profiling, "Improbe")), mrecv(find(profiling, "Mrecv")),
      imrecv(find(profiling, "Imrecv")), alltoall(find(profiling, "Alltoall")), alltoallv(find(profiling, "Alltoallv")),
      alltoallw(find(profiling, "Alltoallw")), neighbor_alltoallw(find(profiling, "Neighbor_alltoallw")),
      gather(find(profiling, "Gather")), gatherv(find(profiling, "Gatherv")), scatter(find(profiling, "Scatter")),
      scatterv(find(profiling, "Scatterv")), allgather(find(profiling, "Allgather")), allgatherv(find(profiling, "Allgatherv"))
#if MPI_VERSION >= 4
      ,
      send_c(find(profiling, "Send_c")), ssend_c(find(profiling, "Ssend_c")), rsend_c(find(profiling, "Rsend_c")),
      isend_c(find(profiling, "Isend_c")), issend_c(find(profiling, "Issend_c")), irsend_c(find(profiling, "Irsend_c")),
      recv_c(find(profiling, "Recv_c")), irecv_c(find(profiling, "Irecv_c")), sendrecv_c(find(profiling, "Sendrecv_c")),
      sendrecv_replace_c(find(profiling, "Sendrecv_replace_c")), send_init_c(find(profiling, "Send_init_c")),
      ssend_init_c(find(profiling, "Ssend_init_c")), rsend_init_c(find(profiling, "Rsend_init_c")),
      recv_init_c(find(profiling, "Recv_init_c")), mrecv_c(find(profiling, "Mrecv_c")), imrecv_c(find(profiling, "Imrecv_c")),
      isendrecv(find(profiling, "Isendrecv")), isendrecv_c(find(profiling, "Isendrecv_c")),
      isendrecv_replace(find(profiling, "Isendrecv_replace")), isendrecv_replace_c(find(profiling, "Isendrecv_replace_c"))
#endif
{
}

call_table const functions_of_tool_below{false};
call_table const functions_of_mpi{true};

} // namespace sode::interpose
