// SPDX-License-Identifier: Apache-2.0
// How requests end: MPI's own completion first, then ours. A receive is moved when MPI says that its record has come; a send by the
// buffer is finished when the receiver says so. All else is MPI's.
#include "layer.hpp"

#include <algorithm>

namespace sode::interpose {

namespace {

using indexed_request = std::pair<int, MPI_Request>;

/// Statuses for all, wherever the user wants them or not.
class wanted_statuses {
public:
    wanted_statuses(MPI_Status* callers, int count)
        : own_(callers == MPI_STATUSES_IGNORE ? static_cast<std::size_t>(count) : 0),
          statuses_(callers == MPI_STATUSES_IGNORE ? own_.data() : callers) {}
    [[nodiscard]] MPI_Status* get() noexcept { return statuses_; }

private:
    std::vector<MPI_Status> own_;
    MPI_Status* statuses_;
};

} // namespace

bool layer::unfinished(tracked_request const& entry) {
    return entry.slot && !outbox_.finished(*entry.slot);
}

/// The request, which MPI has completed with `status` and `result`, is over. `request` is its handle from before. Waits for the
/// receiver of a send.
int layer::conclude(MPI_Request request, tracked_request& entry, MPI_Status& status, int result) {
    if (entry.receives) {
        if (entry.arrived) {
            int const kept = status.MPI_ERROR; // only calls that complete several requests set it
            status = entry.status;
            status.MPI_ERROR = kept;
            result = entry.result == MPI_SUCCESS ? result : raise(entry.communicator, entry.result);
        } else if (entry.active) {
            result = received(entry.where, entry.communicator, status, result);
        }
        if (entry.persistent && entry.active) requests_.count_receive(-1);
    } else if (entry.slot) {
        int cancelled = 0;
        PMPI_Test_cancelled(&status, &cancelled);
        if (cancelled != 0)
            outbox_.withdraw(*entry.slot);
        else
            result = await(*entry.slot, entry.communicator);
        entry.slot.reset();
    }
    if (entry.persistent) {
        entry.active = entry.arrived = entry.plain = entry.owned = entry.unstarted = false;
        return result;
    }
    requests_.erase(request);
    return result;
}

int layer::wait(entry const& call, MPI_Request* request, MPI_Status* status) {
    tracked_request* const t = requests_.find(*request);
    if (t == nullptr) return call.next().wait(request, status);
    MPI_Request const handle = *request;
    requests_.own(*t);
    wanted_status told{status};
    int const result = call.next().wait(request, told.get());
    return conclude(handle, *t, *told, result);
}

int layer::test(entry const& call, MPI_Request* request, int* flag, MPI_Status* status) {
    tracked_request* const t = requests_.find(*request);
    if (t == nullptr) return call.next().test(request, flag, status);
    if (unfinished(*t)) {
        // The request of the record stays, whether it is done or not; but MPI gets its turn.
        *flag = 0;
        int done = 0;
        return mpi_itself().request_get_status(*request, &done, MPI_STATUS_IGNORE);
    }
    MPI_Request const handle = *request;
    requests_.own(*t);
    wanted_status told{status};
    int const result = call.next().test(request, flag, told.get());
    if (result == MPI_SUCCESS && *flag == 0) {
        t->owned = false;
        return result;
    }
    return conclude(handle, *t, *told, result);
}

/// Concludes those of `tracked` (index and handle from before), all of which MPI has completed: receives first, because their
/// senders may wait for us while we wait for the receivers of our sends.
int layer::conclude_all(std::vector<indexed_request> const& tracked, MPI_Status* statuses, int count, int result) {
    int kind = MPI_SUCCESS;
    PMPI_Error_class(result, &kind);
    if (result != MPI_SUCCESS && kind != MPI_ERR_IN_STATUS) return result;
    bool failed = false;
    for (bool const receives : {true, false})
        for (auto const& [index, handle] : tracked) {
            tracked_request* const t = requests_.find(handle);
            if (t == nullptr || t->receives != receives) continue;
            MPI_Status& status = statuses[index];
            int const own = kind == MPI_ERR_IN_STATUS ? status.MPI_ERROR : MPI_SUCCESS;
            if (own == MPI_ERR_PENDING) {
                t->owned = false;
                continue;
            }
            int const ended = conclude(handle, *t, status, own);
            if (ended == own) continue;
            if (kind != MPI_ERR_IN_STATUS && !failed)
                for (int i = 0; i < count; ++i) statuses[i].MPI_ERROR = MPI_SUCCESS;
            failed = true;
            status.MPI_ERROR = ended;
        }
    return failed ? MPI_ERR_IN_STATUS : result;
}

std::vector<indexed_request> layer::tracked_of(int count, MPI_Request const* requests) {
    std::vector<indexed_request> found;
    for (int i = 0; i < count; ++i)
        if (requests[i] != MPI_REQUEST_NULL && requests_.find(requests[i]) != nullptr) found.emplace_back(i, requests[i]);
    return found;
}

/// Others may look at the requests again.
void layer::release(std::vector<indexed_request> const& tracked) {
    for (auto const& [index, handle] : tracked) requests_.find(handle)->owned = false;
}

int layer::waitall(entry const& call, int count, MPI_Request* requests, MPI_Status* statuses) {
    auto const tracked = tracked_of(count, requests);
    if (tracked.empty()) return call.next().waitall(count, requests, statuses);
    for (auto const& [index, handle] : tracked) requests_.own(*requests_.find(handle));
    wanted_statuses told{statuses, count};
    return conclude_all(tracked, told.get(), count, call.next().waitall(count, requests, told.get()));
}

int layer::testall(entry const& call, int count, MPI_Request* requests, int* flag, MPI_Status* statuses) {
    auto const tracked = tracked_of(count, requests);
    if (tracked.empty()) return call.next().testall(count, requests, flag, statuses);
    for (auto const& [index, handle] : tracked)
        if (unfinished(*requests_.find(handle))) {
            *flag = 0;
            int done = 0;
            return mpi_itself().request_get_status(handle, &done, MPI_STATUS_IGNORE);
        }
    for (auto const& [index, handle] : tracked) requests_.own(*requests_.find(handle));
    wanted_statuses told{statuses, count};
    int const result = call.next().testall(count, requests, flag, told.get());
    if (result == MPI_SUCCESS && *flag == 0) {
        release(tracked);
        return result;
    }
    return conclude_all(tracked, told.get(), count, result);
}

/// Calls `test(requests)` on the requests without the sends whose receivers still need the buffer: those are not complete, whatever
/// MPI says. Where `wait`, until it returns true.
template <class Test> void layer::masked(int count, MPI_Request* requests, bool wait, Test const& test) {
    std::vector<MPI_Request> shown(static_cast<std::size_t>(count));
    std::vector<bool> hidden(shown.size());
    waiter w{here_.waiting()};
    while (true) {
        bool any_hidden = false;
        for (std::size_t i = 0; i < shown.size(); ++i) {
            tracked_request* const t = requests[i] == MPI_REQUEST_NULL ? nullptr : requests_.find(requests[i]);
            hidden[i] = t != nullptr && unfinished(*t);
            any_hidden = any_hidden || hidden[i];
            shown[i] = hidden[i] ? MPI_REQUEST_NULL : requests[i];
        }
        bool const over = test(shown.data(), any_hidden);
        for (std::size_t i = 0; i < shown.size(); ++i)
            if (!hidden[i]) requests[i] = shown[i];
        if (over || !wait) return;
        progress();
        static_cast<void>(w.step());
    }
}

int layer::waitany(entry const& call, int count, MPI_Request* requests, int* index, MPI_Status* status) {
    auto const tracked = tracked_of(count, requests);
    if (tracked.empty()) return call.next().waitany(count, requests, index, status);
    int flag = 0;
    return any(call, tracked, count, requests, index, &flag, status, true);
}

int layer::testany(entry const& call, int count, MPI_Request* requests, int* index, int* flag, MPI_Status* status) {
    auto const tracked = tracked_of(count, requests);
    if (tracked.empty()) return call.next().testany(count, requests, index, flag, status);
    return any(call, tracked, count, requests, index, flag, status, false);
}

int layer::any(entry const& call, std::vector<indexed_request> const& tracked, int count, MPI_Request* requests, int* index,
               int* flag, MPI_Status* status, bool wait) {
    wanted_status told{status};
    for (auto const& [i, handle] : tracked) {
        tracked_request& t = *requests_.find(handle);
        requests_.own(t);
        if (!t.unstarted) continue; // MPI would pass over it
        *index = i;
        *flag = 1;
        release(tracked);
        return conclude(handle, t, *told, MPI_SUCCESS);
    }
    int result = MPI_SUCCESS;
    masked(count, requests, wait, [&](MPI_Request* shown, bool any_hidden) {
        result = call.next().testany(count, shown, index, flag, told.get());
        if (result == MPI_SUCCESS && *flag != 0 && *index == MPI_UNDEFINED && any_hidden) *flag = 0;
        return result != MPI_SUCCESS || *flag != 0;
    });
    release(tracked);
    for (auto const& [i, handle] : tracked)
        if (*flag != 0 && i == *index) return conclude(handle, *requests_.find(handle), *told, result);
    return result;
}

int layer::waitsome(entry const& call, int count, MPI_Request* requests, int* done, int* indices, MPI_Status* statuses) {
    auto const tracked = tracked_of(count, requests);
    if (tracked.empty()) return call.next().waitsome(count, requests, done, indices, statuses);
    return some(call, tracked, count, requests, done, indices, statuses, true);
}

int layer::testsome(entry const& call, int count, MPI_Request* requests, int* done, int* indices, MPI_Status* statuses) {
    auto const tracked = tracked_of(count, requests);
    if (tracked.empty()) return call.next().testsome(count, requests, done, indices, statuses);
    return some(call, tracked, count, requests, done, indices, statuses, false);
}

int layer::some(entry const& call, std::vector<indexed_request> const& tracked, int count, MPI_Request* requests, int* done,
                int* indices, MPI_Status* statuses, bool wait) {
    wanted_statuses told{statuses, count};
    for (auto const& [i, handle] : tracked) {
        tracked_request& t = *requests_.find(handle);
        requests_.own(t);
        if (!t.unstarted) continue; // MPI would pass over it
        *done = 1;
        *indices = i;
        release(tracked);
        return conclude_all({{0, handle}}, told.get(), 1, MPI_SUCCESS);
    }
    int result = MPI_SUCCESS;
    masked(count, requests, wait, [&](MPI_Request* shown, bool any_hidden) {
        result = call.next().testsome(count, shown, done, indices, told.get());
        if (result == MPI_SUCCESS && *done == MPI_UNDEFINED && any_hidden) *done = 0;
        return result != MPI_SUCCESS || *done != 0;
    });
    release(tracked);
    std::vector<indexed_request> ended;
    for (auto const& [i, handle] : tracked) {
        auto const* const last = indices + std::max(0, *done);
        auto const* const place = std::find(static_cast<int const*>(indices), last, i);
        // The statuses are in the order of the indices.
        if (place != last) ended.emplace_back(static_cast<int>(place - indices), handle);
    }
    return conclude_all(ended, told.get(), std::max(0, *done), result);
}

int layer::request_free(entry const& call, MPI_Request* request) {
    tracked_request* const t = requests_.find(*request);
    if (t == nullptr) return call.next().request_free(request);
    if (t->receives && t->active && !t->arrived && !t->plain) {
        // What comes must still be moved: the handle lives on until then.
        t->orphaned = true;
        *request = MPI_REQUEST_NULL;
        return MPI_SUCCESS;
    }
    if (t->slot) outbox_.leave(*t->slot);
    if (t->again) outbox_.keep(std::shared_ptr<repeated_send>{std::move(t->again)}); // the record may not have left yet
    requests_.erase(*request);
    return call.next().request_free(request);
}

int layer::get_status(entry const& call, MPI_Request request, int* flag, MPI_Status* status) {
    tracked_request* const t = requests_.find(request);
    if (t == nullptr) return call.next().request_get_status(request, flag, status);
    wanted_status told{status};
    int const result = call.next().request_get_status(request, flag, told.get());
    if (result != MPI_SUCCESS || *flag == 0) return result;
    if (unfinished(*t)) *flag = 0;
    if (t->receives && t->active) {
        {
            std::lock_guard const lock{requests_.mutex()};
            static_cast<void>(poll(request, *t));
        }
        if (t->arrived) {
            *told = t->status;
            *flag = 1;
        }
    }
    return result;
}

} // namespace sode::interpose
