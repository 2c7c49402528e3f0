// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "mpi4/counts.hpp"
#include "mpi4/repeated.hpp"

/// What begins each of the persistent collectives among neighbours of a topology.
namespace sode::internal::mpi4::init {

template <class N>
int neighbor_allgather_init(void const* from, N count, MPI_Datatype type, void* to, N room, MPI_Datatype into,
                            MPI_Comm communicator, MPI_Info /*info*/, MPI_Request* request) {
    counts fit{communicator};
    auto const n = fit(count), m = fit(room);
    if (int const error = fit.error(); error != MPI_SUCCESS) return error;
    held_arguments held;
    auto const t = held.type(type), u = held.type(into);
    return make_repeated(
        communicator, std::move(held),
        [=](MPI_Comm own, MPI_Request* now) { return SODE_MPI4_OF(N, PMPI_Ineighbor_allgather)(from, n, t, to, m, u, own, now); },
        request,
        persistent_arguments{
            .what = planned_function::neighbor_allgather, .from = from, .count = n, .type = t, .to = to, .room = m, .into = u});
}

template <class N, class P>
int neighbor_allgatherv_init(void const* from, N count, MPI_Datatype type, void* to, N const* rooms, P const* places,
                             MPI_Datatype into, MPI_Comm communicator, MPI_Info /*info*/, MPI_Request* request) {
    auto const [sources, targets] = neighbours_of(communicator);
    counts fit{communicator};
    auto const n = fit(count);
    auto const m = fit(rooms, sources);
    auto const p = fit(places, sources);
    if (int const error = fit.error(); error != MPI_SUCCESS) return error;
    held_arguments held;
    auto const t = held.type(type), u = held.type(into);
    return make_repeated(
        communicator, std::move(held),
        [=](MPI_Comm own, MPI_Request* now) {
            return SODE_MPI4_OF(N, PMPI_Ineighbor_allgatherv)(from, n, t, to, m.get(), p.get(), u, own, now);
        },
        request,
        persistent_arguments{.what = planned_function::neighbor_allgatherv,
                             .from = from,
                             .count = n,
                             .type = t,
                             .to = to,
                             .into = u,
                             .got = listed_parts(m, p, sources)});
}

template <class N>
int neighbor_alltoall_init(void const* from, N count, MPI_Datatype type, void* to, N room, MPI_Datatype into, MPI_Comm communicator,
                           MPI_Info /*info*/, MPI_Request* request) {
    counts fit{communicator};
    auto const n = fit(count), m = fit(room);
    if (int const error = fit.error(); error != MPI_SUCCESS) return error;
    held_arguments held;
    auto const t = held.type(type), u = held.type(into);
    return make_repeated(
        communicator, std::move(held),
        [=](MPI_Comm own, MPI_Request* now) { return SODE_MPI4_OF(N, PMPI_Ineighbor_alltoall)(from, n, t, to, m, u, own, now); },
        request,
        persistent_arguments{
            .what = planned_function::neighbor_alltoall, .from = from, .count = n, .type = t, .to = to, .room = m, .into = u});
}

template <class N, class P>
int neighbor_alltoallv_init(void const* from, N const* ns, P const* places, MPI_Datatype type, void* to, N const* rooms,
                            P const* into_places, MPI_Datatype into, MPI_Comm communicator, MPI_Info /*info*/,
                            MPI_Request* request) {
    auto const [sources, targets] = neighbours_of(communicator);
    counts fit{communicator};
    auto const n = fit(ns, targets);
    auto const p = fit(places, targets);
    auto const m = fit(rooms, sources);
    auto const q = fit(into_places, sources);
    if (int const error = fit.error(); error != MPI_SUCCESS) return error;
    held_arguments held;
    auto const t = held.type(type), u = held.type(into);
    return make_repeated(
        communicator, std::move(held),
        [=](MPI_Comm own, MPI_Request* now) {
            return SODE_MPI4_OF(N, PMPI_Ineighbor_alltoallv)(from, n.get(), p.get(), t, to, m.get(), q.get(), u, own, now);
        },
        request,
        persistent_arguments{.what = planned_function::neighbor_alltoallv,
                             .from = from,
                             .type = t,
                             .to = to,
                             .into = u,
                             .given = listed_parts(n, p, targets),
                             .got = listed_parts(m, q, sources)});
}

template <class N>
int neighbor_alltoallw_init(void const* from, N const* ns, MPI_Aint const* places, MPI_Datatype const* types, void* to,
                            N const* rooms, MPI_Aint const* into_places, MPI_Datatype const* intos, MPI_Comm communicator,
                            MPI_Info /*info*/, MPI_Request* request) {
    auto const [sources, targets] = neighbours_of(communicator);
    counts fit{communicator};
    auto const n = fit(ns, targets);
    auto const m = fit(rooms, sources);
    if (int const error = fit.error(); error != MPI_SUCCESS) return error;
    held_arguments held;
    auto const p = list(places, targets), q = list(into_places, sources);
    auto const t = held.types(types, targets), u = held.types(intos, sources);
    return make_repeated(
        communicator, std::move(held),
        [=](MPI_Comm own, MPI_Request* now) {
            return SODE_MPI4_OF(N, PMPI_Ineighbor_alltoallw)(from, n.get(), p.get(), t.get(), to, m.get(), q.get(), u.get(), own,
                                                             now);
        },
        request,
        persistent_arguments{.what = planned_function::neighbor_alltoallw,
                             .from = from,
                             .to = to,
                             .given = listed_parts(n, p, targets, t),
                             .got = listed_parts(m, q, sources, u)});
}

} // namespace sode::internal::mpi4::init
