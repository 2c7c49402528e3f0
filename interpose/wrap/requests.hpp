// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interpose/calls/straight.hpp"
#include "interpose/collective/begun_completer.hpp"
#include "interpose/requests/expected_receives.hpp"
#include "interpose/requests/kept_handles.hpp"
#include "interpose/requests/layer.hpp"
#include "interpose/wrap/among_records.hpp"

#include <algorithm>
#include <array>

namespace sode::internal::interpose::wrap {

/// The layer, if it knows of any request at all.
inline layer* concerned(entry const& call) {
    layer* const l = call.active();
    if (l == nullptr || l->requests.empty()) return nullptr;
    l->receives.attend();
    return l;
}

/// Nonblocking collectives of plans, if any is under way.
inline collective_service* begun_of_plans() noexcept {
    auto* const all = serving.load(std::memory_order_acquire);
    return all == nullptr || all->begun().empty() ? nullptr : all;
}

template <auto Next, auto Ours, auto Begun, class... Arguments> [[gnu::noinline]] int completed(Arguments... a) {
    entry const call;
    if (auto* const all = call.active() == nullptr ? nullptr : begun_of_plans()) {
        begun_completer completes{*all, call, *call.active()};
        return (completes.*Begun)(a...);
    }
    layer* const l = concerned(call);
    return l == nullptr ? (call.next().*Next)(a...) : (l->completes.*Ours)(call, a...);
}

/// Whether records go to this rank. From then on long receives are looked at closely.
inline bool has_noticed_records() noexcept {
    if (!straight.has_met_records()) [[likely]]
        return false;
    straight.note_records();
    return true;
}

/// The noted receives, if the layer knows of no other requests: then most that is to be done is to forget them. Null: a closer look
/// is needed.
inline noted_receives* only_noted() noexcept {
    request_table* const all = straight.requests();
    return all == nullptr || all->tracks() || begun_of_plans() != nullptr ? nullptr : &all->noted();
}
/// Noted receives of which nobody knows whether they are records, and of which some are long: those need a closer look.
inline bool has_long_among_records(noted_receives& noted) noexcept {
    return !noted.empty() && has_noticed_records() && noted.has_long();
}

/// The end of a call that has completed all requests, where MPI has failed, or records go to this rank, and nobody knew before.
[[gnu::noinline, gnu::cold]] inline int ended_otherwise(expected_receives& mine, int count, MPI_Request const* requests,
                                                        MPI_Status* statuses, int result) {
    if (straight.has_met_records()) return ended_with_records(count, mine.over(requests).data(), statuses, result);
    mine.undo(requests);
    return result;
}

template <auto Next> int wait(MPI_Request* request, MPI_Status* status) {
    noted_receives* const noted = only_noted();
    if (noted == nullptr) [[unlikely]]
        return completed<Next, &completer::wait, &begun_completer::wait>(request, status);
    if (noted->empty() || request == nullptr) return (tool_below().*Next)(request, status);
    MPI_Request const handle = *request;
    noted_receive* const r = noted->find(handle);
    if (r == nullptr) return (tool_below().*Next)(request, status);
    if (has_noticed_records())
        return r->now.is_long ? completed<Next, &completer::wait, &begun_completer::wait>(request, status)
                              : wait_among_records<Next>(request, status, *r);
    bool const persistent = r->now.persistent;
    if (!persistent) noted->drop(*r);
    int const result = (tool_below().*Next)(request, status);
    if (result == MPI_SUCCESS && !straight.has_met_records()) [[likely]]
        return result;
    if (!persistent) noted->bring_back(*r, handle);
    if (straight.has_met_records()) return ended_with_records(handle, status, result);
    if (!persistent && *request == MPI_REQUEST_NULL) noted->forget(handle);
    return result;
}

template <auto Next> int test(MPI_Request* request, int* flag, MPI_Status* status) {
    noted_receives* const noted = only_noted();
    if (noted == nullptr) [[unlikely]]
        return completed<Next, &completer::test, &begun_completer::test>(request, flag, status);
    if (noted->empty() || request == nullptr) return (tool_below().*Next)(request, flag, status);
    MPI_Request const handle = *request;
    noted_receive const* const r = noted->find(handle);
    if (r == nullptr) return (tool_below().*Next)(request, flag, status);
    if (has_noticed_records())
        return r->now.is_long ? completed<Next, &completer::test, &begun_completer::test>(request, flag, status)
                              : test_among_records<Next>(request, flag, status, *r);
    std::size_t const had = noted->size();
    int const result = (tool_below().*Next)(request, flag, status);
    if (result == MPI_SUCCESS && *flag == 0) return result;
    if (straight.has_met_records()) [[unlikely]]
        return ended_with_records(handle, status, result);
    bool const unchanged = result == MPI_SUCCESS || noted->size() == had; // by an error handler
    if (unchanged && *request == MPI_REQUEST_NULL) noted->forget(handle);
    return result;
}

template <auto Next> [[gnu::noinline]] int expected(noted_receives& noted, int count, MPI_Request* requests, MPI_Status* statuses) {
    expected_receives mine{noted, count, requests};
    if (mine.empty()) return (tool_below().*Next)(count, requests, statuses);
    int const result = (tool_below().*Next)(count, requests, statuses);
    if (result == MPI_SUCCESS && !straight.has_met_records()) [[likely]]
        return result;
    return ended_otherwise(mine, count, requests, statuses, result);
}

template <auto Next> int waitall(int count, MPI_Request* requests, MPI_Status* statuses) {
    noted_receives* const noted = only_noted();
    if (noted == nullptr || count > expected_receives::most) [[unlikely]]
        return completed<Next, &completer::waitall, &begun_completer::waitall>(count, requests, statuses);
    if (noted->empty() || requests == nullptr) return (tool_below().*Next)(count, requests, statuses);
    if (!has_noticed_records()) return expected<Next>(*noted, count, requests, statuses);
    return noted->has_long() ? completed<Next, &completer::waitall, &begun_completer::waitall>(count, requests, statuses)
                             : expected_among_records<Next>(*noted, count, requests, statuses);
}

template <auto Next>
[[gnu::noinline]] int expected_test(noted_receives& noted, int count, MPI_Request* requests, int* flag, MPI_Status* statuses) {
    kept_handles before{noted, count, requests};
    int const result = (tool_below().*Next)(count, requests, flag, statuses);
    if (result == MPI_SUCCESS && *flag == 0) return result;
    if (straight.has_met_records()) [[unlikely]]
        return ended_with_records(count, before.over(), statuses, result);
    before.forget_all(result);
    return result;
}

template <auto Next> int testall(int count, MPI_Request* requests, int* flag, MPI_Status* statuses) {
    noted_receives* const noted = only_noted();
    if (noted == nullptr || count > kept_handles::most || has_long_among_records(*noted)) [[unlikely]]
        return completed<Next, &completer::testall, &begun_completer::testall>(count, requests, flag, statuses);
    if (noted->empty() || requests == nullptr) return (tool_below().*Next)(count, requests, flag, statuses);
    return straight.has_met_records() ? testall_among_records<Next>(*noted, count, requests, flag, statuses)
                                      : expected_test<Next>(*noted, count, requests, flag, statuses);
}

template <auto Next> int waitany(int count, MPI_Request* requests, int* index, MPI_Status* status) {
    noted_receives* const noted = only_noted();
    if (noted == nullptr || count > kept_handles::most || has_long_among_records(*noted)) [[unlikely]]
        return completed<Next, &completer::waitany, &begun_completer::waitany>(count, requests, index, status);
    if (noted->empty() || requests == nullptr || index == nullptr) return (tool_below().*Next)(count, requests, index, status);
    if (straight.has_met_records())
        return any_among_records(*noted, count, requests, index, status,
                                 [&](MPI_Status* told) { return (tool_below().*Next)(count, requests, index, told); });
    kept_handles before{*noted, count, requests};
    *index = MPI_UNDEFINED; // which an error may leave as it is
    int const result = (tool_below().*Next)(count, requests, index, status);
    if (*index == MPI_UNDEFINED) return result;
    if (straight.has_met_records()) [[unlikely]]
        return ended_with_records(before[*index], status, result);
    before.forget(*index, result);
    return result;
}

template <auto Next> int testany(int count, MPI_Request* requests, int* index, int* flag, MPI_Status* status) {
    noted_receives* const noted = only_noted();
    if (noted == nullptr || count > kept_handles::most || has_long_among_records(*noted)) [[unlikely]]
        return completed<Next, &completer::testany, &begun_completer::testany>(count, requests, index, flag, status);
    if (noted->empty() || requests == nullptr || index == nullptr)
        return (tool_below().*Next)(count, requests, index, flag, status);
    // MPICH's says nothing of inactive requests: then a closer look tells the user.
    auto const tells_nothing = [&](int result) { return result == MPI_SUCCESS && *flag != 0 && *index == MPI_UNDEFINED; };
    if (straight.has_met_records()) {
        int const result = any_among_records(*noted, count, requests, index, status, [&](MPI_Status* told) {
            return (tool_below().*Next)(count, requests, index, flag, told);
        });
        return tells_nothing(result)
                   ? completed<Next, &completer::testany, &begun_completer::testany>(count, requests, index, flag, status)
                   : result;
    }
    kept_handles before{*noted, count, requests};
    *index = MPI_UNDEFINED;
    int const result = (tool_below().*Next)(count, requests, index, flag, status);
    if (tells_nothing(result))
        return completed<Next, &completer::testany, &begun_completer::testany>(count, requests, index, flag, status);
    if (*index == MPI_UNDEFINED) return result;
    if (straight.has_met_records()) [[unlikely]]
        return ended_with_records(before[*index], status, result);
    before.forget(*index, result);
    return result;
}

/// What MPI_Waitsome and MPI_Testsome have in common.
template <auto Next, auto Ours, auto Begun>
int some(int count, MPI_Request* requests, int* done, int* indices, MPI_Status* statuses) {
    noted_receives* const noted = only_noted();
    if (noted == nullptr || count > kept_handles::most || has_long_among_records(*noted)) [[unlikely]]
        return completed<Next, Ours, Begun>(count, requests, done, indices, statuses);
    if (noted->empty() || requests == nullptr || done == nullptr)
        return (tool_below().*Next)(count, requests, done, indices, statuses);
    if (straight.has_met_records()) return some_among_records<Next>(*noted, count, requests, done, indices, statuses);
    kept_handles before{*noted, count, requests};
    *done = MPI_UNDEFINED;
    int const result = (tool_below().*Next)(count, requests, done, indices, statuses);
    if (*done == MPI_UNDEFINED) return result;
    if (straight.has_met_records()) [[unlikely]] {
        std::array<MPI_Request, kept_handles::most> handles; // NOLINT: what is not used costs nothing
        std::transform(indices, indices + *done, handles.begin(), [&](int i) { return before[i]; });
        return ended_with_records(*done, handles.data(), statuses, result);
    }
    for (int i = 0; i < *done; ++i) before.forget(indices[i], result);
    return result;
}
template <auto Next, class... Arguments> int waitsome(Arguments... a) {
    return some<Next, &completer::waitsome, &begun_completer::waitsome>(a...);
}
template <auto Next, class... Arguments> int testsome(Arguments... a) {
    return some<Next, &completer::testsome, &begun_completer::testsome>(a...);
}

template <auto Next, class... Arguments> int request_free(Arguments... a) {
    return completed<Next, &completer::request_free, &begun_completer::request_free>(a...);
}
template <auto Next, class... Arguments> int request_get_status(Arguments... a) {
    return completed<Next, &completer::get_status, &begun_completer::get_status>(a...);
}

/// Whether MPI may start requests without us: noted ones need nothing as long as there are no records.
inline bool starts_straight() noexcept {
    request_table* const all = straight.requests();
    return all != nullptr && !all->tracks();
}

template <auto Next> [[gnu::noinline]] int considered_start(MPI_Request* request) {
    entry const call;
    layer* const l = concerned(call);
    return l == nullptr ? (call.next().*Next)(request) : l->completes.start(call, request);
}

template <auto Next> int start(MPI_Request* request) {
    return starts_straight() ? (tool_below().*Next)(request) : considered_start<Next>(request);
}

template <auto Next> [[gnu::noinline]] int considered_startall(int count, MPI_Request* requests) {
    entry const call;
    layer* const l = concerned(call);
    if (l == nullptr || count <= 0 || requests == nullptr) return (call.next().*Next)(count, requests);
    for (int i = 0; i < count; ++i)
        if (int const result = l->completes.start(call, requests + i); result != MPI_SUCCESS) return result;
    return MPI_SUCCESS;
}

template <auto Next> int startall(int count, MPI_Request* requests) {
    return starts_straight() ? (tool_below().*Next)(count, requests) : considered_startall<Next>(count, requests);
}

} // namespace sode::internal::interpose::wrap
