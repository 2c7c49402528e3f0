// SPDX-License-Identifier: Apache-2.0
#pragma once
// The collectives of unmodified programs, carried by plans where these may.
#include "interpose/calls/entry.hpp"
#include "interpose/collective/collective_service.hpp"
#include "interpose/collective/passed.hpp"

namespace sode::internal::interpose {

/// What is known of the communicator of a call, if it may be our business.
[[nodiscard]] inline communicator_plans* planned_for(entry const& call, MPI_Comm communicator) {
    if (call.active() == nullptr) return nullptr;
    auto* const all = serving.load(std::memory_order_acquire);
    return all == nullptr ? nullptr : all->of(communicator);
}
/// The same of a call of `what`. Null as well where all such calls of the communicator are MPI's, which is told.
[[nodiscard]] inline communicator_plans* planned_for(entry const& call, MPI_Comm communicator, planned_function what,
                                                     bool nonblocking = false) {
    auto* const plans = planned_for(call, communicator);
    return plans == nullptr || !plans->is_refused(what, nonblocking) ? plans : nullptr;
}

[[nodiscard]] inline calling_rank caller_of(communicator_plans const& plans) noexcept {
    return {plans.rank(), plans.size()};
}
[[nodiscard]] inline carried_call carried(communicator_plans& plans, std::optional<passed_call> const& call,
                                          unread_call const& as) {
    if (call) return plans.run(*call, as);
    plans.count();
    return {};
}

[[nodiscard]] inline carried_call carried_barrier(entry const& call, MPI_Comm communicator) {
    auto* const plans = planned_for(call, communicator, planned_function::barrier);
    unread_call const as{.what = planned_function::barrier, .count = 0};
    if (plans == nullptr) return {};
    if (auto const left = plans->is_left_again_here(as); left != still_left::no) return carried_call{left};
    return plans->run({}, as);
}
[[nodiscard]] inline carried_call carried_bcast(entry const& call, void* buffer, MPI_Count count, MPI_Datatype type, int root,
                                                MPI_Comm communicator) {
    auto* const plans = planned_for(call, communicator, planned_function::bcast);
    unread_call const as{planned_function::bcast, root, count, type};
    if (plans == nullptr) return {};
    if (auto const left = plans->is_left_again_here(as); left != still_left::no) return carried_call{left};
    return carried(*plans, passed_bcast(caller_of(*plans), buffer, count, type, root), as);
}
/// Reductions. `root`: -1, if there is none.
[[nodiscard]] inline carried_call carried_reduction(entry const& call, planned_function what, void const* from, void* to,
                                                    MPI_Count count, MPI_Datatype type, MPI_Op op, int root,
                                                    MPI_Comm communicator) {
    auto* const plans = planned_for(call, communicator, what);
    unread_call const as{what, root, count, type, op};
    if (plans == nullptr) return {};
    if (auto const left = plans->is_left_again_here(as); left != still_left::no) return carried_call{left};
    auto const combiner = type == MPI_DATATYPE_NULL ? std::nullopt : combiner_of(op, type);
    if (!combiner) {
        plans->count();
        return plans->leave(what, left_to_mpi::types);
    }
    return carried(*plans, passed_reduction(caller_of(*plans), what, from, to, count, type, op, *combiner, root), as);
}
/// Of those that give and get: what is passed for both.
[[nodiscard]] inline unread_call unread(planned_function what, int root, void const* from, MPI_Count count, MPI_Datatype type,
                                        void const* to, MPI_Count room, MPI_Datatype into) noexcept {
    return {.what = what,
            .root = root,
            .count = count,
            .type = type,
            .room = room,
            .into = into,
            .in_place = from == MPI_IN_PLACE || to == MPI_IN_PLACE};
}
[[nodiscard]] inline carried_call carried_gather(entry const& call, void const* from, MPI_Count count, MPI_Datatype type, void* to,
                                                 MPI_Count room, MPI_Datatype into, int root, MPI_Comm communicator) {
    auto* const plans = planned_for(call, communicator, planned_function::gather);
    if (plans == nullptr) return {};
    bool const gets = plans->rank() == root; // others may pass anything there
    auto const as = unread(planned_function::gather, root, from, count, type, to, gets ? room : 0, gets ? into : MPI_DATATYPE_NULL);
    if (auto const left = plans->is_left_again_here(as); left != still_left::no) return carried_call{left};
    return carried(*plans, passed_gather(caller_of(*plans), from, count, type, to, room, into, root), as);
}
[[nodiscard]] inline carried_call carried_scatter(entry const& call, void const* from, MPI_Count count, MPI_Datatype type, void* to,
                                                  MPI_Count room, MPI_Datatype into, int root, MPI_Comm communicator) {
    auto* const plans = planned_for(call, communicator, planned_function::scatter);
    if (plans == nullptr) return {};
    bool const gives = plans->rank() == root; // others may pass anything there
    auto const as =
        unread(planned_function::scatter, root, from, gives ? count : 0, gives ? type : MPI_DATATYPE_NULL, to, room, into);
    if (auto const left = plans->is_left_again_here(as); left != still_left::no) return carried_call{left};
    return carried(*plans, passed_scatter(caller_of(*plans), from, count, type, to, room, into, root), as);
}
/// MPI_Allgather and MPI_Alltoall.
[[nodiscard]] inline carried_call carried_all(entry const& call, planned_function what, void const* from, MPI_Count count,
                                              MPI_Datatype type, void* to, MPI_Count room, MPI_Datatype into,
                                              MPI_Comm communicator) {
    auto* const plans = planned_for(call, communicator, what);
    auto const as = unread(what, -1, from, count, type, to, room, into);
    if (plans == nullptr) return {};
    if (auto const left = plans->is_left_again_here(as); left != still_left::no) return carried_call{left};
    return carried(*plans, passed_all(caller_of(*plans), what, from, count, type, to, room, into), as);
}

} // namespace sode::internal::interpose
