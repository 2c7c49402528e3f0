// SPDX-License-Identifier: Apache-2.0
// Persistent collectives, where the MPI has them. They go to MPI as they are: this is where plans will take them over. A plan needs
// what is here at hand: the arguments, all ranks of the communicator in one call, and the request, which it would track
// (request_table) so that MPI_Start and all forms of waiting run the plan; what it declines goes on as now.
#include "entry.hpp"

#if MPI_VERSION >= 4

namespace sode::interpose {

extern "C" int MPI_Barrier_init(MPI_Comm communicator, MPI_Info info, MPI_Request* request) {
    entry const call;
    return call.next().barrier_init(communicator, info, request);
}

extern "C" int MPI_Bcast_init(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm communicator, MPI_Info info,
                              MPI_Request* request) {
    entry const call;
    return call.next().bcast_init(buffer, count, type, root, communicator, info, request);
}

extern "C" int MPI_Reduce_init(void const* from, void* to, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm communicator,
                               MPI_Info info, MPI_Request* request) {
    entry const call;
    return call.next().reduce_init(from, to, count, type, op, root, communicator, info, request);
}

extern "C" int MPI_Allreduce_init(void const* from, void* to, int count, MPI_Datatype type, MPI_Op op, MPI_Comm communicator,
                                  MPI_Info info, MPI_Request* request) {
    entry const call;
    return call.next().allreduce_init(from, to, count, type, op, communicator, info, request);
}

extern "C" int MPI_Allgather_init(void const* from, int from_count, MPI_Datatype from_type, void* to, int to_count,
                                  MPI_Datatype to_type, MPI_Comm communicator, MPI_Info info, MPI_Request* request) {
    entry const call;
    return call.next().allgather_init(from, from_count, from_type, to, to_count, to_type, communicator, info, request);
}

extern "C" int MPI_Alltoall_init(void const* from, int from_count, MPI_Datatype from_type, void* to, int to_count,
                                 MPI_Datatype to_type, MPI_Comm communicator, MPI_Info info, MPI_Request* request) {
    entry const call;
    return call.next().alltoall_init(from, from_count, from_type, to, to_count, to_type, communicator, info, request);
}

} // namespace sode::interpose

#endif
