// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interpose/collective/carried.hpp"
#include "interpose/requests/layer.hpp"

namespace sode::internal::interpose::wrap {

/// After a collective: what the program has let go of has gone on meanwhile, as far as it can tell.
inline int attended(entry const& call, int result) {
    if (layer* const l = call.active()) l->receives.attend();
    return result;
}

template <auto Next> int barrier(MPI_Comm communicator) {
    entry const call;
    auto const carried = carried_barrier(call, communicator);
    return attended(call, carried ? *carried : (call.next().*Next)(communicator));
}

template <auto Next, class Count> int bcast(void* buffer, Count count, MPI_Datatype type, int root, MPI_Comm communicator) {
    entry const call;
    auto const carried = carried_bcast(call, buffer, count, type, root, communicator);
    return attended(call, carried ? *carried : (call.next().*Next)(buffer, count, type, root, communicator));
}

template <auto Next, class Count>
int reduce(void const* from, void* to, Count count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm communicator) {
    entry const call;
    auto const carried = carried_reduction(call, planned_function::reduce, from, to, count, type, op, root, communicator);
    return attended(call, carried ? *carried : (call.next().*Next)(from, to, count, type, op, root, communicator));
}

/// Those without a root.
template <auto Next, planned_function What, class Count>
int reduction(void const* from, void* to, Count count, MPI_Datatype type, MPI_Op op, MPI_Comm communicator) {
    entry const call;
    auto const carried = carried_reduction(call, What, from, to, count, type, op, -1, communicator);
    return attended(call, carried ? *carried : (call.next().*Next)(from, to, count, type, op, communicator));
}
template <auto Next, class... Arguments> int allreduce(Arguments... a) {
    return reduction<Next, planned_function::allreduce>(a...);
}
template <auto Next, class... Arguments> int reduce_scatter_block(Arguments... a) {
    return reduction<Next, planned_function::reduce_scatter_block>(a...);
}
template <auto Next, class... Arguments> int scan(Arguments... a) {
    return reduction<Next, planned_function::scan>(a...);
}
template <auto Next, class... Arguments> int exscan(Arguments... a) {
    return reduction<Next, planned_function::exscan>(a...);
}

} // namespace sode::internal::interpose::wrap
