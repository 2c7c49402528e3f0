// SPDX-License-Identifier: Apache-2.0
#include "interpose/requests/completer.hpp"

#include "interpose/requests/wanted_statuses.hpp"
#include "interpose/transport/waiting_since.hpp"

#include <algorithm>

namespace sode::internal::interpose {

completer::taken_requests::taken_requests(request_table& table, int count, MPI_Request const* requests) : table_(table) {
    if (!table.tracks() || requests == nullptr) return; // MPI says what is wrong
    for (int i = 0; i < count; ++i)
        if (requests[i] != MPI_REQUEST_NULL)
            if (auto t = table.take(requests[i])) list.push_back({i, requests[i], std::move(t)});
}

completer::taken_requests::taken_requests(request_table& table, request_table::late_look& look, int count, MPI_Request const* ended)
    : table_(table) {
    for (int i = 0; i < count; ++i) {
        if (auto before = look.take_displaced(ended[i]))
            list.push_back({i, ended[i], std::move(before), true});
        else if (auto t = table.take(ended[i]))
            list.push_back({i, ended[i], std::move(t)});
    }
}

completer::taken_requests::~taken_requests() {
    for (one& t : list)
        if (t.what && !t.displaced) table_.put(t.handle, std::move(t.what));
}

completer::noted_requests::noted_requests(noted_receives& all, int count, MPI_Request const* requests) {
    if (all.empty() || requests == nullptr) return;
    for (int i = 0; i < count; ++i)
        if (noted_receive const* const r = all.find(requests[i])) {
            list.push_back({i, requests[i]});
            any_long = any_long || r->now.is_long;
        }
}

void completer::noted_requests::leave_out(taken_requests const& others) {
    auto other = others.list.begin();
    std::erase_if(list, [&](one const& n) { // both are in the order of the user's array
        while (other != others.list.end() && other->index < n.index) ++other;
        return other != others.list.end() && other->index == n.index;
    });
}

/// One that MPI would pass over, because it knows nothing of it.
completer::taken_requests::one* completer::ended_without_mpi(taken_requests& mine) {
    auto const at = std::find_if(mine.list.begin(), mine.list.end(),
                                 [this](auto const& t) { return t.what->unstarted && !sender_.unfinished(*t.what); });
    return at == mine.list.end() ? nullptr : &*at;
}

/// The request, which MPI has completed with `status` and `result`, is over; a persistent one goes back to sleep. Waits for the
/// receiver of a send.
int completer::conclude(taken_requests::one& ended, MPI_Status& status, int result) {
    tracked_request& t = *ended.what;
    result = t.receives ? receiver_.conclude(t, status, result) : sender_.conclude(t, status, result);
    if (t.unstarted && !t.receives) PMPI_Status_set_cancelled(&status, 0); // MPI has not written it
    if (t.goes_by_mpi()) {
        int const sent = mpi_itself().wait(&t.by_mpi, MPI_STATUS_IGNORE);
        if (result == MPI_SUCCESS) result = sent;
    }
    t.active = t.arrived = t.plain = t.unstarted = false;
    if (!t.persistent) ended.what.reset();
    return result;
}

int completer::conclude(noted_requests::one const& ended, MPI_Status& status, int result) {
    noted_receive* const r = requests_.noted().find(ended.handle);
    return r == nullptr ? result : receiver_.conclude(requests_.noted().take(*r), status, result);
}

/// What a status tells that nobody has seen: whether it may be that of a record.
MPI_Status completer::status_of_unseen(MPI_Request handle) {
    MPI_Status status = empty_status();
    noted_receive* const r = requests_.noted().find(handle);
    if (r != nullptr && receiver_.holds_record(*r)) set_bytes(status, static_cast<std::int64_t>(shortest_record));
    return status;
}

int completer::conclude_unseen(int count, MPI_Request const* handles, MPI_Status* statuses, int result) {
    noted_requests noted{requests_.noted(), count, handles};
    taken_requests none{requests_, 0, nullptr};
    if (statuses != MPI_STATUSES_IGNORE) return conclude_all(none, noted, statuses, count, result);
    scratch<MPI_Status> own;
    for (int i = 0; i < count; ++i) own.push_back(status_of_unseen(handles[i]));
    return conclude_all(none, noted, own.data(), count, result);
}

int completer::conclude_unseen(MPI_Request handle, MPI_Status* status, int result) {
    MPI_Status own{};
    if (status == MPI_STATUS_IGNORE) own = status_of_unseen(handle), status = &own;
    return conclude(noted_requests::one{0, handle}, *status, result);
}

int completer::start(entry const& call, MPI_Request* request) {
    if (request == nullptr) return call.next().start(request);
    if (noted_receive* const r = requests_.noted().find(*request)) {
        r->now.arrived = r->now.plain = false;
        if (!prober_.has_peeked()) return call.next().start(request);
        // What was peeked at may be for it.
        auto known = std::make_unique<tracked_request>(receiver_.tracked(*r));
        requests_.put(*request, std::move(known));
    }
    auto t = requests_.take(*request);
    if (!t) return call.next().start(request);
    int const result = t->receives ? prober_.start(call, request, *t) : sender_.start(call, request, *t);
    requests_.put(*request, std::move(t));
    return result;
}

int completer::wait(entry const& call, MPI_Request* request, MPI_Status* status) {
    if (request == nullptr) return call.next().wait(request, status);
    if (noted_receive* const r = requests_.noted().find(*request)) {
        wanted_status told{status};
        waiting_since const now{r->now.is_long && on_.learns()};
        noted_receive mine = requests_.noted().take(*r);
        int const result = call.next().wait(request, told.get());
        return receiver_.conclude(std::move(mine), *told, result);
    }
    taken_requests mine{requests_, 1, request};
    if (mine.list.empty()) return call.next().wait(request, status);
    wanted_status told{status};
    waiting_since const now{on_.learns()};
    return conclude(mine.list.front(), *told, call.next().wait(request, told.get()));
}

int completer::test(entry const& call, MPI_Request* request, int* flag, MPI_Status* status) {
    if (request == nullptr || flag == nullptr) return call.next().test(request, flag, status);
    if (noted_receive* const r = requests_.noted().find(*request)) {
        wanted_status told{status};
        int const result = call.next().test(request, flag, told.get());
        if (result == MPI_SUCCESS && *flag == 0) return result;
        return receiver_.conclude(requests_.noted().take(*r), *told, result);
    }
    taken_requests mine{requests_, 1, request};
    if (mine.list.empty()) return call.next().test(request, flag, status);
    if (sender_.unfinished(*mine.list.front().what)) {
        *flag = 0;
        return go_on_with_others(mine);
    }
    wanted_status told{status};
    int const result = call.next().test(request, flag, told.get());
    if (result == MPI_SUCCESS && *flag == 0) return result;
    return conclude(mine.list.front(), *told, result);
}

/// Where a call ends before MPI was asked. Somebody may wait for what we receive, as we wait for what we send.
int completer::go_on_with_others(taken_requests& mine) {
    for (taken_requests::one& t : mine.list) static_cast<void>(receiver_.poll(t.handle, *t.what));
    receiver_.progress();
    return on_.give_mpi_its_turn();
}

/// Concludes all of `mine`, which MPI has completed: receives first, because their senders may wait for us while we wait for the
/// receivers of our sends. `index` is the place among the statuses.
int completer::conclude_all(taken_requests& mine, noted_requests& noted, MPI_Status* statuses, int count, int result) {
    int kind = MPI_SUCCESS;
    PMPI_Error_class(result, &kind);
    if (result != MPI_SUCCESS && kind != MPI_ERR_IN_STATUS) return result;
    bool failed = false;
    auto const end = [&](auto& one) {
        MPI_Status& status = statuses[one.index];
        int const own = kind == MPI_ERR_IN_STATUS ? status.MPI_ERROR : MPI_SUCCESS;
        if (own == MPI_ERR_PENDING) return;
        int const ended = conclude(one, status, own);
        if (ended == own) return;
        if (kind != MPI_ERR_IN_STATUS && !failed)
            for (int i = 0; i < count; ++i) statuses[i].MPI_ERROR = MPI_SUCCESS;
        failed = true;
        status.MPI_ERROR = ended;
    };
    for (noted_requests::one const& n : noted.list)
        if (n.index >= 0) end(n);
    for (bool const receives : {true, false})
        for (taken_requests::one& t : mine.list)
            if (t.what && t.index >= 0 && t.what->receives == receives) end(t);
    return failed ? MPI_ERR_IN_STATUS : result;
}

int completer::waitall(entry const& call, int count, MPI_Request* requests, MPI_Status* statuses) {
    noted_requests noted{requests_.noted(), count, requests};
    taken_requests mine{requests_, count, requests};
    if (mine.list.empty() && noted.list.empty()) return call.next().waitall(count, requests, statuses);
    wanted_statuses told{statuses, count};
    waiting_since const now{on_.learns() && (noted.any_long || !mine.list.empty())};
    return conclude_all(mine, noted, told.get(), count, call.next().waitall(count, requests, told.get()));
}

int completer::testall(entry const& call, int count, MPI_Request* requests, int* flag, MPI_Status* statuses) {
    if (flag == nullptr) return call.next().testall(count, requests, flag, statuses);
    if (may_look_later(count, requests)) return all_receives(call, count, requests, flag, statuses);
    noted_requests noted{requests_.noted(), count, requests};
    taken_requests mine{requests_, count, requests};
    if (mine.list.empty() && noted.list.empty()) return call.next().testall(count, requests, flag, statuses);
    for (taken_requests::one& t : mine.list)
        if (sender_.unfinished(*t.what)) {
            *flag = 0;
            return go_on_with_others(mine);
        }
    wanted_statuses told{statuses, count};
    int const result = call.next().testall(count, requests, flag, told.get());
    if (result == MPI_SUCCESS && *flag == 0) return result;
    return conclude_all(mine, noted, told.get(), count, result);
}

/// Calls `test(requests, any_hidden)` on the requests without the sends whose receivers still need the buffer: those are not
/// complete, whatever MPI says. Where `wait`, until it returns true.
template <class Test> void completer::masked(taken_requests& mine, int count, MPI_Request* requests, bool wait, Test const& test) {
    scratch<MPI_Request> shown{static_cast<std::size_t>(count)}, before;
    waiter w{on_.here().waiting()};
    while (true) {
        bool any_hidden = false;
        std::copy(requests, requests + count, shown.begin());
        for (taken_requests::one& t : mine.list)
            if (sender_.unfinished(*t.what)) {
                shown[static_cast<std::size_t>(t.index)] = MPI_REQUEST_NULL;
                any_hidden = true;
            }
        before.assign(shown.begin(), shown.end());
        bool const over = test(shown.data(), any_hidden);
        for (std::size_t i = 0; i < shown.size(); ++i)
            if (shown[i] != before[i]) requests[i] = shown[i];
        if (over) return;
        if (wait || any_hidden) receiver_.progress();
        if (!wait) return;
        static_cast<void>(w.step());
    }
}

int completer::any(entry const& call, taken_requests& mine, noted_requests& noted, int count, MPI_Request* requests, int* index,
                   int* flag, MPI_Status* status, bool wait) {
    wanted_status told{status};
    int result = MPI_SUCCESS;
    if (mine.list.empty() && wait) { // no send of ours: MPI may wait
        *flag = 1;
        result = call.next().waitany(count, requests, index, told.get());
    } else
        masked(mine, count, requests, wait, [&](MPI_Request* shown, bool any_hidden) {
            if (auto const* const ended = ended_without_mpi(mine)) {
                *index = ended->index;
                *flag = 1;
                return true;
            }
            result = call.next().testany(count, shown, index, flag, told.get());
            if (result == MPI_SUCCESS && *flag != 0 && *index == MPI_UNDEFINED && any_hidden) *flag = 0;
            return result != MPI_SUCCESS || *flag != 0;
        });
    if (*flag == 0) return result;
    if (*index == MPI_UNDEFINED) tell(*told, empty_status()); // MPICH's MPI_Testany tells nothing of inactive requests
    for (taken_requests::one& t : mine.list)
        if (t.index == *index) return conclude(t, *told, result);
    for (noted_requests::one const& n : noted.list)
        if (n.index == *index) return conclude(n, *told, result);
    return result;
}

int completer::waitany(entry const& call, int count, MPI_Request* requests, int* index, MPI_Status* status) {
    if (index == nullptr) return call.next().waitany(count, requests, index, status);
    int ended = 0;
    if (may_look_later(count, requests)) return any_receive(call, count, requests, index, &ended, status, true);
    noted_requests noted{requests_.noted(), count, requests};
    taken_requests mine{requests_, count, requests};
    if (mine.list.empty() && noted.list.empty()) return call.next().waitany(count, requests, index, status);
    return any(call, mine, noted, count, requests, index, &ended, status, true);
}

int completer::testany(entry const& call, int count, MPI_Request* requests, int* index, int* flag, MPI_Status* status) {
    if (index == nullptr || flag == nullptr) return call.next().testany(count, requests, index, flag, status);
    if (may_look_later(count, requests)) return any_receive(call, count, requests, index, flag, status, false);
    noted_requests noted{requests_.noted(), count, requests};
    taken_requests mine{requests_, count, requests};
    if (mine.list.empty() && noted.list.empty()) return call.next().testany(count, requests, index, flag, status);
    return any(call, mine, noted, count, requests, index, flag, status, false);
}

int completer::some(entry const& call, taken_requests& mine, noted_requests& noted, int count, MPI_Request* requests, int* done,
                    int* indices, MPI_Status* statuses, bool wait) {
    wanted_statuses told{statuses, count};
    int result = MPI_SUCCESS;
    if (mine.list.empty() && wait)
        result = call.next().waitsome(count, requests, done, indices, told.get());
    else
        masked(mine, count, requests, wait, [&](MPI_Request* shown, bool any_hidden) {
            if (auto const* const ended = ended_without_mpi(mine)) {
                *indices = ended->index;
                *done = 1;
                return true;
            }
            result = call.next().testsome(count, shown, done, indices, told.get());
            if (result == MPI_SUCCESS && *done == MPI_UNDEFINED && any_hidden) *done = 0;
            return result != MPI_SUCCESS || *done != 0;
        });
    auto const* const last = indices + std::max(0, *done); // MPI_UNDEFINED is negative
    // The statuses are in the order of the indices.
    auto const place_among_statuses = [&](int index) {
        auto const* const place = std::find(static_cast<int const*>(indices), last, index);
        return place == last ? -1 : static_cast<int>(place - indices);
    };
    for (taken_requests::one& t : mine.list) t.index = place_among_statuses(t.index);
    for (noted_requests::one& n : noted.list) n.index = place_among_statuses(n.index);
    return conclude_all(mine, noted, told.get(), std::max(0, *done), result);
}

int completer::waitsome(entry const& call, int count, MPI_Request* requests, int* done, int* indices, MPI_Status* statuses) {
    if (done == nullptr || indices == nullptr) return call.next().waitsome(count, requests, done, indices, statuses);
    if (may_look_later(count, requests)) return some_receives(call, count, requests, done, indices, statuses, true);
    noted_requests noted{requests_.noted(), count, requests};
    taken_requests mine{requests_, count, requests};
    if (mine.list.empty() && noted.list.empty()) return call.next().waitsome(count, requests, done, indices, statuses);
    return some(call, mine, noted, count, requests, done, indices, statuses, true);
}

int completer::testsome(entry const& call, int count, MPI_Request* requests, int* done, int* indices, MPI_Status* statuses) {
    if (done == nullptr || indices == nullptr) return call.next().testsome(count, requests, done, indices, statuses);
    if (may_look_later(count, requests)) return some_receives(call, count, requests, done, indices, statuses, false);
    noted_requests noted{requests_.noted(), count, requests};
    taken_requests mine{requests_, count, requests};
    if (mine.list.empty() && noted.list.empty()) return call.next().testsome(count, requests, done, indices, statuses);
    return some(call, mine, noted, count, requests, done, indices, statuses, false);
}

int completer::request_free(entry const& call, MPI_Request* request) {
    if (request == nullptr) return call.next().request_free(request);
    auto t = requests_.take(*request);
    if (noted_receive* const r = requests_.noted().find(*request)) {
        t = std::make_unique<tracked_request>(receiver_.tracked(*r));
        requests_.noted().drop(*r);
        // One that nobody has started is complete, and so is one whose message has come.
        if (t->persistent) static_cast<void>(receiver_.poll(*request, *t));
    }
    if (!t) return call.next().request_free(request);
    if (t->receives && t->active && !t->arrived && !t->plain) {
        // What comes must still be moved: the handle lives on until then.
        t->orphaned = true;
        requests_.put(*request, std::move(t));
        *request = MPI_REQUEST_NULL;
        return MPI_SUCCESS;
    }
    sender_.release(*t);
    return call.next().request_free(request);
}

int completer::get_status(entry const& call, MPI_Request request, int* flag, MPI_Status* status) {
    if (flag == nullptr) return call.next().request_get_status(request, flag, status);
    if (noted_receive* const r = requests_.noted().find(request)) {
        wanted_status told{status};
        int const result = call.next().request_get_status(request, flag, told.get());
        if (result != MPI_SUCCESS || *flag == 0) return result;
        receiver_.poll(*r);
        if (r->now.arrived) tell(*told, r->status);
        return result;
    }
    taken_requests mine{requests_, 1, &request};
    if (mine.list.empty()) return call.next().request_get_status(request, flag, status);
    tracked_request& t = *mine.list.front().what;
    wanted_status told{status};
    int const result = call.next().request_get_status(request, flag, told.get());
    if (result != MPI_SUCCESS || *flag == 0) return result;
    if (sender_.unfinished(t)) *flag = 0;
    static_cast<void>(receiver_.poll(request, t));
    if (t.arrived) tell(*told, t.status);
    return result;
}

} // namespace sode::internal::interpose
