/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SODE_MPI4_H
#define SODE_MPI4_H
/** \file
 * \brief The persistent collectives of MPI-4, for an MPI library that does not have them or has faulty ones.
 *
 * Include this header, or include `<mpi.h>` and compile with `sode mpicc`. Link `libsode-mpi4-openmpi` or `libsode-mpi4-mpich`
 * before the MPI library (pkg-config `sode-mpi4-openmpi`, `sode-mpi4-mpich`). A program written for MPI-4 needs no other change:
 *
 *     MPI_Request request;
 *     MPI_Allreduce_init(in, out, n, MPI_DOUBLE, MPI_SUM, communicator, MPI_INFO_NULL, &request);
 *     for (...) {
 *         MPI_Start(&request);
 *         MPI_Wait(&request, MPI_STATUS_IGNORE);
 *     }
 *     MPI_Request_free(&request);
 *
 * Semantics: as in MPI-4.0, 6.13. `..._init` is collective and may synchronise all ranks. Each start calls the MPI library's own
 * nonblocking collective with the current contents of the buffers. Ranks may start several collectives in different orders. The
 * requests can be used in MPI_Start, MPI_Startall, MPI_Wait, MPI_Test and the variants for several requests, in MPI_Request_free
 * and in MPI_Request_get_status. Arrays of counts are copied. Datatypes and operators may be freed after `..._init`. The info
 * argument is ignored.
 *
 * Errors: a start reports errors of the nonblocking collective to the error handler that the communicator had at `..._init`.
 * `..._init` reports MPI_ERR_COUNT if a count or displacement in a `_c` function exceeds 2^31 - 1 and the MPI library does not have
 * this function. MPI_ERR_REQUEST is reported when a started request is started again, and by MPI_Cancel.
 *
 * Cost: `..._init` creates a communicator, or reuses that of a freed request, and allocates memory. A start costs one call to the
 * MPI library's nonblocking collective.
 *
 * Source: MPI-4.0, 6.13 and 8.8 (persistent collectives). On their benefit: Hatanaka et al., "Offloaded MPI Persistent Collectives
 * using Persistent Generalized Request Interface", EuroMPI 2017. */
#include <mpi.h>

#if MPI_VERSION < 4
#ifdef __cplusplus
extern "C" {
#endif

int MPI_Barrier_init(MPI_Comm communicator, MPI_Info info, MPI_Request* request);
int MPI_Bcast_init(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm communicator, MPI_Info info,
                   MPI_Request* request);
int MPI_Gather_init(void const* from, int count, MPI_Datatype type, void* to, int room, MPI_Datatype into, int root,
                    MPI_Comm communicator, MPI_Info info, MPI_Request* request);
int MPI_Gatherv_init(void const* from, int count, MPI_Datatype type, void* to, int const* rooms, int const* places,
                     MPI_Datatype into, int root, MPI_Comm communicator, MPI_Info info, MPI_Request* request);
int MPI_Scatter_init(void const* from, int count, MPI_Datatype type, void* to, int room, MPI_Datatype into, int root,
                     MPI_Comm communicator, MPI_Info info, MPI_Request* request);
int MPI_Scatterv_init(void const* from, int const* counts, int const* places, MPI_Datatype type, void* to, int room,
                      MPI_Datatype into, int root, MPI_Comm communicator, MPI_Info info, MPI_Request* request);
int MPI_Allgather_init(void const* from, int count, MPI_Datatype type, void* to, int room, MPI_Datatype into, MPI_Comm communicator,
                       MPI_Info info, MPI_Request* request);
int MPI_Allgatherv_init(void const* from, int count, MPI_Datatype type, void* to, int const* rooms, int const* places,
                        MPI_Datatype into, MPI_Comm communicator, MPI_Info info, MPI_Request* request);
int MPI_Alltoall_init(void const* from, int count, MPI_Datatype type, void* to, int room, MPI_Datatype into, MPI_Comm communicator,
                      MPI_Info info, MPI_Request* request);
int MPI_Alltoallv_init(void const* from, int const* counts, int const* places, MPI_Datatype type, void* to, int const* rooms,
                       int const* into_places, MPI_Datatype into, MPI_Comm communicator, MPI_Info info, MPI_Request* request);
int MPI_Alltoallw_init(void const* from, int const* counts, int const* places, MPI_Datatype const* types, void* to,
                       int const* rooms, int const* into_places, MPI_Datatype const* intos, MPI_Comm communicator, MPI_Info info,
                       MPI_Request* request);
int MPI_Reduce_init(void const* from, void* to, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm communicator,
                    MPI_Info info, MPI_Request* request);
int MPI_Allreduce_init(void const* from, void* to, int count, MPI_Datatype type, MPI_Op op, MPI_Comm communicator, MPI_Info info,
                       MPI_Request* request);
int MPI_Reduce_scatter_block_init(void const* from, void* to, int count, MPI_Datatype type, MPI_Op op, MPI_Comm communicator,
                                  MPI_Info info, MPI_Request* request);
int MPI_Reduce_scatter_init(void const* from, void* to, int const* counts, MPI_Datatype type, MPI_Op op, MPI_Comm communicator,
                            MPI_Info info, MPI_Request* request);
int MPI_Scan_init(void const* from, void* to, int count, MPI_Datatype type, MPI_Op op, MPI_Comm communicator, MPI_Info info,
                  MPI_Request* request);
int MPI_Exscan_init(void const* from, void* to, int count, MPI_Datatype type, MPI_Op op, MPI_Comm communicator, MPI_Info info,
                    MPI_Request* request);
int MPI_Neighbor_allgather_init(void const* from, int count, MPI_Datatype type, void* to, int room, MPI_Datatype into,
                                MPI_Comm communicator, MPI_Info info, MPI_Request* request);
int MPI_Neighbor_allgatherv_init(void const* from, int count, MPI_Datatype type, void* to, int const* rooms, int const* places,
                                 MPI_Datatype into, MPI_Comm communicator, MPI_Info info, MPI_Request* request);
int MPI_Neighbor_alltoall_init(void const* from, int count, MPI_Datatype type, void* to, int room, MPI_Datatype into,
                               MPI_Comm communicator, MPI_Info info, MPI_Request* request);
int MPI_Neighbor_alltoallv_init(void const* from, int const* counts, int const* places, MPI_Datatype type, void* to,
                                int const* rooms, int const* into_places, MPI_Datatype into, MPI_Comm communicator, MPI_Info info,
                                MPI_Request* request);
int MPI_Neighbor_alltoallw_init(void const* from, int const* counts, MPI_Aint const* places, MPI_Datatype const* types, void* to,
                                int const* rooms, MPI_Aint const* into_places, MPI_Datatype const* intos, MPI_Comm communicator,
                                MPI_Info info, MPI_Request* request);

/* The functions above, with large counts. */
int MPI_Bcast_init_c(void* buffer, MPI_Count count, MPI_Datatype type, int root, MPI_Comm communicator, MPI_Info info,
                     MPI_Request* request);
int MPI_Gather_init_c(void const* from, MPI_Count count, MPI_Datatype type, void* to, MPI_Count room, MPI_Datatype into, int root,
                      MPI_Comm communicator, MPI_Info info, MPI_Request* request);
int MPI_Gatherv_init_c(void const* from, MPI_Count count, MPI_Datatype type, void* to, MPI_Count const* rooms,
                       MPI_Aint const* places, MPI_Datatype into, int root, MPI_Comm communicator, MPI_Info info,
                       MPI_Request* request);
int MPI_Scatter_init_c(void const* from, MPI_Count count, MPI_Datatype type, void* to, MPI_Count room, MPI_Datatype into, int root,
                       MPI_Comm communicator, MPI_Info info, MPI_Request* request);
int MPI_Scatterv_init_c(void const* from, MPI_Count const* counts, MPI_Aint const* places, MPI_Datatype type, void* to,
                        MPI_Count room, MPI_Datatype into, int root, MPI_Comm communicator, MPI_Info info, MPI_Request* request);
int MPI_Allgather_init_c(void const* from, MPI_Count count, MPI_Datatype type, void* to, MPI_Count room, MPI_Datatype into,
                         MPI_Comm communicator, MPI_Info info, MPI_Request* request);
int MPI_Allgatherv_init_c(void const* from, MPI_Count count, MPI_Datatype type, void* to, MPI_Count const* rooms,
                          MPI_Aint const* places, MPI_Datatype into, MPI_Comm communicator, MPI_Info info, MPI_Request* request);
int MPI_Alltoall_init_c(void const* from, MPI_Count count, MPI_Datatype type, void* to, MPI_Count room, MPI_Datatype into,
                        MPI_Comm communicator, MPI_Info info, MPI_Request* request);
int MPI_Alltoallv_init_c(void const* from, MPI_Count const* counts, MPI_Aint const* places, MPI_Datatype type, void* to,
                         MPI_Count const* rooms, MPI_Aint const* into_places, MPI_Datatype into, MPI_Comm communicator,
                         MPI_Info info, MPI_Request* request);
int MPI_Alltoallw_init_c(void const* from, MPI_Count const* counts, MPI_Aint const* places, MPI_Datatype const* types, void* to,
                         MPI_Count const* rooms, MPI_Aint const* into_places, MPI_Datatype const* intos, MPI_Comm communicator,
                         MPI_Info info, MPI_Request* request);
int MPI_Reduce_init_c(void const* from, void* to, MPI_Count count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm communicator,
                      MPI_Info info, MPI_Request* request);
int MPI_Allreduce_init_c(void const* from, void* to, MPI_Count count, MPI_Datatype type, MPI_Op op, MPI_Comm communicator,
                         MPI_Info info, MPI_Request* request);
int MPI_Reduce_scatter_block_init_c(void const* from, void* to, MPI_Count count, MPI_Datatype type, MPI_Op op,
                                    MPI_Comm communicator, MPI_Info info, MPI_Request* request);
int MPI_Reduce_scatter_init_c(void const* from, void* to, MPI_Count const* counts, MPI_Datatype type, MPI_Op op,
                              MPI_Comm communicator, MPI_Info info, MPI_Request* request);
int MPI_Scan_init_c(void const* from, void* to, MPI_Count count, MPI_Datatype type, MPI_Op op, MPI_Comm communicator, MPI_Info info,
                    MPI_Request* request);
int MPI_Exscan_init_c(void const* from, void* to, MPI_Count count, MPI_Datatype type, MPI_Op op, MPI_Comm communicator,
                      MPI_Info info, MPI_Request* request);
int MPI_Neighbor_allgather_init_c(void const* from, MPI_Count count, MPI_Datatype type, void* to, MPI_Count room, MPI_Datatype into,
                                  MPI_Comm communicator, MPI_Info info, MPI_Request* request);
int MPI_Neighbor_allgatherv_init_c(void const* from, MPI_Count count, MPI_Datatype type, void* to, MPI_Count const* rooms,
                                   MPI_Aint const* places, MPI_Datatype into, MPI_Comm communicator, MPI_Info info,
                                   MPI_Request* request);
int MPI_Neighbor_alltoall_init_c(void const* from, MPI_Count count, MPI_Datatype type, void* to, MPI_Count room, MPI_Datatype into,
                                 MPI_Comm communicator, MPI_Info info, MPI_Request* request);
int MPI_Neighbor_alltoallv_init_c(void const* from, MPI_Count const* counts, MPI_Aint const* places, MPI_Datatype type, void* to,
                                  MPI_Count const* rooms, MPI_Aint const* into_places, MPI_Datatype into, MPI_Comm communicator,
                                  MPI_Info info, MPI_Request* request);
int MPI_Neighbor_alltoallw_init_c(void const* from, MPI_Count const* counts, MPI_Aint const* places, MPI_Datatype const* types,
                                  void* to, MPI_Count const* rooms, MPI_Aint const* into_places, MPI_Datatype const* intos,
                                  MPI_Comm communicator, MPI_Info info, MPI_Request* request);

#ifdef __cplusplus
}
#endif
#endif /* MPI_VERSION < 4 */

#endif /* SODE_MPI4_H */
