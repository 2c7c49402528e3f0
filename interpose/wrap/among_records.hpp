// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interpose/calls/straight.hpp"
#include "interpose/requests/expected_receives.hpp"
#include "interpose/requests/kept_handles.hpp"
#include "interpose/requests/layer.hpp"

#include <algorithm>
#include <array>

namespace sode::internal::interpose::wrap {

// The ends of noted receives where records go to this rank, but mostly not to these, which are short: a status tells. Nothing else
// is known of the requests.

/// Requests that are over, where records may have come for some of them.
[[gnu::noinline, gnu::cold]] inline int ended_with_records(int count, MPI_Request const* handles, MPI_Status* statuses,
                                                           int result) {
    straight.note_records();
    entry const call;
    layer* const l = call.active();
    return l == nullptr ? result : l->completes.conclude_unseen(count, handles, statuses, result);
}
[[gnu::noinline, gnu::cold]] inline int ended_with_records(MPI_Request handle, MPI_Status* status, int result) {
    straight.note_records();
    entry const call;
    layer* const l = call.active();
    return l == nullptr ? result : l->completes.conclude_unseen(handle, status, result);
}

/// MPI_Wait of a noted receive, where records go to this rank.
template <auto Next> [[gnu::noinline]] int wait_among_records(MPI_Request* request, MPI_Status* status, noted_receive const& r) {
    MPI_Request const handle = *request;
    wanted_status told{status};
    int const result = (tool_below().*Next)(request, told.get());
    bool const plain = result == MPI_SUCCESS && !has_length_of_record(*told) && !r.now.arrived;
    if (!plain) return ended_with_records(handle, told.get(), result);
    straight.requests()->noted().forget(handle);
    return result;
}

/// MPI_Test, likewise.
template <auto Next>
[[gnu::noinline]] int test_among_records(MPI_Request* request, int* flag, MPI_Status* status, noted_receive const& r) {
    MPI_Request const handle = *request;
    wanted_status told{status};
    int const result = (tool_below().*Next)(request, flag, told.get());
    if (result == MPI_SUCCESS && *flag == 0) return result;
    bool const plain = result == MPI_SUCCESS && !has_length_of_record(*told) && !r.now.arrived;
    if (!plain) return ended_with_records(handle, told.get(), result);
    straight.requests()->noted().forget(handle);
    return result;
}

template <auto Next>
[[gnu::noinline]] int expected_among_records(noted_receives& noted, int count, MPI_Request* requests, MPI_Status* statuses) {
    expected_receives mine{noted, count, requests};
    if (mine.empty()) return (tool_below().*Next)(count, requests, statuses);
    std::array<MPI_Status, expected_receives::most> own; // NOLINT: MPI writes what is used
    MPI_Status* const told = statuses == MPI_STATUSES_IGNORE ? own.data() : statuses;
    int const result = (tool_below().*Next)(count, requests, told);
    if (result == MPI_SUCCESS && !mine.may_have_records(told)) [[likely]]
        return result;
    return ended_with_records(count, mine.over(requests).data(), told, result);
}

template <auto Next>
[[gnu::noinline]] int testall_among_records(noted_receives& noted, int count, MPI_Request* requests, int* flag,
                                            MPI_Status* statuses) {
    kept_handles before{noted, count, requests};
    std::array<MPI_Status, kept_handles::most> own; // NOLINT: MPI writes what is used
    MPI_Status* const told = statuses == MPI_STATUSES_IGNORE ? own.data() : statuses;
    int const result = (tool_below().*Next)(count, requests, flag, told);
    if (result == MPI_SUCCESS && *flag == 0) return result;
    bool plain = result == MPI_SUCCESS;
    for (int i = 0; i < count && plain; ++i) plain = !before.may_have_record(i, told[i]);
    if (!plain) return ended_with_records(count, before.over(), told, result);
    before.forget_all(result);
    return result;
}

/// MPI_Waitany and MPI_Testany: `call(status)` may complete one of the requests, and says so by `index`.
template <class Call>
[[gnu::noinline]] int any_among_records(noted_receives& noted, int count, MPI_Request* requests, int* index, MPI_Status* status,
                                        Call const& call) {
    kept_handles before{noted, count, requests};
    wanted_status told{status};
    *index = MPI_UNDEFINED; // which an error may leave as it is
    int const result = call(told.get());
    if (*index == MPI_UNDEFINED) return result;
    if (result != MPI_SUCCESS || before.may_have_record(*index, *told))
        return ended_with_records(before[*index], told.get(), result);
    before.forget(*index, result);
    return result;
}

/// MPI_Waitsome and MPI_Testsome.
template <auto Next>
[[gnu::noinline]] int some_among_records(noted_receives& noted, int count, MPI_Request* requests, int* done, int* indices,
                                         MPI_Status* statuses) {
    kept_handles before{noted, count, requests};
    std::array<MPI_Status, kept_handles::most> own; // NOLINT: MPI writes what is used
    MPI_Status* const told = statuses == MPI_STATUSES_IGNORE ? own.data() : statuses;
    *done = MPI_UNDEFINED;
    int const result = (tool_below().*Next)(count, requests, done, indices, told);
    if (*done == MPI_UNDEFINED) return result;
    bool plain = result == MPI_SUCCESS;
    for (int i = 0; i < *done && plain; ++i) plain = !before.may_have_record(indices[i], told[i]);
    if (!plain) {
        std::array<MPI_Request, kept_handles::most> handles; // NOLINT: what is not used costs nothing
        std::transform(indices, indices + *done, handles.begin(), [&](int i) { return before[i]; });
        return ended_with_records(*done, handles.data(), told, result);
    }
    for (int i = 0; i < *done; ++i) before.forget(indices[i], result);
    return result;
}

} // namespace sode::internal::interpose::wrap
