// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interpose/collective/begun_completer.hpp"
#include "interpose/requests/layer.hpp"

namespace sode::internal::interpose::wrap {

/// The layer, if it knows of any request at all.
inline layer* concerned(entry const& call) noexcept {
    layer* const l = call.active();
    return l == nullptr || l->requests.empty() ? nullptr : l;
}

/// Nonblocking collectives of plans, if any is under way.
inline collective_service* begun_with(entry const& call) noexcept {
    if (call.active() == nullptr) return nullptr;
    auto* const all = serving.load(std::memory_order_acquire);
    return all == nullptr || all->begun().empty() ? nullptr : all;
}

template <auto Next, auto Ours, auto Begun, class... Arguments> int completed(Arguments... a) {
    entry const call;
    if (auto* const all = begun_with(call)) {
        begun_completer completes{*all, call, *call.active()};
        return (completes.*Begun)(a...);
    }
    layer* const l = concerned(call);
    return l == nullptr ? (call.next().*Next)(a...) : (l->completes.*Ours)(call, a...);
}

template <auto Next, class... Arguments> int wait(Arguments... a) {
    return completed<Next, &completer::wait, &begun_completer::wait>(a...);
}
template <auto Next, class... Arguments> int test(Arguments... a) {
    return completed<Next, &completer::test, &begun_completer::test>(a...);
}
template <auto Next, class... Arguments> int waitall(Arguments... a) {
    return completed<Next, &completer::waitall, &begun_completer::waitall>(a...);
}
template <auto Next, class... Arguments> int testall(Arguments... a) {
    return completed<Next, &completer::testall, &begun_completer::testall>(a...);
}
template <auto Next, class... Arguments> int waitany(Arguments... a) {
    return completed<Next, &completer::waitany, &begun_completer::waitany>(a...);
}
template <auto Next, class... Arguments> int testany(Arguments... a) {
    return completed<Next, &completer::testany, &begun_completer::testany>(a...);
}
template <auto Next, class... Arguments> int waitsome(Arguments... a) {
    return completed<Next, &completer::waitsome, &begun_completer::waitsome>(a...);
}
template <auto Next, class... Arguments> int testsome(Arguments... a) {
    return completed<Next, &completer::testsome, &begun_completer::testsome>(a...);
}
template <auto Next, class... Arguments> int request_free(Arguments... a) {
    return completed<Next, &completer::request_free, &begun_completer::request_free>(a...);
}
template <auto Next, class... Arguments> int request_get_status(Arguments... a) {
    return completed<Next, &completer::get_status, &begun_completer::get_status>(a...);
}

template <auto Next> int start(MPI_Request* request) {
    entry const call;
    layer* const l = concerned(call);
    return l == nullptr ? (call.next().*Next)(request) : l->completes.start(call, request);
}

template <auto Next> int startall(int count, MPI_Request* requests) {
    entry const call;
    layer* const l = concerned(call);
    if (l == nullptr) return (call.next().*Next)(count, requests);
    for (int i = 0; i < count; ++i)
        if (int const result = l->completes.start(call, requests + i); result != MPI_SUCCESS) return result;
    return MPI_SUCCESS;
}

} // namespace sode::internal::interpose::wrap
