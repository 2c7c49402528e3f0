// SPDX-License-Identifier: Apache-2.0
#pragma once
// The nonblocking collectives of unmodified programs, begun by plans where these may.
#include "interpose/collective/carried.hpp"

namespace sode::internal::interpose {

[[nodiscard]] inline begun_by begun(communicator_plans& plans, std::optional<passed_call> const& call, MPI_Request* request,
                                    unread_call const& as = {}) {
    if (call && request != nullptr) return plans.begin(*call, request, as);
    plans.count();
    return {};
}

[[nodiscard]] inline begun_by begun_barrier(entry const& call, MPI_Comm communicator, MPI_Request* request) {
    auto* const plans = planned_for(call, communicator, planned_function::barrier, true);
    unread_call const as{.what = planned_function::barrier, .count = 0};
    if (plans == nullptr || plans->is_left_again(as)) return {};
    return begun(*plans, passed_call{}, request, as);
}
[[nodiscard]] inline begun_by begun_bcast(entry const& call, void* buffer, MPI_Count count, MPI_Datatype type, int root,
                                          MPI_Comm communicator, MPI_Request* request) {
    auto* const plans = planned_for(call, communicator, planned_function::bcast, true);
    unread_call const as{planned_function::bcast, root, count, type};
    if (plans == nullptr || plans->is_left_again(as)) return {};
    return begun(*plans, passed_bcast(caller_of(*plans), buffer, count, type, root), request, as);
}
/// Reductions. `root`: -1, if there is none.
[[nodiscard]] inline begun_by begun_reduction(entry const& call, planned_function what, void const* from, void* to, MPI_Count count,
                                              MPI_Datatype type, MPI_Op op, int root, MPI_Comm communicator, MPI_Request* request) {
    auto* const plans = planned_for(call, communicator, what, true);
    unread_call const as{what, root, count, type, op};
    if (plans == nullptr || plans->is_left_again(as)) return {};
    auto const combiner = type == MPI_DATATYPE_NULL ? std::nullopt : combiner_of(op, type);
    if (!combiner) {
        plans->count();
        return plans->leave_nonblocking(what, left_to_mpi::types);
    }
    auto const passed = passed_reduction(caller_of(*plans), what, from, to, count, type, op, *combiner, root);
    return begun(*plans, passed, request, as);
}
[[nodiscard]] inline begun_by begun_gather(entry const& call, void const* from, MPI_Count count, MPI_Datatype type, void* to,
                                           MPI_Count room, MPI_Datatype into, int root, MPI_Comm communicator,
                                           MPI_Request* request) {
    auto* const plans = planned_for(call, communicator, planned_function::gather, true);
    if (plans == nullptr) return {};
    return begun(*plans, passed_gather(caller_of(*plans), from, count, type, to, room, into, root), request);
}
[[nodiscard]] inline begun_by begun_scatter(entry const& call, void const* from, MPI_Count count, MPI_Datatype type, void* to,
                                            MPI_Count room, MPI_Datatype into, int root, MPI_Comm communicator,
                                            MPI_Request* request) {
    auto* const plans = planned_for(call, communicator, planned_function::scatter, true);
    if (plans == nullptr) return {};
    return begun(*plans, passed_scatter(caller_of(*plans), from, count, type, to, room, into, root), request);
}
/// MPI_Iallgather and MPI_Ialltoall.
[[nodiscard]] inline begun_by begun_all(entry const& call, planned_function what, void const* from, MPI_Count count,
                                        MPI_Datatype type, void* to, MPI_Count room, MPI_Datatype into, MPI_Comm communicator,
                                        MPI_Request* request) {
    auto* const plans = planned_for(call, communicator, what, true);
    if (plans == nullptr) return {};
    return begun(*plans, passed_all(caller_of(*plans), what, from, count, type, to, room, into), request);
}

} // namespace sode::internal::interpose
