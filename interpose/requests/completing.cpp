// SPDX-License-Identifier: Apache-2.0
// How requests end: MPI's own completion first, then ours. A receive is moved when MPI says that its record has come; a send by the
// buffer is finished when the receiver says so. All else is MPI's.
#include "interpose/requests/layer.hpp"

#include <algorithm>

namespace sode::interpose {

namespace {

/// Statuses for all, wherever the user wants them or not.
class wanted_statuses {
public:
    wanted_statuses(MPI_Status* callers, int count)
        : own_(callers == MPI_STATUSES_IGNORE ? static_cast<std::size_t>(count) : 0),
          statuses_(callers == MPI_STATUSES_IGNORE ? own_.data() : callers) {}
    [[nodiscard]] MPI_Status* get() noexcept { return statuses_; }

private:
    scratch<MPI_Status> own_;
    MPI_Status* statuses_;
};

} // namespace

layer::taken_requests::taken_requests(request_table& table, int count, MPI_Request const* requests) : table_(table) {
    for (int i = 0; i < count; ++i)
        if (requests[i] != MPI_REQUEST_NULL)
            if (auto t = table.take(requests[i])) list.push_back({i, requests[i], std::move(t)});
}

layer::taken_requests::~taken_requests() {
    for (one& t : list)
        if (t.what) table_.put(t.handle, std::move(t.what));
}

bool layer::unfinished(tracked_request& t) {
    if (t.slot && !outbox_.finished(*t.slot)) return true;
    int ended = 1;
    if (t.goes_by_mpi()) mpi_itself().test(&t.by_mpi, &ended, MPI_STATUS_IGNORE);
    return ended == 0;
}

/// One that MPI would pass over, because it knows nothing of it.
layer::taken_requests::one* layer::ended_without_mpi(taken_requests& mine) {
    auto const at = std::find_if(mine.list.begin(), mine.list.end(),
                                 [this](auto const& t) { return t.what->unstarted && !unfinished(*t.what); });
    return at == mine.list.end() ? nullptr : &*at;
}

/// The request, which MPI has completed with `status` and `result`, is over; a persistent one goes back to sleep. Waits for the
/// receiver of a send.
int layer::conclude(taken_requests::one& ended, MPI_Status& status, int result) {
    tracked_request& t = *ended.what;
    if (t.receives) {
        if (t.arrived) {
            tell(status, t.status);
            result = t.result == MPI_SUCCESS ? result : raise(t.communicator, t.result);
        } else if (t.active) {
            bool const ours = (result != MPI_SUCCESS || has_length_of_record(status)) && read(t);
            if (ours) result = received(t.where, t.communicator, status, result);
        }
    } else if (t.slot) {
        int cancelled = 0;
        PMPI_Test_cancelled(&status, &cancelled);
        if (cancelled != 0)
            outbox_.withdraw(*t.slot);
        else
            result = await(*t.slot, t.communicator);
        t.slot.reset();
    }
    if (t.unstarted && !t.receives) PMPI_Status_set_cancelled(&status, 0); // MPI has not written it
    if (t.goes_by_mpi()) {
        int const sent = mpi_itself().wait(&t.by_mpi, MPI_STATUS_IGNORE);
        if (result == MPI_SUCCESS) result = sent;
    }
    t.active = t.arrived = t.plain = t.unstarted = false;
    if (!t.persistent) ended.what.reset();
    return result;
}

int layer::wait(entry const& call, MPI_Request* request, MPI_Status* status) {
    taken_requests mine{requests_, 1, request};
    if (mine.list.empty()) return call.next().wait(request, status);
    wanted_status told{status};
    return conclude(mine.list.front(), *told, call.next().wait(request, told.get()));
}

int layer::test(entry const& call, MPI_Request* request, int* flag, MPI_Status* status) {
    taken_requests mine{requests_, 1, request};
    if (mine.list.empty()) return call.next().test(request, flag, status);
    if (unfinished(*mine.list.front().what)) {
        *flag = 0;
        return go_on_with_others(mine);
    }
    wanted_status told{status};
    int const result = call.next().test(request, flag, told.get());
    if (result == MPI_SUCCESS && *flag == 0) return result;
    return conclude(mine.list.front(), *told, result);
}

/// Where a call ends before MPI was asked. Somebody may wait for what we receive, as we wait for what we send.
int layer::go_on_with_others(taken_requests& mine) {
    for (taken_requests::one& t : mine.list) static_cast<void>(poll(t.handle, *t.what));
    progress();
    return give_mpi_its_turn();
}

int layer::give_mpi_its_turn() {
    int flag = 0; // not of this process alone: of that MPICH 4.0 sees at a glance that nothing has come
    return mpi_itself().iprobe(MPI_ANY_SOURCE, 0, here_.ranks().communicator(), &flag, MPI_STATUS_IGNORE);
}

/// Concludes all of `mine`, which MPI has completed: receives first, because their senders may wait for us while we wait for the
/// receivers of our sends. `index` is the place among the statuses.
int layer::conclude_all(taken_requests& mine, MPI_Status* statuses, int count, int result) {
    int kind = MPI_SUCCESS;
    PMPI_Error_class(result, &kind);
    if (result != MPI_SUCCESS && kind != MPI_ERR_IN_STATUS) return result;
    bool failed = false;
    for (bool const receives : {true, false})
        for (taken_requests::one& t : mine.list) {
            if (!t.what || t.index < 0 || t.what->receives != receives) continue;
            MPI_Status& status = statuses[t.index];
            int const own = kind == MPI_ERR_IN_STATUS ? status.MPI_ERROR : MPI_SUCCESS;
            if (own == MPI_ERR_PENDING) continue;
            int const ended = conclude(t, status, own);
            if (ended == own) continue;
            if (kind != MPI_ERR_IN_STATUS && !failed)
                for (int i = 0; i < count; ++i) statuses[i].MPI_ERROR = MPI_SUCCESS;
            failed = true;
            status.MPI_ERROR = ended;
        }
    return failed ? MPI_ERR_IN_STATUS : result;
}

int layer::waitall(entry const& call, int count, MPI_Request* requests, MPI_Status* statuses) {
    taken_requests mine{requests_, count, requests};
    if (mine.list.empty()) return call.next().waitall(count, requests, statuses);
    wanted_statuses told{statuses, count};
    return conclude_all(mine, told.get(), count, call.next().waitall(count, requests, told.get()));
}

int layer::testall(entry const& call, int count, MPI_Request* requests, int* flag, MPI_Status* statuses) {
    taken_requests mine{requests_, count, requests};
    if (mine.list.empty()) return call.next().testall(count, requests, flag, statuses);
    for (taken_requests::one& t : mine.list)
        if (unfinished(*t.what)) {
            *flag = 0;
            return go_on_with_others(mine);
        }
    wanted_statuses told{statuses, count};
    int const result = call.next().testall(count, requests, flag, told.get());
    if (result == MPI_SUCCESS && *flag == 0) return result;
    return conclude_all(mine, told.get(), count, result);
}

/// Calls `test(requests, any_hidden)` on the requests without the sends whose receivers still need the buffer: those are not
/// complete, whatever MPI says. Where `wait`, until it returns true.
template <class Test> void layer::masked(taken_requests& mine, int count, MPI_Request* requests, bool wait, Test const& test) {
    scratch<MPI_Request> shown{static_cast<std::size_t>(count)}, before;
    waiter w{here_.waiting()};
    while (true) {
        bool any_hidden = false;
        std::copy(requests, requests + count, shown.begin());
        for (taken_requests::one& t : mine.list)
            if (unfinished(*t.what)) {
                shown[static_cast<std::size_t>(t.index)] = MPI_REQUEST_NULL;
                any_hidden = true;
            }
        before.assign(shown.begin(), shown.end());
        bool const over = test(shown.data(), any_hidden);
        for (std::size_t i = 0; i < shown.size(); ++i)
            if (shown[i] != before[i]) requests[i] = shown[i];
        if (over) return;
        if (wait || any_hidden) progress();
        if (!wait) return;
        static_cast<void>(w.step());
    }
}

int layer::any(entry const& call, taken_requests& mine, int count, MPI_Request* requests, int* index, int* flag, MPI_Status* status,
               bool wait) {
    wanted_status told{status};
    int result = MPI_SUCCESS;
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
    return result;
}

int layer::waitany(entry const& call, int count, MPI_Request* requests, int* index, MPI_Status* status) {
    taken_requests mine{requests_, count, requests};
    if (mine.list.empty()) return call.next().waitany(count, requests, index, status);
    int flag = 0;
    return any(call, mine, count, requests, index, &flag, status, true);
}

int layer::testany(entry const& call, int count, MPI_Request* requests, int* index, int* flag, MPI_Status* status) {
    taken_requests mine{requests_, count, requests};
    if (mine.list.empty()) return call.next().testany(count, requests, index, flag, status);
    return any(call, mine, count, requests, index, flag, status, false);
}

int layer::some(entry const& call, taken_requests& mine, int count, MPI_Request* requests, int* done, int* indices,
                MPI_Status* statuses, bool wait) {
    wanted_statuses told{statuses, count};
    int result = MPI_SUCCESS;
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
    for (taken_requests::one& t : mine.list) {
        // The statuses are in the order of the indices.
        auto const* const place = std::find(static_cast<int const*>(indices), last, t.index);
        t.index = place == last ? -1 : static_cast<int>(place - indices);
    }
    return conclude_all(mine, told.get(), std::max(0, *done), result);
}

int layer::waitsome(entry const& call, int count, MPI_Request* requests, int* done, int* indices, MPI_Status* statuses) {
    taken_requests mine{requests_, count, requests};
    if (mine.list.empty()) return call.next().waitsome(count, requests, done, indices, statuses);
    return some(call, mine, count, requests, done, indices, statuses, true);
}

int layer::testsome(entry const& call, int count, MPI_Request* requests, int* done, int* indices, MPI_Status* statuses) {
    taken_requests mine{requests_, count, requests};
    if (mine.list.empty()) return call.next().testsome(count, requests, done, indices, statuses);
    return some(call, mine, count, requests, done, indices, statuses, false);
}

int layer::request_free(entry const& call, MPI_Request* request) {
    auto t = requests_.take(*request);
    if (!t) return call.next().request_free(request);
    if (t->receives && t->active && !t->arrived && !t->plain) {
        // What comes must still be moved: the handle lives on until then.
        t->orphaned = true;
        requests_.put(*request, std::move(t));
        *request = MPI_REQUEST_NULL;
        return MPI_SUCCESS;
    }
    if (t->slot) outbox_.leave(*t->slot);
    if (t->by_mpi != MPI_REQUEST_NULL) mpi_itself().request_free(&t->by_mpi);
    // What MPI may not have sent yet.
    if (t->again && t->active) outbox_.keep(std::shared_ptr<repeated_send>{std::move(t->again)});
    if (t->copy) outbox_.keep(std::move(t->copy));
    return call.next().request_free(request);
}

int layer::get_status(entry const& call, MPI_Request request, int* flag, MPI_Status* status) {
    taken_requests mine{requests_, 1, &request};
    if (mine.list.empty()) return call.next().request_get_status(request, flag, status);
    tracked_request& t = *mine.list.front().what;
    wanted_status told{status};
    int const result = call.next().request_get_status(request, flag, told.get());
    if (result != MPI_SUCCESS || *flag == 0) return result;
    if (unfinished(t)) *flag = 0;
    static_cast<void>(poll(request, t));
    if (t.arrived) tell(*told, t.status);
    return result;
}

} // namespace sode::interpose
