// SPDX-License-Identifier: Apache-2.0
#include "interpose/requests/layer.hpp"

namespace sode::interpose {

namespace {

/// The layer, if it knows of any request at all.
layer* concerned(entry const& call) noexcept {
    layer* const l = call.active();
    return l == nullptr || l->requests().empty() ? nullptr : l;
}

} // namespace

extern "C" {

int MPI_Wait(MPI_Request* request, MPI_Status* status) {
    entry const call;
    layer* const l = concerned(call);
    return l == nullptr ? call.next().wait(request, status) : l->wait(call, request, status);
}

int MPI_Test(MPI_Request* request, int* flag, MPI_Status* status) {
    entry const call;
    layer* const l = concerned(call);
    return l == nullptr ? call.next().test(request, flag, status) : l->test(call, request, flag, status);
}

int MPI_Waitall(int count, MPI_Request* requests, MPI_Status* statuses) {
    entry const call;
    layer* const l = concerned(call);
    return l == nullptr ? call.next().waitall(count, requests, statuses) : l->waitall(call, count, requests, statuses);
}

int MPI_Testall(int count, MPI_Request* requests, int* flag, MPI_Status* statuses) {
    entry const call;
    layer* const l = concerned(call);
    return l == nullptr ? call.next().testall(count, requests, flag, statuses) : l->testall(call, count, requests, flag, statuses);
}

int MPI_Waitany(int count, MPI_Request* requests, int* index, MPI_Status* status) {
    entry const call;
    layer* const l = concerned(call);
    return l == nullptr ? call.next().waitany(count, requests, index, status) : l->waitany(call, count, requests, index, status);
}

int MPI_Testany(int count, MPI_Request* requests, int* index, int* flag, MPI_Status* status) {
    entry const call;
    layer* const l = concerned(call);
    return l == nullptr ? call.next().testany(count, requests, index, flag, status)
                        : l->testany(call, count, requests, index, flag, status);
}

int MPI_Waitsome(int count, MPI_Request* requests, int* done, int* indices, MPI_Status* statuses) {
    entry const call;
    layer* const l = concerned(call);
    return l == nullptr ? call.next().waitsome(count, requests, done, indices, statuses)
                        : l->waitsome(call, count, requests, done, indices, statuses);
}

int MPI_Testsome(int count, MPI_Request* requests, int* done, int* indices, MPI_Status* statuses) {
    entry const call;
    layer* const l = concerned(call);
    return l == nullptr ? call.next().testsome(count, requests, done, indices, statuses)
                        : l->testsome(call, count, requests, done, indices, statuses);
}

int MPI_Request_free(MPI_Request* request) {
    entry const call;
    layer* const l = concerned(call);
    return l == nullptr ? call.next().request_free(request) : l->request_free(call, request);
}

int MPI_Request_get_status(MPI_Request request, int* flag, MPI_Status* status) {
    entry const call;
    layer* const l = concerned(call);
    return l == nullptr ? call.next().request_get_status(request, flag, status) : l->get_status(call, request, flag, status);
}

int MPI_Start(MPI_Request* request) {
    entry const call;
    layer* const l = concerned(call);
    return l == nullptr ? call.next().start(request) : l->start(call, request);
}

int MPI_Startall(int count, MPI_Request* requests) {
    entry const call;
    layer* const l = concerned(call);
    if (l == nullptr) return call.next().startall(count, requests);
    for (int i = 0; i < count; ++i)
        if (int const result = l->start(call, requests + i); result != MPI_SUCCESS) return result;
    return MPI_SUCCESS;
}

} // extern "C"

} // namespace sode::interpose
