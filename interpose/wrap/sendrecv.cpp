// SPDX-License-Identifier: Apache-2.0
#include "interpose/requests/layer.hpp"

#include <climits>
#include <type_traits>

namespace sode::interpose {

namespace {

using way = decltype(&layer::sendrecv);
static_assert(std::is_same_v<way, decltype(&layer::sendrecv_replace)>);

template <class Plain>
int exchange(entry const& call, way by, send_arguments const& s, receive_arguments const& r, MPI_Status* status,
             Plain const& plain) {
    layer* const l = call.active();
    if (l == nullptr) return plain(status);
    wanted_status told{status};
    if (r.count <= INT_MAX && (l->has_peeked() || l->concerns(s.count, s.type)))
        if (auto const result = (l->*by)(call, s, r, told.get())) return *result;
    return l->received(r, *told, plain(told.get()));
}

#if MPI_VERSION >= 4
/// The send of these is left to MPI; their receive may meet a record like any other.
template <class Plain>
int begin_exchange(entry const& call, send_arguments const& s, receive_arguments const& r, MPI_Request* request,
                   Plain const& plain) {
    layer* const l = call.active();
    if (l != nullptr && l->has_peeked() && s.count <= INT_MAX)
        if (l->isendrecv_peeked(call, s, r, request)) return MPI_SUCCESS;
    int const result = plain();
    if (l != nullptr && result == MPI_SUCCESS && layer::takes_records(r.count, r.type)) l->track(r, *request, false);
    return result;
}
#endif

} // namespace

extern "C" {

int MPI_Sendrecv(void const* buffer, int count, MPI_Datatype type, int destination, int tag, void* into, int room,
                 MPI_Datatype into_type, int source, int into_tag, MPI_Comm communicator, MPI_Status* status) {
    entry const call;
    auto const plain = [&](MPI_Status* told) {
        return call.next().sendrecv(buffer, count, type, destination, tag, into, room, into_type, source, into_tag, communicator,
                                    told);
    };
    return exchange(call, &layer::sendrecv, {buffer, count, type, destination, tag, communicator},
                    {into, room, into_type, source, into_tag, communicator}, status, plain);
}

int MPI_Sendrecv_replace(void* buffer, int count, MPI_Datatype type, int destination, int tag, int source, int into_tag,
                         MPI_Comm communicator, MPI_Status* status) {
    entry const call;
    auto const plain = [&](MPI_Status* told) {
        return call.next().sendrecv_replace(buffer, count, type, destination, tag, source, into_tag, communicator, told);
    };
    return exchange(call, &layer::sendrecv_replace, {buffer, count, type, destination, tag, communicator},
                    {buffer, count, type, source, into_tag, communicator}, status, plain);
}

#if MPI_VERSION >= 4

int MPI_Sendrecv_c(void const* buffer, MPI_Count count, MPI_Datatype type, int destination, int tag, void* into, MPI_Count room,
                   MPI_Datatype into_type, int source, int into_tag, MPI_Comm communicator, MPI_Status* status) {
    entry const call;
    auto const plain = [&](MPI_Status* told) {
        return call.next().sendrecv_c(buffer, count, type, destination, tag, into, room, into_type, source, into_tag, communicator,
                                      told);
    };
    return exchange(call, &layer::sendrecv, {buffer, count, type, destination, tag, communicator},
                    {into, room, into_type, source, into_tag, communicator}, status, plain);
}

int MPI_Sendrecv_replace_c(void* buffer, MPI_Count count, MPI_Datatype type, int destination, int tag, int source, int into_tag,
                           MPI_Comm communicator, MPI_Status* status) {
    entry const call;
    auto const plain = [&](MPI_Status* told) {
        return call.next().sendrecv_replace_c(buffer, count, type, destination, tag, source, into_tag, communicator, told);
    };
    return exchange(call, &layer::sendrecv_replace, {buffer, count, type, destination, tag, communicator},
                    {buffer, count, type, source, into_tag, communicator}, status, plain);
}

int MPI_Isendrecv(void const* buffer, int count, MPI_Datatype type, int destination, int tag, void* into, int room,
                  MPI_Datatype into_type, int source, int into_tag, MPI_Comm communicator, MPI_Request* request) {
    entry const call;
    return begin_exchange(call, {buffer, count, type, destination, tag, communicator},
                          {into, room, into_type, source, into_tag, communicator}, request, [&] {
                              return call.next().isendrecv(buffer, count, type, destination, tag, into, room, into_type, source,
                                                           into_tag, communicator, request);
                          });
}

int MPI_Isendrecv_replace(void* buffer, int count, MPI_Datatype type, int destination, int tag, int source, int into_tag,
                          MPI_Comm communicator, MPI_Request* request) {
    entry const call;
    return begin_exchange(call, {buffer, count, type, destination, tag, communicator},
                          {buffer, count, type, source, into_tag, communicator}, request, [&] {
                              return call.next().isendrecv_replace(buffer, count, type, destination, tag, source, into_tag,
                                                                   communicator, request);
                          });
}

int MPI_Isendrecv_c(void const* buffer, MPI_Count count, MPI_Datatype type, int destination, int tag, void* into, MPI_Count room,
                    MPI_Datatype into_type, int source, int into_tag, MPI_Comm communicator, MPI_Request* request) {
    entry const call;
    return begin_exchange(call, {buffer, count, type, destination, tag, communicator},
                          {into, room, into_type, source, into_tag, communicator}, request, [&] {
                              return call.next().isendrecv_c(buffer, count, type, destination, tag, into, room, into_type, source,
                                                             into_tag, communicator, request);
                          });
}

int MPI_Isendrecv_replace_c(void* buffer, MPI_Count count, MPI_Datatype type, int destination, int tag, int source, int into_tag,
                            MPI_Comm communicator, MPI_Request* request) {
    entry const call;
    return begin_exchange(call, {buffer, count, type, destination, tag, communicator},
                          {buffer, count, type, source, into_tag, communicator}, request, [&] {
                              return call.next().isendrecv_replace_c(buffer, count, type, destination, tag, source, into_tag,
                                                                     communicator, request);
                          });
}
#endif

} // extern "C"

} // namespace sode::interpose
