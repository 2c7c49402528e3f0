// SPDX-License-Identifier: Apache-2.0
#include "interpose/requests/layer.hpp"

namespace sode::interpose {

extern "C" {

int MPI_Recv(void* buffer, int count, MPI_Datatype type, int source, int tag, MPI_Comm communicator, MPI_Status* status) {
    entry const call;
    layer* const l = call.active();
    if (l == nullptr) return call.next().recv(buffer, count, type, source, tag, communicator, status);
    receive_arguments const a{buffer, count, type, source, tag, communicator};
    wanted_status told{status};
    if (l->has_peeked())
        if (auto const result = l->receive_peeked(a, *told)) return *result;
    int const result = call.next().recv(buffer, count, type, source, tag, communicator, told.get());
    return l->received(a, *told, result);
}

int MPI_Irecv(void* buffer, int count, MPI_Datatype type, int source, int tag, MPI_Comm communicator, MPI_Request* request) {
    entry const call;
    layer* const l = call.active();
    receive_arguments const a{buffer, count, type, source, tag, communicator};
    if (l != nullptr && l->has_peeked())
        if (l->ireceive_peeked(a, request)) return MPI_SUCCESS;
    int const result = call.next().irecv(buffer, count, type, source, tag, communicator, request);
    if (l != nullptr && result == MPI_SUCCESS && layer::takes_records(count, type)) l->track(a, *request, false);
    return result;
}

int MPI_Recv_init(void* buffer, int count, MPI_Datatype type, int source, int tag, MPI_Comm communicator, MPI_Request* request) {
    entry const call;
    int const result = call.next().recv_init(buffer, count, type, source, tag, communicator, request);
    layer* const l = call.active();
    if (l != nullptr && result == MPI_SUCCESS && layer::takes_records(count, type))
        l->track({buffer, count, type, source, tag, communicator}, *request, true);
    return result;
}

int MPI_Mrecv(void* buffer, int count, MPI_Datatype type, MPI_Message* message, MPI_Status* status) {
    entry const call;
    layer* const l = call.active();
    if (l != nullptr && l->has_peeked())
        if (auto const result = l->mrecv({buffer, count, type, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_SELF}, message, status))
            return *result;
    return call.next().mrecv(buffer, count, type, message, status);
}

int MPI_Imrecv(void* buffer, int count, MPI_Datatype type, MPI_Message* message, MPI_Request* request) {
    entry const call;
    layer* const l = call.active();
    if (l != nullptr && l->has_peeked())
        if (l->imrecv({buffer, count, type, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_SELF}, message, request)) return MPI_SUCCESS;
    return call.next().imrecv(buffer, count, type, message, request);
}

#if MPI_VERSION >= 4

int MPI_Recv_c(void* buffer, MPI_Count count, MPI_Datatype type, int source, int tag, MPI_Comm communicator, MPI_Status* status) {
    entry const call;
    layer* const l = call.active();
    if (l == nullptr) return call.next().recv_c(buffer, count, type, source, tag, communicator, status);
    receive_arguments const a{buffer, count, type, source, tag, communicator};
    wanted_status told{status};
    if (l->has_peeked())
        if (auto const result = l->receive_peeked(a, *told)) return *result;
    int const result = call.next().recv_c(buffer, count, type, source, tag, communicator, told.get());
    return l->received(a, *told, result);
}

int MPI_Irecv_c(void* buffer, MPI_Count count, MPI_Datatype type, int source, int tag, MPI_Comm communicator,
                MPI_Request* request) {
    entry const call;
    layer* const l = call.active();
    receive_arguments const a{buffer, count, type, source, tag, communicator};
    if (l != nullptr && l->has_peeked())
        if (l->ireceive_peeked(a, request)) return MPI_SUCCESS;
    int const result = call.next().irecv_c(buffer, count, type, source, tag, communicator, request);
    if (l != nullptr && result == MPI_SUCCESS && layer::takes_records(count, type)) l->track(a, *request, false);
    return result;
}

int MPI_Recv_init_c(void* buffer, MPI_Count count, MPI_Datatype type, int source, int tag, MPI_Comm communicator,
                    MPI_Request* request) {
    entry const call;
    int const result = call.next().recv_init_c(buffer, count, type, source, tag, communicator, request);
    layer* const l = call.active();
    if (l != nullptr && result == MPI_SUCCESS && layer::takes_records(count, type))
        l->track({buffer, count, type, source, tag, communicator}, *request, true);
    return result;
}

int MPI_Mrecv_c(void* buffer, MPI_Count count, MPI_Datatype type, MPI_Message* message, MPI_Status* status) {
    entry const call;
    layer* const l = call.active();
    if (l != nullptr && l->has_peeked())
        if (auto const result = l->mrecv({buffer, count, type, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_SELF}, message, status))
            return *result;
    return call.next().mrecv_c(buffer, count, type, message, status);
}

int MPI_Imrecv_c(void* buffer, MPI_Count count, MPI_Datatype type, MPI_Message* message, MPI_Request* request) {
    entry const call;
    layer* const l = call.active();
    if (l != nullptr && l->has_peeked())
        if (l->imrecv({buffer, count, type, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_SELF}, message, request)) return MPI_SUCCESS;
    return call.next().imrecv_c(buffer, count, type, message, request);
}
#endif

} // extern "C"

} // namespace sode::interpose
