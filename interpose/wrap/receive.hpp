// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interpose/calls/straight.hpp"
#include "interpose/requests/layer.hpp"
#include "interpose/transport/waiting_since.hpp"

namespace sode::internal::interpose::wrap {

// The quick ways around come first, and what is seldom done is in functions of its own: most calls of most programs do nothing
// here.

template <auto Next, class Count>
[[gnu::noinline]] int considered_recv(void* buffer, Count count, MPI_Datatype type, int source, int tag, MPI_Comm communicator,
                                      MPI_Status* status) {
    entry const call;
    layer* const l = call.active();
    if (l == nullptr || source == MPI_PROC_NULL) return (call.next().*Next)(buffer, count, type, source, tag, communicator, status);
    l->receives.attend();
    receive_arguments const a{buffer, count, type, source, tag, communicator};
    wanted_status told{status};
    if (l->probes.has_peeked())
        if (auto const result = l->probes.receive(a, *told)) return *result;
    waiting_since const now{l->receives.is_timed(count, type)};
    if (auto const result = l->receives.receive_short(call, a, *told)) return *result;
    if (auto const result = l->packs.receive(call, a, *told)) return *result;
    int const result = (call.next().*Next)(buffer, count, type, source, tag, communicator, told.get());
    if (result == MPI_SUCCESS) l->shorts.watches(count, type) ? sizes_of_types.doubt(type) : sizes_of_types.meet(type);
    return l->receives.received(a, *told, result);
}

/// The first record that comes to this rank may have come instead of this message.
[[gnu::noinline, gnu::cold]] inline int instead_of_record(receive_arguments const& a, MPI_Status* status, int result) {
    straight.note_records();
    entry const call;
    layer* const l = call.active();
    return l == nullptr ? result : l->receives.received_unseen(a, status, result);
}

/// Calls `receive(status)`, a receive for which a record may come.
template <class Receive> int among_records(receive_arguments const& a, MPI_Status* status, Receive const& receive) {
    if (!straight.has_met_records()) [[likely]] {
        int const result = receive(status);
        if (!straight.has_met_records()) [[likely]]
            return result;
        return instead_of_record(a, status, result);
    }
    straight.note_records();
    wanted_status told{status};
    int const result = receive(told.get());
    if (result == MPI_SUCCESS && !has_length_of_record(*told)) return result;
    entry const call;
    layer* const l = call.active();
    return l == nullptr ? result : l->receives.received(a, *told, result);
}

template <auto Next, class Count>
[[gnu::noinline]] int watched_recv(void* buffer, Count count, MPI_Datatype type, int source, int tag, MPI_Comm communicator,
                                   MPI_Status* status) {
    if (source == MPI_PROC_NULL) return (tool_below().*Next)(buffer, count, type, source, tag, communicator, status);
    return among_records({buffer, count, type, source, tag, communicator}, status, [&](MPI_Status* told) {
        return (tool_below().*Next)(buffer, count, type, source, tag, communicator, told);
    });
}

template <auto Next, class Count>
int recv(void* buffer, Count count, MPI_Datatype type, int source, int tag, MPI_Comm communicator, MPI_Status* status) {
    if (straight.receives(count, type)) return (tool_below().*Next)(buffer, count, type, source, tag, communicator, status);
    if (straight.watches(count, type)) [[likely]]
        return watched_recv<Next>(buffer, count, type, source, tag, communicator, status);
    if (straight.receives_formed(count, type)) return (tool_below().*Next)(buffer, count, type, source, tag, communicator, status);
    if (straight.watches_formed(count, type)) return watched_recv<Next>(buffer, count, type, source, tag, communicator, status);
    return considered_recv<Next>(buffer, count, type, source, tag, communicator, status);
}

template <auto Next, class Count>
[[gnu::noinline]] int considered_irecv(void* buffer, Count count, MPI_Datatype type, int source, int tag, MPI_Comm communicator,
                                       MPI_Request* request) {
    entry const call;
    if (source == MPI_PROC_NULL) return (call.next().*Next)(buffer, count, type, source, tag, communicator, request);
    layer* const l = call.active();
    receive_arguments const a{buffer, count, type, source, tag, communicator};
    if (l != nullptr && l->probes.has_peeked())
        if (l->probes.ireceive(a, request)) return MPI_SUCCESS;
    if (l != nullptr) {
        if (auto const begun = l->shorts.ireceive(call, a, request)) return *begun;
        if (auto const begun = l->packs.ireceive(call, a, request)) return *begun;
    }
    int const result = (call.next().*Next)(buffer, count, type, source, tag, communicator, request);
    if (result == MPI_SUCCESS && (l == nullptr || !l->shorts.watches(count, type))) sizes_of_types.meet(type);
    if (l != nullptr && result == MPI_SUCCESS && foundation::takes_records(count, type)) l->receives.track(a, *request, false);
    return result;
}

[[gnu::noinline, gnu::cold]] inline void track_irecv(receive_arguments const& a, MPI_Request request) {
    entry const call;
    if (layer* const l = call.active()) l->receives.track(a, request, false);
}

template <auto Next, class Count>
[[gnu::noinline]] int noted_irecv(void* buffer, Count count, MPI_Datatype type, int source, int tag, MPI_Comm communicator,
                                  MPI_Request* request) {
    int const result = (tool_below().*Next)(buffer, count, type, source, tag, communicator, request);
    if (result != MPI_SUCCESS || source == MPI_PROC_NULL) [[unlikely]]
        return result;
    // The call may have closed the ways: an error handler of the program is a program of its own.
    request_table* const all = straight.requests();
    if (noted_receive* const r = all == nullptr ? nullptr : all->noted().add(*request); r != nullptr) [[likely]]
        r->describe(buffer, count, type, communicator);
    else
        track_irecv({buffer, count, type, source, tag, communicator}, *request);
    return MPI_SUCCESS;
}

/// Where a datatype of the program is known, and its receive needs but a note. Null: a closer look is needed.
template <class Count> std::shared_ptr<message_layout const> const* known_form(Count count, MPI_Datatype type) {
    layer* const l = on_duty.load(std::memory_order_acquire);
    if (l == nullptr || straight.requests() == nullptr || !l->base.has_one_thread() || l->base.here().has_other_machines())
        return nullptr;
    auto const* const form = l->base.types().known(type, count);
    if (form == nullptr || !straight.notes((*form)->bytes()) || l->shorts.may_ireceive(**form)) return nullptr;
    return form;
}

template <auto Next, class Count>
[[gnu::noinline]] int formed_irecv(void* buffer, Count count, MPI_Datatype type, int source, int tag, MPI_Comm communicator,
                                   MPI_Request* request) {
    auto const* const form = known_form(count, type);
    if (form == nullptr) return considered_irecv<Next>(buffer, count, type, source, tag, communicator, request);
    int const result = (tool_below().*Next)(buffer, count, type, source, tag, communicator, request);
    if (result != MPI_SUCCESS || source == MPI_PROC_NULL || (*form)->bytes() < static_cast<index_t>(shortest_record)) return result;
    request_table* const all = straight.requests();
    if (noted_receive* const r = all == nullptr ? nullptr : all->noted().add(*request); r != nullptr) [[likely]] {
        r->describe(buffer, count, type, communicator);
        r->set_form(*form);
    } else {
        track_irecv({buffer, count, type, source, tag, communicator}, *request);
    }
    return MPI_SUCCESS;
}

template <auto Next, class Count>
int irecv(void* buffer, Count count, MPI_Datatype type, int source, int tag, MPI_Comm communicator, MPI_Request* request) {
    if (straight.receives(count, type)) return (tool_below().*Next)(buffer, count, type, source, tag, communicator, request);
    if (straight.notes(count, type)) [[likely]]
        return noted_irecv<Next>(buffer, count, type, source, tag, communicator, request);
    if (straight.receives_formed(count, type)) return (tool_below().*Next)(buffer, count, type, source, tag, communicator, request);
    return formed_irecv<Next>(buffer, count, type, source, tag, communicator, request);
}

template <auto Next, class Count>
int recv_init(void* buffer, Count count, MPI_Datatype type, int source, int tag, MPI_Comm communicator, MPI_Request* request) {
    entry const call;
    int const result = (call.next().*Next)(buffer, count, type, source, tag, communicator, request);
    layer* const l = call.active();
    if (l != nullptr && result == MPI_SUCCESS && foundation::takes_records(count, type))
        l->receives.track({buffer, count, type, source, tag, communicator}, *request, true);
    return result;
}

template <auto Next, class Count>
int mrecv(void* buffer, Count count, MPI_Datatype type, MPI_Message* message, MPI_Status* status) {
    entry const call;
    layer* const l = call.active();
    if (l != nullptr && l->probes.has_peeked())
        if (auto const result = l->probes.mrecv({buffer, count, type, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_SELF}, message, status))
            return *result;
    return (call.next().*Next)(buffer, count, type, message, status);
}

template <auto Next, class Count>
int imrecv(void* buffer, Count count, MPI_Datatype type, MPI_Message* message, MPI_Request* request) {
    entry const call;
    layer* const l = call.active();
    if (l != nullptr && l->probes.has_peeked())
        if (l->probes.imrecv({buffer, count, type, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_SELF}, message, request))
            return MPI_SUCCESS;
    return (call.next().*Next)(buffer, count, type, message, request);
}

} // namespace sode::internal::interpose::wrap
