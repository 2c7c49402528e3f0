// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interpose/requests/layer.hpp"
#include "interpose/transport/waiting_since.hpp"

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
int sendrecv(void const* buffer, Count count, MPI_Datatype type, int destination, int tag, void* into, Count room,
             MPI_Datatype into_type, int source, int into_tag, MPI_Comm communicator, MPI_Status* status) {
    entry const call;
    auto const plain = [&](MPI_Status* told) {
        return (call.next().*Next)(buffer, count, type, destination, tag, into, room, into_type, source, into_tag, communicator,
                                   told);
    };
    return exchange(call, &sender::sendrecv, {buffer, count, type, destination, tag, communicator},
                    {into, room, into_type, source, into_tag, communicator}, status, plain);
}

template <auto Next, class Count>
int sendrecv_replace(void* buffer, Count count, MPI_Datatype type, int destination, int tag, int source, int into_tag,
                     MPI_Comm communicator, MPI_Status* status) {
    entry const call;
    auto const plain = [&](MPI_Status* told) {
        return (call.next().*Next)(buffer, count, type, destination, tag, source, into_tag, communicator, told);
    };
    return exchange(call, &sender::sendrecv_replace, {buffer, count, type, destination, tag, communicator},
                    {buffer, count, type, source, into_tag, communicator}, status, plain);
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
