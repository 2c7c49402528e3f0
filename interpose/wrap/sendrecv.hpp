// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interpose/requests/layer.hpp"
#include "interpose/transport/waiting_since.hpp"
#include "interpose/wrap/receive.hpp"

#include <array>
#include <climits>

namespace sode::internal::interpose::wrap {

/// `ours` moves what is worth it, `plain(status)` goes on to MPI. Counts beyond int are left to MPI.
template <class Plain>
int exchange(entry const& call, decltype(&sender::sendrecv) ours, send_arguments const& s, receive_arguments const& r,
             MPI_Status* status, Plain const& plain) {
    layer* const l = call.active();
    if (l == nullptr) return plain(status);
    wanted_status told{status};
    waiting_since const now{l->receives.is_timed(r.count, r.type)};
    if (r.count <= INT_MAX && (l->probes.has_peeked() || l->base.concerns(s.count, s.type)))
        if (auto const result = (l->sends.*ours)(call, s, r, told.get())) return *result;
    return l->receives.received(r, *told, plain(told.get()));
}

/// Of which one goes to, or comes from, another machine: as two requests, since each has its own way. Nothing was peeked at.
inline int as_two(entry const& call, layer& l, send_arguments const& s, receive_arguments const& r, MPI_Status* status) {
    waiting_since const now{l.base.learns()};
    std::array<MPI_Request, 2> both{MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    if (auto const begun = l.packs.ireceive(call, r, both.data()); !begun) {
        int const made =
            call.next().irecv(r.buffer, static_cast<int>(r.count), r.type, r.source, r.tag, r.communicator, both.data());
        if (made != MPI_SUCCESS) return made;
        if (foundation::takes_records(r.count, r.type)) l.receives.track(r, both[0], false);
    } else if (*begun != MPI_SUCCESS) {
        return *begun;
    }
    auto sent = l.packs.isend(call, s, send_mode::standard, &both[1]);
    if (!sent && l.base.concerns(s.count, s.type)) sent = l.sends.isend(call, s, send_mode::standard, &both[1]);
    if (!sent)
        sent = call.next().isend(s.buffer, static_cast<int>(s.count), s.type, s.destination, s.tag, s.communicator, &both[1]);
    if (*sent != MPI_SUCCESS) {
        PMPI_Cancel(both.data());
        static_cast<void>(l.completes.wait(call, both.data(), MPI_STATUS_IGNORE));
        return *sent;
    }
    std::array<MPI_Status, 2> ended{};
    int result = l.completes.waitall(call, 2, both.data(), ended.data());
    if (int kind = MPI_SUCCESS; PMPI_Error_class(result, &kind) == MPI_SUCCESS && kind == MPI_ERR_IN_STATUS)
        result = ended[0].MPI_ERROR != MPI_SUCCESS ? ended[0].MPI_ERROR : ended[1].MPI_ERROR;
    if (status != MPI_STATUS_IGNORE) tell(*status, ended[0]);
    return result;
}

/// The send of these is left to MPI; their receive may meet a record like any other.
template <class Plain>
int begin_exchange(entry const& call, send_arguments const& s, receive_arguments const& r, MPI_Request* request,
                   Plain const& plain) {
    layer* const l = call.active();
    if (l != nullptr && l->probes.has_peeked() && s.count <= INT_MAX)
        if (l->probes.isendrecv(call, s, r, request)) return MPI_SUCCESS;
    int const result = plain();
    if (l != nullptr && result == MPI_SUCCESS && foundation::takes_records(r.count, r.type)) l->receives.track(r, *request, false);
    return result;
}

template <auto Next, class Count>
[[gnu::noinline]] int considered_sendrecv(void const* buffer, Count count, MPI_Datatype type, int destination, int tag, void* into,
                                          Count room, MPI_Datatype into_type, int source, int into_tag, MPI_Comm communicator,
                                          MPI_Status* status) {
    entry const call;
    auto const plain = [&](MPI_Status* told) {
        return (call.next().*Next)(buffer, count, type, destination, tag, into, room, into_type, source, into_tag, communicator,
                                   told);
    };
    send_arguments const s{buffer, count, type, destination, tag, communicator};
    receive_arguments const r{into, room, into_type, source, into_tag, communicator};
    layer* const l = call.active();
    if (l != nullptr) l->receives.attend();
    bool const small = static_cast<MPI_Count>(count) <= INT_MAX && static_cast<MPI_Count>(room) <= INT_MAX;
    if (l != nullptr && small && !l->probes.has_peeked() && l->packs.concerns(s, r)) return as_two(call, *l, s, r, status);
    int const result = exchange(call, &sender::sendrecv, s, r, status, plain);
    if (result == MPI_SUCCESS) sizes_of_types.meet(type), sizes_of_types.meet(into_type);
    return result;
}

// Twelve arguments, half of which are on the stack. MPI_Sendrecv is quick where most calls leave them there: so whatever is seldom
// asked is asked in functions of their own.
template <auto Next, class Count>
[[gnu::noinline]] int formed_sendrecv(void const* buffer, Count count, MPI_Datatype type, int destination, int tag, void* into,
                                      Count room, MPI_Datatype into_type, int source, int into_tag, MPI_Comm communicator,
                                      MPI_Status* status) {
    bool const goes = straight.sends(count, type) || straight.sends_formed(count, type);
    if (goes && (straight.receives(room, into_type) || straight.receives_formed(room, into_type)))
        return (tool_below().*Next)(buffer, count, type, destination, tag, into, room, into_type, source, into_tag, communicator,
                                    status);
    if (!goes || !(straight.watches(room, into_type) || straight.watches_formed(room, into_type))) [[unlikely]]
        return considered_sendrecv<Next>(buffer, count, type, destination, tag, into, room, into_type, source, into_tag,
                                         communicator, status);
    auto const exchanges = [&](MPI_Status* told) {
        return (tool_below().*Next)(buffer, count, type, destination, tag, into, room, into_type, source, into_tag, communicator,
                                    told);
    };
    if (source == MPI_PROC_NULL) return exchanges(status);
    return among_records({into, room, into_type, source, into_tag, communicator}, status, exchanges);
}

template <auto Next, class Count>
[[gnu::noinline]] int watched_sendrecv(void const* buffer, Count count, MPI_Datatype type, int destination, int tag, void* into,
                                       Count room, MPI_Datatype into_type, int source, int into_tag, MPI_Comm communicator,
                                       MPI_Status* status) {
    int const result =
        (tool_below().*Next)(buffer, count, type, destination, tag, into, room, into_type, source, into_tag, communicator, status);
    if (!straight.has_met_records()) [[likely]]
        return result;
    return instead_of_record({into, room, into_type, source, into_tag, communicator}, status, result);
}

template <auto Next, class Count>
int sendrecv(void const* buffer, Count count, MPI_Datatype type, int destination, int tag, void* into, Count room,
             MPI_Datatype into_type, int source, int into_tag, MPI_Comm communicator, MPI_Status* status) {
    if (straight.sends(count, type)) [[likely]] {
        if (straight.receives(room, into_type) || (source == MPI_PROC_NULL && straight.watches(room, into_type)))
            return (tool_below().*Next)(buffer, count, type, destination, tag, into, room, into_type, source, into_tag,
                                        communicator, status);
        if (straight.watches(room, into_type) && !straight.has_met_records())
            return watched_sendrecv<Next>(buffer, count, type, destination, tag, into, room, into_type, source, into_tag,
                                          communicator, status);
    }
    return formed_sendrecv<Next>(buffer, count, type, destination, tag, into, room, into_type, source, into_tag, communicator,
                                 status);
}

template <auto Next, class Count>
[[gnu::noinline]] int considered_sendrecv_replace(void* buffer, Count count, MPI_Datatype type, int destination, int tag,
                                                  int source, int into_tag, MPI_Comm communicator, MPI_Status* status) {
    entry const call;
    auto const plain = [&](MPI_Status* told) {
        return (call.next().*Next)(buffer, count, type, destination, tag, source, into_tag, communicator, told);
    };
    int const result = exchange(call, &sender::sendrecv_replace, {buffer, count, type, destination, tag, communicator},
                                {buffer, count, type, source, into_tag, communicator}, status, plain);
    if (result == MPI_SUCCESS) sizes_of_types.meet(type);
    return result;
}

template <auto Next, class Count>
int sendrecv_replace(void* buffer, Count count, MPI_Datatype type, int destination, int tag, int source, int into_tag,
                     MPI_Comm communicator, MPI_Status* status) {
    bool const goes = straight.sends(count, type) || straight.sends_formed(count, type);
    if (goes && (straight.receives(count, type) || straight.receives_formed(count, type)))
        return (tool_below().*Next)(buffer, count, type, destination, tag, source, into_tag, communicator, status);
    if (!goes || !(straight.watches(count, type) || straight.watches_formed(count, type))) [[unlikely]]
        return considered_sendrecv_replace<Next>(buffer, count, type, destination, tag, source, into_tag, communicator, status);
    auto const exchanges = [&](MPI_Status* told) {
        return (tool_below().*Next)(buffer, count, type, destination, tag, source, into_tag, communicator, told);
    };
    if (source == MPI_PROC_NULL) return exchanges(status);
    return among_records({buffer, count, type, source, into_tag, communicator}, status, exchanges);
}

template <auto Next, class Count>
int isendrecv(void const* buffer, Count count, MPI_Datatype type, int destination, int tag, void* into, Count room,
              MPI_Datatype into_type, int source, int into_tag, MPI_Comm communicator, MPI_Request* request) {
    entry const call;
    auto const plain = [&] {
        return (call.next().*Next)(buffer, count, type, destination, tag, into, room, into_type, source, into_tag, communicator,
                                   request);
    };
    return begin_exchange(call, {buffer, count, type, destination, tag, communicator},
                          {into, room, into_type, source, into_tag, communicator}, request, plain);
}

template <auto Next, class Count>
int isendrecv_replace(void* buffer, Count count, MPI_Datatype type, int destination, int tag, int source, int into_tag,
                      MPI_Comm communicator, MPI_Request* request) {
    entry const call;
    auto const plain = [&] {
        return (call.next().*Next)(buffer, count, type, destination, tag, source, into_tag, communicator, request);
    };
    return begin_exchange(call, {buffer, count, type, destination, tag, communicator},
                          {buffer, count, type, source, into_tag, communicator}, request, plain);
}

} // namespace sode::internal::interpose::wrap
