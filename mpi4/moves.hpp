// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "mpi4/counts.hpp"
#include "mpi4/repeated.hpp"

#include <vector>

/// What begins each of the persistent collectives that move bytes. Arguments that mean nothing on this rank are passed on as they
/// are, unread.
namespace sode::internal::mpi4::init {

inline int barrier_init(MPI_Comm communicator, MPI_Info /*info*/, MPI_Request* request) {
    return make_repeated(
        communicator, {}, [](MPI_Comm own, MPI_Request* now) { return PMPI_Ibarrier(own, now); }, request,
        persistent_arguments{.what = planned_function::barrier});
}

/// Between groups, as an exchange of which one rank gives: MPICH 4.0 gets MPI_Ibcast wrong there, if the datatype has gaps and the
/// root is not the first of its group.
template <class N>
int bcast_between_groups(void* buffer, carried<N> n, MPI_Datatype type, int root, MPI_Comm communicator, MPI_Request* request) {
    auto const parts = static_cast<std::size_t>(parts_of(communicator));
    struct lists {
        std::vector<carried<N>> gives, takes;
        std::vector<carried_place<N>> places;
        std::vector<MPI_Datatype> types;
    };
    auto const all = std::make_shared<lists>();
    all->gives.assign(parts, root == MPI_ROOT ? n : carried<N>{});
    all->takes.assign(parts, carried<N>{});
    if (root >= 0 && static_cast<std::size_t>(root) < parts) all->takes[static_cast<std::size_t>(root)] = n;
    all->places.assign(parts, carried_place<N>{});
    held_arguments held;
    all->types.assign(parts, held.type(type));
    return make_repeated(
        communicator, std::move(held),
        [=](MPI_Comm own, MPI_Request* now) {
            auto const& [gives, takes, places, types] = *all;
            return SODE_MPI4_OF(N, PMPI_Ialltoallw)(buffer, gives.data(), places.data(), types.data(), buffer, takes.data(),
                                                    places.data(), types.data(), own, now);
        },
        request);
}

template <class N>
int bcast_init(void* buffer, N count, MPI_Datatype type, int root, MPI_Comm communicator, MPI_Info /*info*/, MPI_Request* request) {
    counts fit{communicator};
    auto const n = fit(count);
    if (int const error = fit.error(); error != MPI_SUCCESS) return error;
    if (is_between_groups(communicator)) return bcast_between_groups<N>(buffer, n, type, root, communicator, request);
    held_arguments held;
    auto const t = held.type(type);
    return make_repeated(
        communicator, std::move(held),
        [=](MPI_Comm own, MPI_Request* now) { return SODE_MPI4_OF(N, PMPI_Ibcast)(buffer, n, t, root, own, now); }, request,
        persistent_arguments{.what = planned_function::bcast, .count = n, .type = t, .to = buffer, .root = root});
}

template <class N>
int gather_init(void const* from, N count, MPI_Datatype type, void* to, N room, MPI_Datatype into, int root, MPI_Comm communicator,
                MPI_Info /*info*/, MPI_Request* request) {
    auto const [is_root, is_leaf] = roles_of(communicator, root);
    counts fit{communicator};
    bool const gives = is_leaf && from != MPI_IN_PLACE;
    auto const n = gives ? fit(count) : carried<N>{};
    auto const m = is_root ? fit(room) : carried<N>{};
    if (int const error = fit.error(); error != MPI_SUCCESS) return error;
    held_arguments held;
    auto const t = held.type(type, gives), u = held.type(into, is_root);
    return make_repeated(
        communicator, std::move(held),
        [=](MPI_Comm own, MPI_Request* now) { return SODE_MPI4_OF(N, PMPI_Igather)(from, n, t, to, m, u, root, own, now); },
        request,
        persistent_arguments{
            .what = planned_function::gather, .from = from, .count = n, .type = t, .to = to, .room = m, .into = u, .root = root});
}

template <class N, class P>
int gatherv_init(void const* from, N count, MPI_Datatype type, void* to, N const* rooms, P const* places, MPI_Datatype into,
                 int root, MPI_Comm communicator, MPI_Info /*info*/, MPI_Request* request) {
    auto const [is_root, is_leaf] = roles_of(communicator, root);
    int const parts = parts_of(communicator);
    counts fit{communicator};
    bool const gives = is_leaf && from != MPI_IN_PLACE;
    auto const n = gives ? fit(count) : carried<N>{};
    auto const m = fit(rooms, parts, is_root);
    auto const p = fit(places, parts, is_root);
    if (int const error = fit.error(); error != MPI_SUCCESS) return error;
    held_arguments held;
    auto const t = held.type(type, gives), u = held.type(into, is_root);
    return make_repeated(
        communicator, std::move(held),
        [=](MPI_Comm own, MPI_Request* now) {
            return SODE_MPI4_OF(N, PMPI_Igatherv)(from, n, t, to, m.get(), p.get(), u, root, own, now);
        },
        request,
        persistent_arguments{.what = planned_function::gatherv,
                             .from = from,
                             .count = n,
                             .type = t,
                             .to = to,
                             .into = u,
                             .root = root,
                             .got = listed_parts(m, p, parts)});
}

template <class N>
int scatter_init(void const* from, N count, MPI_Datatype type, void* to, N room, MPI_Datatype into, int root, MPI_Comm communicator,
                 MPI_Info /*info*/, MPI_Request* request) {
    auto const [is_root, is_leaf] = roles_of(communicator, root);
    counts fit{communicator};
    bool const takes = is_leaf && to != MPI_IN_PLACE;
    auto const n = is_root ? fit(count) : carried<N>{};
    auto const m = takes ? fit(room) : carried<N>{};
    if (int const error = fit.error(); error != MPI_SUCCESS) return error;
    held_arguments held;
    auto const t = held.type(type, is_root), u = held.type(into, takes);
    return make_repeated(
        communicator, std::move(held),
        [=](MPI_Comm own, MPI_Request* now) { return SODE_MPI4_OF(N, PMPI_Iscatter)(from, n, t, to, m, u, root, own, now); },
        request,
        persistent_arguments{
            .what = planned_function::scatter, .from = from, .count = n, .type = t, .to = to, .room = m, .into = u, .root = root});
}

template <class N, class P>
int scatterv_init(void const* from, N const* ns, P const* places, MPI_Datatype type, void* to, N room, MPI_Datatype into, int root,
                  MPI_Comm communicator, MPI_Info /*info*/, MPI_Request* request) {
    auto const [is_root, is_leaf] = roles_of(communicator, root);
    int const parts = parts_of(communicator);
    counts fit{communicator};
    bool const takes = is_leaf && to != MPI_IN_PLACE;
    auto const n = fit(ns, parts, is_root);
    auto const p = fit(places, parts, is_root);
    auto const m = takes ? fit(room) : carried<N>{};
    if (int const error = fit.error(); error != MPI_SUCCESS) return error;
    held_arguments held;
    auto const t = held.type(type, is_root), u = held.type(into, takes);
    return make_repeated(
        communicator, std::move(held),
        [=](MPI_Comm own, MPI_Request* now) {
            return SODE_MPI4_OF(N, PMPI_Iscatterv)(from, n.get(), p.get(), t, to, m, u, root, own, now);
        },
        request,
        persistent_arguments{.what = planned_function::scatterv,
                             .from = from,
                             .type = t,
                             .to = to,
                             .room = m,
                             .into = u,
                             .root = root,
                             .given = listed_parts(n, p, parts)});
}

template <class N>
int allgather_init(void const* from, N count, MPI_Datatype type, void* to, N room, MPI_Datatype into, MPI_Comm communicator,
                   MPI_Info /*info*/, MPI_Request* request) {
    counts fit{communicator};
    bool const gives = from != MPI_IN_PLACE;
    auto const n = gives ? fit(count) : carried<N>{};
    auto const m = fit(room);
    if (int const error = fit.error(); error != MPI_SUCCESS) return error;
    held_arguments held;
    auto const t = held.type(type, gives), u = held.type(into);
    return make_repeated(
        communicator, std::move(held),
        [=](MPI_Comm own, MPI_Request* now) { return SODE_MPI4_OF(N, PMPI_Iallgather)(from, n, t, to, m, u, own, now); }, request,
        persistent_arguments{
            .what = planned_function::allgather, .from = from, .count = n, .type = t, .to = to, .room = m, .into = u});
}

template <class N, class P>
int allgatherv_init(void const* from, N count, MPI_Datatype type, void* to, N const* rooms, P const* places, MPI_Datatype into,
                    MPI_Comm communicator, MPI_Info /*info*/, MPI_Request* request) {
    int const parts = parts_of(communicator);
    counts fit{communicator};
    bool const gives = from != MPI_IN_PLACE;
    auto const n = gives ? fit(count) : carried<N>{};
    auto const m = fit(rooms, parts);
    auto const p = fit(places, parts);
    if (int const error = fit.error(); error != MPI_SUCCESS) return error;
    held_arguments held;
    auto const t = held.type(type, gives), u = held.type(into);
    return make_repeated(
        communicator, std::move(held),
        [=](MPI_Comm own, MPI_Request* now) {
            return SODE_MPI4_OF(N, PMPI_Iallgatherv)(from, n, t, to, m.get(), p.get(), u, own, now);
        },
        request,
        persistent_arguments{.what = planned_function::allgatherv,
                             .from = from,
                             .count = n,
                             .type = t,
                             .to = to,
                             .into = u,
                             .got = listed_parts(m, p, parts)});
}

template <class N>
int alltoall_init(void const* from, N count, MPI_Datatype type, void* to, N room, MPI_Datatype into, MPI_Comm communicator,
                  MPI_Info /*info*/, MPI_Request* request) {
    counts fit{communicator};
    bool const gives = from != MPI_IN_PLACE;
    auto const n = gives ? fit(count) : carried<N>{};
    auto const m = fit(room);
    if (int const error = fit.error(); error != MPI_SUCCESS) return error;
    held_arguments held;
    auto const t = held.type(type, gives), u = held.type(into);
    return make_repeated(
        communicator, std::move(held),
        [=](MPI_Comm own, MPI_Request* now) { return SODE_MPI4_OF(N, PMPI_Ialltoall)(from, n, t, to, m, u, own, now); }, request,
        persistent_arguments{
            .what = planned_function::alltoall, .from = from, .count = n, .type = t, .to = to, .room = m, .into = u});
}

template <class N, class P>
int alltoallv_init(void const* from, N const* ns, P const* places, MPI_Datatype type, void* to, N const* rooms,
                   P const* into_places, MPI_Datatype into, MPI_Comm communicator, MPI_Info /*info*/, MPI_Request* request) {
    int const parts = parts_of(communicator);
    counts fit{communicator};
    bool const gives = from != MPI_IN_PLACE;
    auto const n = fit(ns, parts, gives);
    auto const p = fit(places, parts, gives);
    auto const m = fit(rooms, parts);
    auto const q = fit(into_places, parts);
    if (int const error = fit.error(); error != MPI_SUCCESS) return error;
    held_arguments held;
    auto const t = held.type(type, gives), u = held.type(into);
    return make_repeated(
        communicator, std::move(held),
        [=](MPI_Comm own, MPI_Request* now) {
            return SODE_MPI4_OF(N, PMPI_Ialltoallv)(from, n.get(), p.get(), t, to, m.get(), q.get(), u, own, now);
        },
        request,
        persistent_arguments{.what = planned_function::alltoallv,
                             .from = from,
                             .type = t,
                             .to = to,
                             .into = u,
                             .given = listed_parts(n, p, parts),
                             .got = listed_parts(m, q, parts)});
}

template <class N, class P>
int alltoallw_init(void const* from, N const* ns, P const* places, MPI_Datatype const* types, void* to, N const* rooms,
                   P const* into_places, MPI_Datatype const* intos, MPI_Comm communicator, MPI_Info /*info*/,
                   MPI_Request* request) {
    int const parts = parts_of(communicator);
    counts fit{communicator};
    bool const gives = from != MPI_IN_PLACE;
    auto const n = fit(ns, parts, gives);
    auto const p = fit(places, parts, gives);
    auto const m = fit(rooms, parts);
    auto const q = fit(into_places, parts);
    if (int const error = fit.error(); error != MPI_SUCCESS) return error;
    held_arguments held;
    auto const t = held.types(types, parts, gives), u = held.types(intos, parts);
    return make_repeated(
        communicator, std::move(held),
        [=](MPI_Comm own, MPI_Request* now) {
            return SODE_MPI4_OF(N, PMPI_Ialltoallw)(from, n.get(), p.get(), t.get(), to, m.get(), q.get(), u.get(), own, now);
        },
        request,
        persistent_arguments{.what = planned_function::alltoallw,
                             .from = from,
                             .to = to,
                             .given = listed_parts(n, p, parts, t),
                             .got = listed_parts(m, q, parts, u)});
}

} // namespace sode::internal::mpi4::init
