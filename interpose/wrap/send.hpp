// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interpose/calls/straight.hpp"
#include "interpose/requests/layer.hpp"

namespace sode::internal::interpose::wrap {

// The quick way around comes first, in functions of its own: most calls of most programs take it.
template <auto Next, send_mode Mode, class Count>
[[gnu::noinline]] int considered(void const* buffer, Count count, MPI_Datatype type, int destination, int tag,
                                 MPI_Comm communicator) {
    entry const call;
    if (destination == MPI_PROC_NULL) return (call.next().*Next)(buffer, count, type, destination, tag, communicator);
    layer* const l = call.active();
    send_arguments const a{buffer, count, type, destination, tag, communicator};
    if constexpr (Mode != send_mode::synchronous)
        if (l != nullptr)
            if (auto const sent = l->shorts.send(call, a, Mode == send_mode::ready)) return *sent;
    bool const is_standard = Mode != send_mode::synchronous;
    if (l != nullptr && (is_standard ? l->base.concerns_standard(count, type) : l->base.concerns(count, type))) {
        if (auto const sent = l->packs.send(call, a, Mode)) return *sent;
        if (auto const sent = l->sends.send(call, a, Mode)) return *sent;
    }
    int const result = (call.next().*Next)(buffer, count, type, destination, tag, communicator);
    if (result == MPI_SUCCESS)
        l != nullptr && l->shorts.watches(count, type) ? sizes_of_types.doubt(type) : sizes_of_types.meet(type);
    return result;
}

template <auto Next, send_mode Mode, class Count>
int blocking(void const* buffer, Count count, MPI_Datatype type, int destination, int tag, MPI_Comm communicator) {
    if (straight.sends(count, type)) [[likely]]
        return (tool_below().*Next)(buffer, count, type, destination, tag, communicator);
    if (straight.sends_formed(count, type)) return (tool_below().*Next)(buffer, count, type, destination, tag, communicator);
    return considered<Next, Mode>(buffer, count, type, destination, tag, communicator);
}

template <auto Next, auto Ours, send_mode Mode, class Count>
[[gnu::noinline]] int considered_request(void const* buffer, Count count, MPI_Datatype type, int destination, int tag,
                                         MPI_Comm communicator, MPI_Request* request) {
    entry const call;
    if (destination == MPI_PROC_NULL) return (call.next().*Next)(buffer, count, type, destination, tag, communicator, request);
    layer* const l = call.active();
    send_arguments const a{buffer, count, type, destination, tag, communicator};
    constexpr bool is_isend = Ours == &sender::isend;
    constexpr bool is_standard = is_isend && Mode != send_mode::synchronous;
    if constexpr (is_standard)
        if (l != nullptr)
            if (auto const made = l->shorts.isend(call, a, Mode == send_mode::ready, request)) return *made;
    if (l != nullptr && (is_standard ? l->base.concerns_standard(count, type) : l->base.concerns(count, type))) {
        if constexpr (is_isend)
            if (auto const made = l->packs.isend(call, a, Mode, request)) return *made;
        if (auto const made = (l->sends.*Ours)(call, a, Mode, request)) return *made;
    }
    int const result = (call.next().*Next)(buffer, count, type, destination, tag, communicator, request);
    if (result == MPI_SUCCESS)
        l != nullptr && l->shorts.watches(count, type) ? sizes_of_types.doubt(type) : sizes_of_types.meet(type);
    return result;
}

template <auto Next, auto Ours, send_mode Mode, class Count>
int by_request(void const* buffer, Count count, MPI_Datatype type, int destination, int tag, MPI_Comm communicator,
               MPI_Request* request) {
    if (straight.sends(count, type)) [[likely]]
        return (tool_below().*Next)(buffer, count, type, destination, tag, communicator, request);
    if (straight.sends_formed(count, type))
        return (tool_below().*Next)(buffer, count, type, destination, tag, communicator, request);
    return considered_request<Next, Ours, Mode>(buffer, count, type, destination, tag, communicator, request);
}

template <auto Next, class... Arguments> int send(Arguments... a) {
    return blocking<Next, send_mode::standard>(a...);
}
template <auto Next, class... Arguments> int ssend(Arguments... a) {
    return blocking<Next, send_mode::synchronous>(a...);
}
template <auto Next, class... Arguments> int rsend(Arguments... a) {
    return blocking<Next, send_mode::ready>(a...);
}
template <auto Next, class... Arguments> int isend(Arguments... a) {
    return by_request<Next, &sender::isend, send_mode::standard>(a...);
}
template <auto Next, class... Arguments> int issend(Arguments... a) {
    return by_request<Next, &sender::isend, send_mode::synchronous>(a...);
}
template <auto Next, class... Arguments> int irsend(Arguments... a) {
    return by_request<Next, &sender::isend, send_mode::ready>(a...);
}
template <auto Next, class... Arguments> int send_init(Arguments... a) {
    return by_request<Next, &sender::send_init, send_mode::standard>(a...);
}
template <auto Next, class... Arguments> int ssend_init(Arguments... a) {
    return by_request<Next, &sender::send_init, send_mode::synchronous>(a...);
}
template <auto Next, class... Arguments> int rsend_init(Arguments... a) {
    return by_request<Next, &sender::send_init, send_mode::ready>(a...);
}

} // namespace sode::internal::interpose::wrap
