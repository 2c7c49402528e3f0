// SPDX-License-Identifier: Apache-2.0
// How a completer ends some of many receives: MPI says first which of them are over.
#include "interpose/requests/completer.hpp"
#include "interpose/requests/wanted_statuses.hpp"

namespace sode::internal::interpose {

bool completer::may_look_later(int count, MPI_Request const* requests) {
    if (count <= 0 || requests == nullptr) return false; // MPI says what is wrong
    return on_.has_one_thread() && requests_.tracks() && requests_.has_only_receives(count, requests);
}

int completer::conclude_ended(request_table::late_look& look, int count, MPI_Request const* ended, MPI_Status* statuses,
                              int result) {
    taken_requests mine{requests_, look, count, ended};
    noted_requests noted{requests_.noted(), count, ended};
    noted.leave_out(mine);
    return conclude_all(mine, noted, statuses, count, result);
}

int completer::any_receive(entry const& call, int count, MPI_Request* requests, int* index, int* flag, MPI_Status* status,
                           bool wait) {
    scratch<MPI_Request> before;
    before.assign(requests, requests + count);
    request_table::late_look look{requests_};
    wanted_status told{status};
    waiter w{on_.here().waiting()};
    int result = MPI_SUCCESS;
    while (true) {
        *index = MPI_UNDEFINED; // which an error may leave as it is
        result = call.next().testany(count, requests, index, flag, told.get());
        if (result != MPI_SUCCESS || *flag != 0 || !wait) break;
        receiver_.progress();
        static_cast<void>(w.step());
    }
    if (*flag == 0) return result;
    if (*index == MPI_UNDEFINED) {
        tell(*told, empty_status()); // MPICH's MPI_Testany tells nothing of inactive requests
        return result;
    }
    MPI_Request const& ended = before[static_cast<std::size_t>(*index)];
    taken_requests mine{requests_, look, 1, &ended};
    if (!mine.list.empty()) return conclude(mine.list.front(), *told, result);
    noted_requests noted{requests_.noted(), 1, &ended};
    return noted.list.empty() ? result : conclude(noted.list.front(), *told, result);
}

int completer::some_receives(entry const& call, int count, MPI_Request* requests, int* done, int* indices, MPI_Status* statuses,
                             bool wait) {
    scratch<MPI_Request> before, ended;
    before.assign(requests, requests + count);
    request_table::late_look look{requests_};
    wanted_statuses told{statuses, count};
    waiter w{on_.here().waiting()};
    int result = MPI_SUCCESS;
    while (true) {
        *done = MPI_UNDEFINED; // which an error may leave as it is
        result = call.next().testsome(count, requests, done, indices, told.get());
        if (result != MPI_SUCCESS || *done != 0 || !wait) break;
        receiver_.progress();
        static_cast<void>(w.step());
    }
    for (int i = 0; i < *done; ++i) ended.push_back(before[static_cast<std::size_t>(indices[i])]);
    return ended.empty() ? result : conclude_ended(look, *done, ended.data(), told.get(), result);
}

int completer::all_receives(entry const& call, int count, MPI_Request* requests, int* flag, MPI_Status* statuses) {
    scratch<MPI_Request> before;
    before.assign(requests, requests + count);
    request_table::late_look look{requests_};
    wanted_statuses told{statuses, count};
    int const result = call.next().testall(count, requests, flag, told.get());
    if (result == MPI_SUCCESS && *flag == 0) return result;
    return conclude_ended(look, count, before.data(), told.get(), result);
}

} // namespace sode::internal::interpose
