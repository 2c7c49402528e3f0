// SPDX-License-Identifier: Apache-2.0
#include "interpose/requests/layer.hpp"

namespace sode::interpose {

namespace {

/// The quick way around comes first: most calls of most programs take it.
template <class Plain> int blocking(entry const& call, send_arguments const& a, send_mode mode, Plain const& plain) {
    layer* const l = call.active();
    if (l == nullptr || !l->concerns(a.count, a.type)) return plain();
    auto const sent = l->send(call, a, mode);
    return sent ? *sent : plain();
}

template <class Plain>
int nonblocking(entry const& call, send_arguments const& a, send_mode mode, MPI_Request* request, Plain const& plain) {
    layer* const l = call.active();
    if (l == nullptr || !l->concerns(a.count, a.type)) return plain();
    auto const sent = l->isend(call, a, mode, request);
    return sent ? *sent : plain();
}

template <class Plain>
int persistent(entry const& call, send_arguments const& a, send_mode mode, MPI_Request* request, Plain const& plain) {
    layer* const l = call.active();
    if (l == nullptr || !l->concerns(a.count, a.type)) return plain();
    auto const made = l->send_init(call, a, mode, request);
    return made ? *made : plain();
}

} // namespace

extern "C" {

int MPI_Send(void const* buffer, int count, MPI_Datatype type, int destination, int tag, MPI_Comm communicator) {
    entry const call;
    return blocking(call, {buffer, count, type, destination, tag, communicator}, send_mode::standard,
                    [&] { return call.next().send(buffer, count, type, destination, tag, communicator); });
}

int MPI_Ssend(void const* buffer, int count, MPI_Datatype type, int destination, int tag, MPI_Comm communicator) {
    entry const call;
    return blocking(call, {buffer, count, type, destination, tag, communicator}, send_mode::synchronous,
                    [&] { return call.next().ssend(buffer, count, type, destination, tag, communicator); });
}

int MPI_Rsend(void const* buffer, int count, MPI_Datatype type, int destination, int tag, MPI_Comm communicator) {
    entry const call;
    return blocking(call, {buffer, count, type, destination, tag, communicator}, send_mode::ready,
                    [&] { return call.next().rsend(buffer, count, type, destination, tag, communicator); });
}

int MPI_Isend(void const* buffer, int count, MPI_Datatype type, int destination, int tag, MPI_Comm communicator,
              MPI_Request* request) {
    entry const call;
    return nonblocking(call, {buffer, count, type, destination, tag, communicator}, send_mode::standard, request,
                       [&] { return call.next().isend(buffer, count, type, destination, tag, communicator, request); });
}

int MPI_Issend(void const* buffer, int count, MPI_Datatype type, int destination, int tag, MPI_Comm communicator,
               MPI_Request* request) {
    entry const call;
    return nonblocking(call, {buffer, count, type, destination, tag, communicator}, send_mode::synchronous, request,
                       [&] { return call.next().issend(buffer, count, type, destination, tag, communicator, request); });
}

int MPI_Irsend(void const* buffer, int count, MPI_Datatype type, int destination, int tag, MPI_Comm communicator,
               MPI_Request* request) {
    entry const call;
    return nonblocking(call, {buffer, count, type, destination, tag, communicator}, send_mode::ready, request,
                       [&] { return call.next().irsend(buffer, count, type, destination, tag, communicator, request); });
}

int MPI_Send_init(void const* buffer, int count, MPI_Datatype type, int destination, int tag, MPI_Comm communicator,
                  MPI_Request* request) {
    entry const call;
    return persistent(call, {buffer, count, type, destination, tag, communicator}, send_mode::standard, request,
                      [&] { return call.next().send_init(buffer, count, type, destination, tag, communicator, request); });
}

int MPI_Ssend_init(void const* buffer, int count, MPI_Datatype type, int destination, int tag, MPI_Comm communicator,
                   MPI_Request* request) {
    entry const call;
    return persistent(call, {buffer, count, type, destination, tag, communicator}, send_mode::synchronous, request,
                      [&] { return call.next().ssend_init(buffer, count, type, destination, tag, communicator, request); });
}

int MPI_Rsend_init(void const* buffer, int count, MPI_Datatype type, int destination, int tag, MPI_Comm communicator,
                   MPI_Request* request) {
    entry const call;
    return persistent(call, {buffer, count, type, destination, tag, communicator}, send_mode::ready, request,
                      [&] { return call.next().rsend_init(buffer, count, type, destination, tag, communicator, request); });
}

#if MPI_VERSION >= 4

int MPI_Send_c(void const* buffer, MPI_Count count, MPI_Datatype type, int destination, int tag, MPI_Comm communicator) {
    entry const call;
    return blocking(call, {buffer, count, type, destination, tag, communicator}, send_mode::standard,
                    [&] { return call.next().send_c(buffer, count, type, destination, tag, communicator); });
}

int MPI_Ssend_c(void const* buffer, MPI_Count count, MPI_Datatype type, int destination, int tag, MPI_Comm communicator) {
    entry const call;
    return blocking(call, {buffer, count, type, destination, tag, communicator}, send_mode::synchronous,
                    [&] { return call.next().ssend_c(buffer, count, type, destination, tag, communicator); });
}

int MPI_Rsend_c(void const* buffer, MPI_Count count, MPI_Datatype type, int destination, int tag, MPI_Comm communicator) {
    entry const call;
    return blocking(call, {buffer, count, type, destination, tag, communicator}, send_mode::ready,
                    [&] { return call.next().rsend_c(buffer, count, type, destination, tag, communicator); });
}

int MPI_Isend_c(void const* buffer, MPI_Count count, MPI_Datatype type, int destination, int tag, MPI_Comm communicator,
                MPI_Request* request) {
    entry const call;
    return nonblocking(call, {buffer, count, type, destination, tag, communicator}, send_mode::standard, request,
                       [&] { return call.next().isend_c(buffer, count, type, destination, tag, communicator, request); });
}

int MPI_Issend_c(void const* buffer, MPI_Count count, MPI_Datatype type, int destination, int tag, MPI_Comm communicator,
                 MPI_Request* request) {
    entry const call;
    return nonblocking(call, {buffer, count, type, destination, tag, communicator}, send_mode::synchronous, request,
                       [&] { return call.next().issend_c(buffer, count, type, destination, tag, communicator, request); });
}

int MPI_Irsend_c(void const* buffer, MPI_Count count, MPI_Datatype type, int destination, int tag, MPI_Comm communicator,
                 MPI_Request* request) {
    entry const call;
    return nonblocking(call, {buffer, count, type, destination, tag, communicator}, send_mode::ready, request,
                       [&] { return call.next().irsend_c(buffer, count, type, destination, tag, communicator, request); });
}

int MPI_Send_init_c(void const* buffer, MPI_Count count, MPI_Datatype type, int destination, int tag, MPI_Comm communicator,
                    MPI_Request* request) {
    entry const call;
    return persistent(call, {buffer, count, type, destination, tag, communicator}, send_mode::standard, request,
                      [&] { return call.next().send_init_c(buffer, count, type, destination, tag, communicator, request); });
}

int MPI_Ssend_init_c(void const* buffer, MPI_Count count, MPI_Datatype type, int destination, int tag, MPI_Comm communicator,
                     MPI_Request* request) {
    entry const call;
    return persistent(call, {buffer, count, type, destination, tag, communicator}, send_mode::synchronous, request,
                      [&] { return call.next().ssend_init_c(buffer, count, type, destination, tag, communicator, request); });
}

int MPI_Rsend_init_c(void const* buffer, MPI_Count count, MPI_Datatype type, int destination, int tag, MPI_Comm communicator,
                     MPI_Request* request) {
    entry const call;
    return persistent(call, {buffer, count, type, destination, tag, communicator}, send_mode::ready, request,
                      [&] { return call.next().rsend_init_c(buffer, count, type, destination, tag, communicator, request); });
}
#endif

} // extern "C"

} // namespace sode::interpose
