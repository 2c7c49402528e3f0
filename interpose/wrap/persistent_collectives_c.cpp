// SPDX-License-Identifier: Apache-2.0
// As persistent_collectives.cpp, of counts beyond int.
#include "interpose/wrap/persistent.hpp"

#if MPI_VERSION >= 4

namespace sode::interpose {

extern "C" {

int MPI_Bcast_init_c(void* buffer, MPI_Count count, MPI_Datatype type, int root, MPI_Comm communicator, MPI_Info info,
                     MPI_Request* request) {
    return go_on(&MPI_Bcast_init_c, "Bcast_init_c", buffer, count, type, root, communicator, info, request);
}

int MPI_Gather_init_c(void const* from, MPI_Count count, MPI_Datatype type, void* to, MPI_Count room, MPI_Datatype into, int root,
                      MPI_Comm communicator, MPI_Info info, MPI_Request* request) {
    return go_on(&MPI_Gather_init_c, "Gather_init_c", from, count, type, to, room, into, root, communicator, info, request);
}

int MPI_Gatherv_init_c(void const* from, MPI_Count count, MPI_Datatype type, void* to, MPI_Count const* rooms,
                       MPI_Aint const* places, MPI_Datatype into, int root, MPI_Comm communicator, MPI_Info info,
                       MPI_Request* request) {
    return go_on(&MPI_Gatherv_init_c, "Gatherv_init_c", from, count, type, to, rooms, places, into, root, communicator, info,
                 request);
}

int MPI_Scatter_init_c(void const* from, MPI_Count count, MPI_Datatype type, void* to, MPI_Count room, MPI_Datatype into, int root,
                       MPI_Comm communicator, MPI_Info info, MPI_Request* request) {
    return go_on(&MPI_Scatter_init_c, "Scatter_init_c", from, count, type, to, room, into, root, communicator, info, request);
}

int MPI_Scatterv_init_c(void const* from, MPI_Count const* counts, MPI_Aint const* places, MPI_Datatype type, void* to,
                        MPI_Count room, MPI_Datatype into, int root, MPI_Comm communicator, MPI_Info info, MPI_Request* request) {
    return go_on(&MPI_Scatterv_init_c, "Scatterv_init_c", from, counts, places, type, to, room, into, root, communicator, info,
                 request);
}

int MPI_Allgather_init_c(void const* from, MPI_Count count, MPI_Datatype type, void* to, MPI_Count room, MPI_Datatype into,
                         MPI_Comm communicator, MPI_Info info, MPI_Request* request) {
    return go_on(&MPI_Allgather_init_c, "Allgather_init_c", from, count, type, to, room, into, communicator, info, request);
}

int MPI_Allgatherv_init_c(void const* from, MPI_Count count, MPI_Datatype type, void* to, MPI_Count const* rooms,
                          MPI_Aint const* places, MPI_Datatype into, MPI_Comm communicator, MPI_Info info, MPI_Request* request) {
    return go_on(&MPI_Allgatherv_init_c, "Allgatherv_init_c", from, count, type, to, rooms, places, into, communicator, info,
                 request);
}

int MPI_Alltoall_init_c(void const* from, MPI_Count count, MPI_Datatype type, void* to, MPI_Count room, MPI_Datatype into,
                        MPI_Comm communicator, MPI_Info info, MPI_Request* request) {
    return go_on(&MPI_Alltoall_init_c, "Alltoall_init_c", from, count, type, to, room, into, communicator, info, request);
}

int MPI_Alltoallv_init_c(void const* from, MPI_Count const* counts, MPI_Aint const* places, MPI_Datatype type, void* to,
                         MPI_Count const* rooms, MPI_Aint const* into_places, MPI_Datatype into, MPI_Comm communicator,
                         MPI_Info info, MPI_Request* request) {
    return go_on(&MPI_Alltoallv_init_c, "Alltoallv_init_c", from, counts, places, type, to, rooms, into_places, into, communicator,
                 info, request);
}

int MPI_Alltoallw_init_c(void const* from, MPI_Count const* counts, MPI_Aint const* places, MPI_Datatype const* types, void* to,
                         MPI_Count const* rooms, MPI_Aint const* into_places, MPI_Datatype const* intos, MPI_Comm communicator,
                         MPI_Info info, MPI_Request* request) {
    return go_on(&MPI_Alltoallw_init_c, "Alltoallw_init_c", from, counts, places, types, to, rooms, into_places, intos,
                 communicator, info, request);
}

int MPI_Reduce_init_c(void const* from, void* to, MPI_Count count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm communicator,
                      MPI_Info info, MPI_Request* request) {
    return go_on(&MPI_Reduce_init_c, "Reduce_init_c", from, to, count, type, op, root, communicator, info, request);
}

int MPI_Allreduce_init_c(void const* from, void* to, MPI_Count count, MPI_Datatype type, MPI_Op op, MPI_Comm communicator,
                         MPI_Info info, MPI_Request* request) {
    return go_on(&MPI_Allreduce_init_c, "Allreduce_init_c", from, to, count, type, op, communicator, info, request);
}

int MPI_Reduce_scatter_block_init_c(void const* from, void* to, MPI_Count count, MPI_Datatype type, MPI_Op op,
                                    MPI_Comm communicator, MPI_Info info, MPI_Request* request) {
    return go_on(&MPI_Reduce_scatter_block_init_c, "Reduce_scatter_block_init_c", from, to, count, type, op, communicator, info,
                 request);
}

int MPI_Reduce_scatter_init_c(void const* from, void* to, MPI_Count const* counts, MPI_Datatype type, MPI_Op op,
                              MPI_Comm communicator, MPI_Info info, MPI_Request* request) {
    return go_on(&MPI_Reduce_scatter_init_c, "Reduce_scatter_init_c", from, to, counts, type, op, communicator, info, request);
}

int MPI_Scan_init_c(void const* from, void* to, MPI_Count count, MPI_Datatype type, MPI_Op op, MPI_Comm communicator, MPI_Info info,
                    MPI_Request* request) {
    return go_on(&MPI_Scan_init_c, "Scan_init_c", from, to, count, type, op, communicator, info, request);
}

int MPI_Exscan_init_c(void const* from, void* to, MPI_Count count, MPI_Datatype type, MPI_Op op, MPI_Comm communicator,
                      MPI_Info info, MPI_Request* request) {
    return go_on(&MPI_Exscan_init_c, "Exscan_init_c", from, to, count, type, op, communicator, info, request);
}

int MPI_Neighbor_allgather_init_c(void const* from, MPI_Count count, MPI_Datatype type, void* to, MPI_Count room, MPI_Datatype into,
                                  MPI_Comm communicator, MPI_Info info, MPI_Request* request) {
    return go_on(&MPI_Neighbor_allgather_init_c, "Neighbor_allgather_init_c", from, count, type, to, room, into, communicator, info,
                 request);
}

int MPI_Neighbor_allgatherv_init_c(void const* from, MPI_Count count, MPI_Datatype type, void* to, MPI_Count const* rooms,
                                   MPI_Aint const* places, MPI_Datatype into, MPI_Comm communicator, MPI_Info info,
                                   MPI_Request* request) {
    return go_on(&MPI_Neighbor_allgatherv_init_c, "Neighbor_allgatherv_init_c", from, count, type, to, rooms, places, into,
                 communicator, info, request);
}

int MPI_Neighbor_alltoall_init_c(void const* from, MPI_Count count, MPI_Datatype type, void* to, MPI_Count room, MPI_Datatype into,
                                 MPI_Comm communicator, MPI_Info info, MPI_Request* request) {
    return go_on(&MPI_Neighbor_alltoall_init_c, "Neighbor_alltoall_init_c", from, count, type, to, room, into, communicator, info,
                 request);
}

int MPI_Neighbor_alltoallv_init_c(void const* from, MPI_Count const* counts, MPI_Aint const* places, MPI_Datatype type, void* to,
                                  MPI_Count const* rooms, MPI_Aint const* into_places, MPI_Datatype into, MPI_Comm communicator,
                                  MPI_Info info, MPI_Request* request) {
    return go_on(&MPI_Neighbor_alltoallv_init_c, "Neighbor_alltoallv_init_c", from, counts, places, type, to, rooms, into_places,
                 into, communicator, info, request);
}

int MPI_Neighbor_alltoallw_init_c(void const* from, MPI_Count const* counts, MPI_Aint const* places, MPI_Datatype const* types,
                                  void* to, MPI_Count const* rooms, MPI_Aint const* into_places, MPI_Datatype const* intos,
                                  MPI_Comm communicator, MPI_Info info, MPI_Request* request) {
    return go_on(&MPI_Neighbor_alltoallw_init_c, "Neighbor_alltoallw_init_c", from, counts, places, types, to, rooms, into_places,
                 intos, communicator, info, request);
}

} // extern "C"

} // namespace sode::interpose

#endif
