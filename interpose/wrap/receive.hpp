// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interpose/requests/layer.hpp"
#include "interpose/transport/waiting_since.hpp"

namespace sode::internal::interpose::wrap {

template <auto Next, class Count>
int recv(void* buffer, Count count, MPI_Datatype type, int source, int tag, MPI_Comm communicator, MPI_Status* status) {
    entry const call;
    layer* const l = call.active();
    if (l == nullptr) return (call.next().*Next)(buffer, count, type, source, tag, communicator, status);
    receive_arguments const a{buffer, count, type, source, tag, communicator};
    wanted_status told{status};
    if (l->probes.has_peeked())
        if (auto const result = l->probes.receive(a, *told)) return *result;
    waiting_since const now{l->receives.is_timed(count, type)};
    if (auto const result = l->packs.receive(call, a, *told)) return *result;
    int const result = (call.next().*Next)(buffer, count, type, source, tag, communicator, told.get());
    return l->receives.received(a, *told, result);
}

template <auto Next, class Count>
int irecv(void* buffer, Count count, MPI_Datatype type, int source, int tag, MPI_Comm communicator, MPI_Request* request) {
    entry const call;
    layer* const l = call.active();
    receive_arguments const a{buffer, count, type, source, tag, communicator};
    if (l != nullptr && l->probes.has_peeked())
        if (l->probes.ireceive(a, request)) return MPI_SUCCESS;
    if (l != nullptr)
        if (auto const begun = l->packs.ireceive(call, a, request)) return *begun;
    int const result = (call.next().*Next)(buffer, count, type, source, tag, communicator, request);
    if (l != nullptr && result == MPI_SUCCESS && foundation::takes_records(count, type)) l->receives.track(a, *request, false);
    return result;
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
