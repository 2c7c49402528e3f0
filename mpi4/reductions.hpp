// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "mpi4/counts.hpp"
#include "mpi4/repeated.hpp"

#include <numeric>

/// What begins each of the persistent collectives that combine.
namespace sode::internal::mpi4::init {

template <class N>
int reduce_init(void const* from, void* to, N count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm communicator,
                MPI_Info /*info*/, MPI_Request* request) {
    counts fit{communicator};
    auto const n = fit(count);
    if (int const error = fit.error(); error != MPI_SUCCESS) return error;
    held_arguments held;
    auto const t = held.type(type);
    auto const o = held.op(op);
    return make_repeated(
        communicator, std::move(held),
        [=](MPI_Comm own, MPI_Request* now) { return SODE_MPI4_OF(N, PMPI_Ireduce)(from, to, n, t, o, root, own, now); }, request,
        persistent_arguments{
            .what = planned_function::reduce, .from = from, .count = n, .type = t, .to = to, .op = o, .root = root});
}

// Those that take the same arguments.
#define SODE_MPI4_REDUCTION(name, function, what_)                                                                                 \
    template <class N>                                                                                                             \
    int name(void const* from, void* to, N count, MPI_Datatype type, MPI_Op op, MPI_Comm communicator, MPI_Info /*info*/,          \
             MPI_Request* request) {                                                                                               \
        counts fit{communicator};                                                                                                  \
        auto const n = fit(count);                                                                                                 \
        if (int const error = fit.error(); error != MPI_SUCCESS) return error;                                                     \
        held_arguments held;                                                                                                       \
        auto const t = held.type(type);                                                                                            \
        auto const o = held.op(op);                                                                                                \
        return make_repeated(                                                                                                      \
            communicator, std::move(held),                                                                                         \
            [=](MPI_Comm own, MPI_Request* now) { return SODE_MPI4_OF(N, function)(from, to, n, t, o, own, now); }, request,       \
            persistent_arguments{.what = planned_function::what_, .from = from, .count = n, .type = t, .to = to, .op = o});        \
    }
SODE_MPI4_REDUCTION(allreduce_init, PMPI_Iallreduce, allreduce)
SODE_MPI4_REDUCTION(reduce_scatter_block_init, PMPI_Ireduce_scatter_block, reduce_scatter_block)
SODE_MPI4_REDUCTION(scan_init, PMPI_Iscan, scan)
SODE_MPI4_REDUCTION(exscan_init, PMPI_Iexscan, exscan)
#undef SODE_MPI4_REDUCTION

template <class N>
int reduce_scatter_init(void const* from, void* to, N const* ns, MPI_Datatype type, MPI_Op op, MPI_Comm communicator,
                        MPI_Info /*info*/, MPI_Request* request) {
    int const ranks = ranks_of(communicator);
    counts fit{communicator};
    auto const n = fit(ns, ranks);
    if (int const error = fit.error(); error != MPI_SUCCESS) return error;
    held_arguments held;
    auto const t = held.type(type);
    auto const o = held.op(op);
    return make_repeated(
        communicator, std::move(held),
        [=](MPI_Comm own, MPI_Request* now) { return SODE_MPI4_OF(N, PMPI_Ireduce_scatter)(from, to, n.get(), t, o, own, now); },
        request,
        persistent_arguments{.what = planned_function::reduce_scatter,
                             .from = from,
                             .count = std::accumulate(n.get(), n.get() + ranks, MPI_Count{0}),
                             .type = t,
                             .to = to,
                             .op = o,
                             .given = {.counts = listed<MPI_Count>(n, ranks)}});
}

} // namespace sode::internal::mpi4::init
