// SPDX-License-Identifier: Apache-2.0
// Persistent collectives, where the MPI has them. They go to MPI as they are: this is where plans will take them over. A plan needs
// what is here at hand: the arguments, all ranks of the communicator in one call, and the request, which it would track
// (request_table) so that MPI_Start and all forms of waiting run the plan; what it declines goes on as now.
//
// Defined under the names of MPI-4. Open MPI 4.1 has them as an extension of its own, of which we have the names only in the
// library that is linked (interpose/CMakeLists.txt).
#include "interpose/wrap/persistent.hpp"

namespace sode::interpose {

extern "C" {

int MPI_Barrier_init(MPI_Comm communicator, MPI_Info info, MPI_Request* request) {
    return go_on(&MPI_Barrier_init, "Barrier_init", communicator, info, request);
}

int MPI_Bcast_init(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm communicator, MPI_Info info,
                   MPI_Request* request) {
    return go_on(&MPI_Bcast_init, "Bcast_init", buffer, count, type, root, communicator, info, request);
}

int MPI_Gather_init(void const* from, int count, MPI_Datatype type, void* to, int room, MPI_Datatype into, int root,
                    MPI_Comm communicator, MPI_Info info, MPI_Request* request) {
    return go_on(&MPI_Gather_init, "Gather_init", from, count, type, to, room, into, root, communicator, info, request);
}

int MPI_Gatherv_init(void const* from, int count, MPI_Datatype type, void* to, int const* rooms, int const* places,
                     MPI_Datatype into, int root, MPI_Comm communicator, MPI_Info info, MPI_Request* request) {
    return go_on(&MPI_Gatherv_init, "Gatherv_init", from, count, type, to, rooms, places, into, root, communicator, info, request);
}

int MPI_Scatter_init(void const* from, int count, MPI_Datatype type, void* to, int room, MPI_Datatype into, int root,
                     MPI_Comm communicator, MPI_Info info, MPI_Request* request) {
    return go_on(&MPI_Scatter_init, "Scatter_init", from, count, type, to, room, into, root, communicator, info, request);
}

int MPI_Scatterv_init(void const* from, int const* counts, int const* places, MPI_Datatype type, void* to, int room,
                      MPI_Datatype into, int root, MPI_Comm communicator, MPI_Info info, MPI_Request* request) {
    return go_on(&MPI_Scatterv_init, "Scatterv_init", from, counts, places, type, to, room, into, root, communicator, info,
                 request);
}

int MPI_Allgather_init(void const* from, int count, MPI_Datatype type, void* to, int room, MPI_Datatype into, MPI_Comm communicator,
                       MPI_Info info, MPI_Request* request) {
    return go_on(&MPI_Allgather_init, "Allgather_init", from, count, type, to, room, into, communicator, info, request);
}

int MPI_Allgatherv_init(void const* from, int count, MPI_Datatype type, void* to, int const* rooms, int const* places,
                        MPI_Datatype into, MPI_Comm communicator, MPI_Info info, MPI_Request* request) {
    return go_on(&MPI_Allgatherv_init, "Allgatherv_init", from, count, type, to, rooms, places, into, communicator, info, request);
}

int MPI_Alltoall_init(void const* from, int count, MPI_Datatype type, void* to, int room, MPI_Datatype into, MPI_Comm communicator,
                      MPI_Info info, MPI_Request* request) {
    return go_on(&MPI_Alltoall_init, "Alltoall_init", from, count, type, to, room, into, communicator, info, request);
}

int MPI_Alltoallv_init(void const* from, int const* counts, int const* places, MPI_Datatype type, void* to, int const* rooms,
                       int const* into_places, MPI_Datatype into, MPI_Comm communicator, MPI_Info info, MPI_Request* request) {
    return go_on(&MPI_Alltoallv_init, "Alltoallv_init", from, counts, places, type, to, rooms, into_places, into, communicator,
                 info, request);
}

int MPI_Alltoallw_init(void const* from, int const* counts, int const* places, MPI_Datatype const* types, void* to,
                       int const* rooms, int const* into_places, MPI_Datatype const* intos, MPI_Comm communicator, MPI_Info info,
                       MPI_Request* request) {
    return go_on(&MPI_Alltoallw_init, "Alltoallw_init", from, counts, places, types, to, rooms, into_places, intos, communicator,
                 info, request);
}

int MPI_Reduce_init(void const* from, void* to, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm communicator,
                    MPI_Info info, MPI_Request* request) {
    return go_on(&MPI_Reduce_init, "Reduce_init", from, to, count, type, op, root, communicator, info, request);
}

int MPI_Allreduce_init(void const* from, void* to, int count, MPI_Datatype type, MPI_Op op, MPI_Comm communicator, MPI_Info info,
                       MPI_Request* request) {
    return go_on(&MPI_Allreduce_init, "Allreduce_init", from, to, count, type, op, communicator, info, request);
}

int MPI_Reduce_scatter_block_init(void const* from, void* to, int count, MPI_Datatype type, MPI_Op op, MPI_Comm communicator,
                                  MPI_Info info, MPI_Request* request) {
    return go_on(&MPI_Reduce_scatter_block_init, "Reduce_scatter_block_init", from, to, count, type, op, communicator, info,
                 request);
}

int MPI_Reduce_scatter_init(void const* from, void* to, int const* counts, MPI_Datatype type, MPI_Op op, MPI_Comm communicator,
                            MPI_Info info, MPI_Request* request) {
    return go_on(&MPI_Reduce_scatter_init, "Reduce_scatter_init", from, to, counts, type, op, communicator, info, request);
}

int MPI_Scan_init(void const* from, void* to, int count, MPI_Datatype type, MPI_Op op, MPI_Comm communicator, MPI_Info info,
                  MPI_Request* request) {
    return go_on(&MPI_Scan_init, "Scan_init", from, to, count, type, op, communicator, info, request);
}

int MPI_Exscan_init(void const* from, void* to, int count, MPI_Datatype type, MPI_Op op, MPI_Comm communicator, MPI_Info info,
                    MPI_Request* request) {
    return go_on(&MPI_Exscan_init, "Exscan_init", from, to, count, type, op, communicator, info, request);
}

int MPI_Neighbor_allgather_init(void const* from, int count, MPI_Datatype type, void* to, int room, MPI_Datatype into,
                                MPI_Comm communicator, MPI_Info info, MPI_Request* request) {
    return go_on(&MPI_Neighbor_allgather_init, "Neighbor_allgather_init", from, count, type, to, room, into, communicator, info,
                 request);
}

int MPI_Neighbor_allgatherv_init(void const* from, int count, MPI_Datatype type, void* to, int const* rooms, int const* places,
                                 MPI_Datatype into, MPI_Comm communicator, MPI_Info info, MPI_Request* request) {
    return go_on(&MPI_Neighbor_allgatherv_init, "Neighbor_allgatherv_init", from, count, type, to, rooms, places, into,
                 communicator, info, request);
}

int MPI_Neighbor_alltoall_init(void const* from, int count, MPI_Datatype type, void* to, int room, MPI_Datatype into,
                               MPI_Comm communicator, MPI_Info info, MPI_Request* request) {
    return go_on(&MPI_Neighbor_alltoall_init, "Neighbor_alltoall_init", from, count, type, to, room, into, communicator, info,
                 request);
}

int MPI_Neighbor_alltoallv_init(void const* from, int const* counts, int const* places, MPI_Datatype type, void* to,
                                int const* rooms, int const* into_places, MPI_Datatype into, MPI_Comm communicator, MPI_Info info,
                                MPI_Request* request) {
    return go_on(&MPI_Neighbor_alltoallv_init, "Neighbor_alltoallv_init", from, counts, places, type, to, rooms, into_places, into,
                 communicator, info, request);
}

int MPI_Neighbor_alltoallw_init(void const* from, int const* counts, MPI_Aint const* places, MPI_Datatype const* types, void* to,
                                int const* rooms, MPI_Aint const* into_places, MPI_Datatype const* intos, MPI_Comm communicator,
                                MPI_Info info, MPI_Request* request) {
    return go_on(&MPI_Neighbor_alltoallw_init, "Neighbor_alltoallw_init", from, counts, places, types, to, rooms, into_places,
                 intos, communicator, info, request);
}

} // extern "C"

} // namespace sode::interpose
