// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interpose/collective/begun.hpp"

namespace sode::internal::interpose::wrap {

template <auto Next> int ibarrier(MPI_Comm communicator, MPI_Request* request) {
    entry const call;
    auto const begun = begun_barrier(call, communicator, request);
    return begun ? *begun : (call.next().*Next)(communicator, request);
}

template <auto Next, class Count>
int ibcast(void* buffer, Count count, MPI_Datatype type, int root, MPI_Comm communicator, MPI_Request* request) {
    entry const call;
    auto const begun = begun_bcast(call, buffer, count, type, root, communicator, request);
    return begun ? *begun : (call.next().*Next)(buffer, count, type, root, communicator, request);
}

template <auto Next, class Count>
int ireduce(void const* from, void* to, Count count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm communicator,
            MPI_Request* request) {
    entry const call;
    auto const begun = begun_reduction(call, planned_function::reduce, from, to, count, type, op, root, communicator, request);
    return begun ? *begun : (call.next().*Next)(from, to, count, type, op, root, communicator, request);
}

template <auto Next, planned_function What, class Count>
int ireduction(void const* from, void* to, Count count, MPI_Datatype type, MPI_Op op, MPI_Comm communicator, MPI_Request* request) {
    entry const call;
    auto const begun = begun_reduction(call, What, from, to, count, type, op, -1, communicator, request);
    return begun ? *begun : (call.next().*Next)(from, to, count, type, op, communicator, request);
}
template <auto Next, class... Arguments> int iallreduce(Arguments... a) {
    return ireduction<Next, planned_function::allreduce>(a...);
}
template <auto Next, class... Arguments> int ireduce_scatter_block(Arguments... a) {
    return ireduction<Next, planned_function::reduce_scatter_block>(a...);
}
template <auto Next, class... Arguments> int iscan(Arguments... a) {
    return ireduction<Next, planned_function::scan>(a...);
}
template <auto Next, class... Arguments> int iexscan(Arguments... a) {
    return ireduction<Next, planned_function::exscan>(a...);
}

template <auto Next, class Count>
int igather(void const* from, Count count, MPI_Datatype type, void* to, Count room, MPI_Datatype into, int root,
            MPI_Comm communicator, MPI_Request* request) {
    entry const call;
    auto const begun = begun_gather(call, from, count, type, to, room, into, root, communicator, request);
    return begun ? *begun : (call.next().*Next)(from, count, type, to, room, into, root, communicator, request);
}

template <auto Next, class Count>
int iscatter(void const* from, Count count, MPI_Datatype type, void* to, Count room, MPI_Datatype into, int root,
             MPI_Comm communicator, MPI_Request* request) {
    entry const call;
    auto const begun = begun_scatter(call, from, count, type, to, room, into, root, communicator, request);
    return begun ? *begun : (call.next().*Next)(from, count, type, to, room, into, root, communicator, request);
}

template <auto Next, planned_function What, class Count>
int iall(void const* from, Count count, MPI_Datatype type, void* to, Count room, MPI_Datatype into, MPI_Comm communicator,
         MPI_Request* request) {
    entry const call;
    auto const begun = begun_all(call, What, from, count, type, to, room, into, communicator, request);
    return begun ? *begun : (call.next().*Next)(from, count, type, to, room, into, communicator, request);
}
template <auto Next, class... Arguments> int iallgather(Arguments... a) {
    return iall<Next, planned_function::allgather>(a...);
}
template <auto Next, class... Arguments> int ialltoall(Arguments... a) {
    return iall<Next, planned_function::alltoall>(a...);
}

} // namespace sode::internal::interpose::wrap
