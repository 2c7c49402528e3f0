// SPDX-License-Identifier: Apache-2.0
#pragma once
// The 22 persistent collectives, each beside the blocking one.
#include <sode/mpi4.h>

#include <functional>
#include <vector>

// What a call gets. Counts of all ranks are drawn alike.
struct arguments {
    MPI_Comm on = MPI_COMM_NULL;
    int ranks = 0, rank = 0, parts = 0, sources = 0, targets = 0;
    bool inter = false, in_place = false;
    int n = 0, root = 0;
    std::vector<int> gives, takes, gives_at, takes_at; // v forms, by part; places in elements
    std::vector<MPI_Count> large_gives, large_takes;
    std::vector<MPI_Aint> large_gives_at, large_takes_at;
    std::vector<int> gives_bytes_at, takes_bytes_at;
    std::vector<MPI_Aint> gives_address, takes_address, large_gives_bytes_at, large_takes_bytes_at;
    std::vector<MPI_Datatype> types;
    std::vector<int> shares; // reduce_scatter
    std::vector<MPI_Count> large_shares;
    MPI_Datatype type = MPI_INT;
    MPI_Op op = MPI_SUM;
    bool derived = false, users = false; // datatype and operator
    [[nodiscard]] bool is_root() const { return inter ? root == MPI_ROOT : rank == root; }
};

struct kind {
    char const* name;
    bool neighbours, reduces, rooted, can_be_in_place, can_be_inter;
    std::function<int(arguments const&, void*, void*, MPI_Request*, bool)> init; // the last: with large counts
    std::function<int(arguments const&, void*, void*)> call;
};

// The buffers that a call is given, where it is in place.
inline void* sent(arguments const& a, void* from) {
    return a.in_place ? MPI_IN_PLACE : from;
}

#define INFO MPI_INFO_NULL
inline std::vector<kind> kinds() {
    using A = arguments const&;
    return {
        {"barrier", false, false, false, false, true,
         [](A a, void*, void*, MPI_Request* q, bool) { return MPI_Barrier_init(a.on, INFO, q); },
         [](A a, void*, void*) { return MPI_Barrier(a.on); }},
        {"bcast", false, false, true, false, true,
         [](A a, void*, void* to, MPI_Request* q, bool c) {
             return c ? MPI_Bcast_init_c(to, a.n, a.type, a.root, a.on, INFO, q)
                      : MPI_Bcast_init(to, a.n, a.type, a.root, a.on, INFO, q);
         },
         [](A a, void*, void* to) { return MPI_Bcast(to, a.n, a.type, a.root, a.on); }},
        {"gather", false, false, true, true, true,
         [](A a, void* f, void* to, MPI_Request* q, bool c) {
             auto* const from = a.in_place && a.is_root() ? MPI_IN_PLACE : f;
             return c ? MPI_Gather_init_c(from, a.n, a.type, to, a.n, a.type, a.root, a.on, INFO, q)
                      : MPI_Gather_init(from, a.n, a.type, to, a.n, a.type, a.root, a.on, INFO, q);
         },
         [](A a, void* f, void* to) {
             return MPI_Gather(a.in_place && a.is_root() ? MPI_IN_PLACE : f, a.n, a.type, to, a.n, a.type, a.root, a.on);
         }},
        {"gatherv", false, false, true, true, true,
         [](A a, void* f, void* to, MPI_Request* q, bool c) {
             auto const mine = a.takes[static_cast<std::size_t>(a.inter ? 0 : a.rank)];
             auto* const from = a.in_place && a.is_root() ? MPI_IN_PLACE : f;
             return c ? MPI_Gatherv_init_c(from, mine, a.type, to, a.large_takes.data(), a.large_takes_at.data(), a.type, a.root,
                                           a.on, INFO, q)
                      : MPI_Gatherv_init(from, mine, a.type, to, a.takes.data(), a.takes_at.data(), a.type, a.root, a.on, INFO, q);
         },
         [](A a, void* f, void* to) {
             auto const mine = a.takes[static_cast<std::size_t>(a.inter ? 0 : a.rank)];
             return MPI_Gatherv(a.in_place && a.is_root() ? MPI_IN_PLACE : f, mine, a.type, to, a.takes.data(), a.takes_at.data(),
                                a.type, a.root, a.on);
         }},
        {"scatter", false, false, true, true, true,
         [](A a, void* f, void* t, MPI_Request* q, bool c) {
             auto* const to = a.in_place && a.is_root() ? MPI_IN_PLACE : t;
             return c ? MPI_Scatter_init_c(f, a.n, a.type, to, a.n, a.type, a.root, a.on, INFO, q)
                      : MPI_Scatter_init(f, a.n, a.type, to, a.n, a.type, a.root, a.on, INFO, q);
         },
         [](A a, void* f, void* t) {
             return MPI_Scatter(f, a.n, a.type, a.in_place && a.is_root() ? MPI_IN_PLACE : t, a.n, a.type, a.root, a.on);
         }},
        {"scatterv", false, false, true, true, true,
         [](A a, void* f, void* t, MPI_Request* q, bool c) {
             auto* const to = a.in_place && a.is_root() ? MPI_IN_PLACE : t;
             auto const mine = a.takes[static_cast<std::size_t>(a.inter ? 0 : a.rank)];
             return c ? MPI_Scatterv_init_c(f, a.large_takes.data(), a.large_takes_at.data(), a.type, to, mine, a.type, a.root,
                                            a.on, INFO, q)
                      : MPI_Scatterv_init(f, a.takes.data(), a.takes_at.data(), a.type, to, mine, a.type, a.root, a.on, INFO, q);
         },
         [](A a, void* f, void* to) {
             auto const mine = a.takes[static_cast<std::size_t>(a.inter ? 0 : a.rank)];
             return MPI_Scatterv(f, a.takes.data(), a.takes_at.data(), a.type, a.in_place && a.is_root() ? MPI_IN_PLACE : to, mine,
                                 a.type, a.root, a.on);
         }},
        {"allgather", false, false, false, true, true,
         [](A a, void* f, void* to, MPI_Request* q, bool c) {
             return c ? MPI_Allgather_init_c(sent(a, f), a.n, a.type, to, a.n, a.type, a.on, INFO, q)
                      : MPI_Allgather_init(sent(a, f), a.n, a.type, to, a.n, a.type, a.on, INFO, q);
         },
         [](A a, void* f, void* to) { return MPI_Allgather(sent(a, f), a.n, a.type, to, a.n, a.type, a.on); }},
        {"allgatherv", false, false, false, true, true,
         [](A a, void* f, void* to, MPI_Request* q, bool c) {
             auto const mine = a.takes[static_cast<std::size_t>(a.inter ? 0 : a.rank)];
             return c ? MPI_Allgatherv_init_c(sent(a, f), mine, a.type, to, a.large_takes.data(), a.large_takes_at.data(), a.type,
                                              a.on, INFO, q)
                      : MPI_Allgatherv_init(sent(a, f), mine, a.type, to, a.takes.data(), a.takes_at.data(), a.type, a.on, INFO, q);
         },
         [](A a, void* f, void* to) {
             auto const mine = a.takes[static_cast<std::size_t>(a.inter ? 0 : a.rank)];
             return MPI_Allgatherv(sent(a, f), mine, a.type, to, a.takes.data(), a.takes_at.data(), a.type, a.on);
         }},
        {"alltoall", false, false, false, true, true,
         [](A a, void* f, void* to, MPI_Request* q, bool c) {
             return c ? MPI_Alltoall_init_c(sent(a, f), a.n, a.type, to, a.n, a.type, a.on, INFO, q)
                      : MPI_Alltoall_init(sent(a, f), a.n, a.type, to, a.n, a.type, a.on, INFO, q);
         },
         [](A a, void* f, void* to) { return MPI_Alltoall(sent(a, f), a.n, a.type, to, a.n, a.type, a.on); }},
        {"alltoallv", false, false, false, true, true,
         [](A a, void* f, void* to, MPI_Request* q, bool c) {
             return c ? MPI_Alltoallv_init_c(sent(a, f), a.large_gives.data(), a.large_gives_at.data(), a.type, to,
                                             a.large_takes.data(), a.large_takes_at.data(), a.type, a.on, INFO, q)
                      : MPI_Alltoallv_init(sent(a, f), a.gives.data(), a.gives_at.data(), a.type, to, a.takes.data(),
                                           a.takes_at.data(), a.type, a.on, INFO, q);
         },
         [](A a, void* f, void* to) {
             return MPI_Alltoallv(sent(a, f), a.gives.data(), a.gives_at.data(), a.type, to, a.takes.data(), a.takes_at.data(),
                                  a.type, a.on);
         }},
        {"alltoallw", false, false, false, true, true,
         [](A a, void* f, void* to, MPI_Request* q, bool c) {
             return c ? MPI_Alltoallw_init_c(sent(a, f), a.large_gives.data(), a.large_gives_bytes_at.data(), a.types.data(), to,
                                             a.large_takes.data(), a.large_takes_bytes_at.data(), a.types.data(), a.on, INFO, q)
                      : MPI_Alltoallw_init(sent(a, f), a.gives.data(), a.gives_bytes_at.data(), a.types.data(), to, a.takes.data(),
                                           a.takes_bytes_at.data(), a.types.data(), a.on, INFO, q);
         },
         [](A a, void* f, void* to) {
             return MPI_Alltoallw(sent(a, f), a.gives.data(), a.gives_bytes_at.data(), a.types.data(), to, a.takes.data(),
                                  a.takes_bytes_at.data(), a.types.data(), a.on);
         }},
        {"reduce", false, true, true, true, true,
         [](A a, void* f, void* to, MPI_Request* q, bool c) {
             auto* const from = a.in_place && a.is_root() ? MPI_IN_PLACE : f;
             return c ? MPI_Reduce_init_c(from, to, a.n, a.type, a.op, a.root, a.on, INFO, q)
                      : MPI_Reduce_init(from, to, a.n, a.type, a.op, a.root, a.on, INFO, q);
         },
         [](A a, void* f, void* to) {
             return MPI_Reduce(a.in_place && a.is_root() ? MPI_IN_PLACE : f, to, a.n, a.type, a.op, a.root, a.on);
         }},
        {"allreduce", false, true, false, true, true,
         [](A a, void* f, void* to, MPI_Request* q, bool c) {
             return c ? MPI_Allreduce_init_c(sent(a, f), to, a.n, a.type, a.op, a.on, INFO, q)
                      : MPI_Allreduce_init(sent(a, f), to, a.n, a.type, a.op, a.on, INFO, q);
         },
         [](A a, void* f, void* to) { return MPI_Allreduce(sent(a, f), to, a.n, a.type, a.op, a.on); }},
        {"reduce_scatter_block", false, true, false, true, false,
         [](A a, void* f, void* to, MPI_Request* q, bool c) {
             return c ? MPI_Reduce_scatter_block_init_c(sent(a, f), to, a.n, a.type, a.op, a.on, INFO, q)
                      : MPI_Reduce_scatter_block_init(sent(a, f), to, a.n, a.type, a.op, a.on, INFO, q);
         },
         [](A a, void* f, void* to) { return MPI_Reduce_scatter_block(sent(a, f), to, a.n, a.type, a.op, a.on); }},
        {"reduce_scatter", false, true, false, true, false,
         [](A a, void* f, void* to, MPI_Request* q, bool c) {
             return c ? MPI_Reduce_scatter_init_c(sent(a, f), to, a.large_shares.data(), a.type, a.op, a.on, INFO, q)
                      : MPI_Reduce_scatter_init(sent(a, f), to, a.shares.data(), a.type, a.op, a.on, INFO, q);
         },
         [](A a, void* f, void* to) { return MPI_Reduce_scatter(sent(a, f), to, a.shares.data(), a.type, a.op, a.on); }},
        {"scan", false, true, false, true, false,
         [](A a, void* f, void* to, MPI_Request* q, bool c) {
             return c ? MPI_Scan_init_c(sent(a, f), to, a.n, a.type, a.op, a.on, INFO, q)
                      : MPI_Scan_init(sent(a, f), to, a.n, a.type, a.op, a.on, INFO, q);
         },
         [](A a, void* f, void* to) { return MPI_Scan(sent(a, f), to, a.n, a.type, a.op, a.on); }},
        {"exscan", false, true, false, true, false,
         [](A a, void* f, void* to, MPI_Request* q, bool c) {
             return c ? MPI_Exscan_init_c(sent(a, f), to, a.n, a.type, a.op, a.on, INFO, q)
                      : MPI_Exscan_init(sent(a, f), to, a.n, a.type, a.op, a.on, INFO, q);
         },
         [](A a, void* f, void* to) { return MPI_Exscan(sent(a, f), to, a.n, a.type, a.op, a.on); }},
        {"neighbor_allgather", true, false, false, false, false,
         [](A a, void* f, void* to, MPI_Request* q, bool c) {
             return c ? MPI_Neighbor_allgather_init_c(f, a.n, a.type, to, a.n, a.type, a.on, INFO, q)
                      : MPI_Neighbor_allgather_init(f, a.n, a.type, to, a.n, a.type, a.on, INFO, q);
         },
         [](A a, void* f, void* to) { return MPI_Neighbor_allgather(f, a.n, a.type, to, a.n, a.type, a.on); }},
        {"neighbor_allgatherv", true, false, false, false, false,
         [](A a, void* f, void* to, MPI_Request* q, bool c) {
             return c ? MPI_Neighbor_allgatherv_init_c(f, a.n, a.type, to, a.large_takes.data(), a.large_takes_at.data(), a.type,
                                                       a.on, INFO, q)
                      : MPI_Neighbor_allgatherv_init(f, a.n, a.type, to, a.takes.data(), a.takes_at.data(), a.type, a.on, INFO, q);
         },
         [](A a, void* f, void* to) {
             return MPI_Neighbor_allgatherv(f, a.n, a.type, to, a.takes.data(), a.takes_at.data(), a.type, a.on);
         }},
        {"neighbor_alltoall", true, false, false, false, false,
         [](A a, void* f, void* to, MPI_Request* q, bool c) {
             return c ? MPI_Neighbor_alltoall_init_c(f, a.n, a.type, to, a.n, a.type, a.on, INFO, q)
                      : MPI_Neighbor_alltoall_init(f, a.n, a.type, to, a.n, a.type, a.on, INFO, q);
         },
         [](A a, void* f, void* to) { return MPI_Neighbor_alltoall(f, a.n, a.type, to, a.n, a.type, a.on); }},
        {"neighbor_alltoallv", true, false, false, false, false,
         [](A a, void* f, void* to, MPI_Request* q, bool c) {
             return c ? MPI_Neighbor_alltoallv_init_c(f, a.large_gives.data(), a.large_gives_at.data(), a.type, to,
                                                      a.large_takes.data(), a.large_takes_at.data(), a.type, a.on, INFO, q)
                      : MPI_Neighbor_alltoallv_init(f, a.gives.data(), a.gives_at.data(), a.type, to, a.takes.data(),
                                                    a.takes_at.data(), a.type, a.on, INFO, q);
         },
         [](A a, void* f, void* to) {
             return MPI_Neighbor_alltoallv(f, a.gives.data(), a.gives_at.data(), a.type, to, a.takes.data(), a.takes_at.data(),
                                           a.type, a.on);
         }},
        {"neighbor_alltoallw", true, false, false, false, false,
         [](A a, void* f, void* to, MPI_Request* q, bool c) {
             return c ? MPI_Neighbor_alltoallw_init_c(f, a.large_gives.data(), a.gives_address.data(), a.types.data(), to,
                                                      a.large_takes.data(), a.takes_address.data(), a.types.data(), a.on, INFO, q)
                      : MPI_Neighbor_alltoallw_init(f, a.gives.data(), a.gives_address.data(), a.types.data(), to, a.takes.data(),
                                                    a.takes_address.data(), a.types.data(), a.on, INFO, q);
         },
         [](A a, void* f, void* to) {
             return MPI_Neighbor_alltoallw(f, a.gives.data(), a.gives_address.data(), a.types.data(), to, a.takes.data(),
                                           a.takes_address.data(), a.types.data(), a.on);
         }}};
}
#undef INFO
