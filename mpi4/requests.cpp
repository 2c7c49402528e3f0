// SPDX-License-Identifier: Apache-2.0
// What users do with requests, where some of them are persistent collectives. All of this is MPI's but for those that are under
// way: there the request of the nonblocking collective stands in.
#include "mpi4/held.hpp"
#include "mpi4/next.hpp"
#include "mpi4/repeated.hpp"

#include <sched.h>
#include <vector>

namespace sode::internal::mpi4 {
namespace {

// What MPI is shown in the place of the user's requests, and what it is not shown: plans, which only the layer knows.
class stand_ins {
public:
    stand_ins(int n, MPI_Request* requests) : n_(n), requests_(requests) {
        if (table::empty() || requests == nullptr) return;
        for (int i = 0; i < n; ++i) {
            auto* const one = table::find(requests[i]);
            if (one == nullptr || !one->active()) continue;
            if (shown_.empty()) shown_.assign(requests, requests + n), ours_.resize(shown_.size());
            auto const at = static_cast<std::size_t>(i);
            shown_[at] = one->now;
            if (one->is_planned()) ++planned_;
            ours_[at] = one;
        }
    }
    ~stand_ins() {
        for (std::size_t i = 0; i < shown_.size(); ++i)
            if (ours_[i] != nullptr)
                ours_[i]->now = shown_[i]; // null if it is over: inactive, and the user's handle stays
            else
                requests_[i] = shown_[i];
    }
    stand_ins(stand_ins const&) = delete;
    stand_ins& operator=(stand_ins const&) = delete;
    stand_ins(stand_ins&&) = delete;
    stand_ins& operator=(stand_ins&&) = delete;

    [[nodiscard]] MPI_Request* data() noexcept { return shown_.empty() ? requests_ : shown_.data(); }

    /// Plans among them that are started.
    [[nodiscard]] bool has_planned() const noexcept { return planned_ > 0; }
    [[nodiscard]] bool is_planned(int i) const noexcept {
        auto const* const one = ours_[static_cast<std::size_t>(i)];
        return one != nullptr && one->is_planned() && one->active();
    }
    [[nodiscard]] bool is_over(int i) { return is_planned(i) && ours_[static_cast<std::size_t>(i)]->test(); }
    [[nodiscard]] bool are_over() {
        bool all = true;
        for (int i = 0; i < n_; ++i) all = (!is_planned(i) || is_over(i)) && all;
        return all;
    }
    [[nodiscard]] int end(int i, MPI_Status* status) {
        set_empty(status);
        return ours_[static_cast<std::size_t>(i)]->wait();
    }
    /// Waits for all of them; the first code that is not MPI_SUCCESS.
    [[nodiscard]] int end_all() {
        int result = MPI_SUCCESS;
        for (int i = 0; i < n_; ++i)
            if (is_planned(i))
                if (int const code = end(i, MPI_STATUS_IGNORE); result == MPI_SUCCESS) result = code;
        return result;
    }
    [[nodiscard]] int first_over() {
        for (int i = 0; i < n_; ++i)
            if (is_over(i)) return i;
        return MPI_UNDEFINED;
    }

    static void set_empty(MPI_Status* status) {
        if (status == MPI_STATUS_IGNORE) return;
        status->MPI_SOURCE = MPI_ANY_SOURCE;
        status->MPI_TAG = MPI_ANY_TAG;
        PMPI_Status_set_elements(status, MPI_BYTE, 0);
        PMPI_Status_set_cancelled(status, 0);
    }

private:
    int n_;
    MPI_Request* requests_;
    int planned_ = 0;
    std::vector<MPI_Request> shown_;
    std::vector<repeated*> ours_;
};

// A poll of several things found nothing.
void let_others_go_on() {
    layer()->let_others_go_on();
    sched_yield();
}

int test_any(stand_ins& shown, int count, int* index, int* flag, MPI_Status* status) {
    if (int const i = shown.first_over(); i != MPI_UNDEFINED) {
        *index = i;
        *flag = 1;
        return shown.end(i, status);
    }
    int const result = next().testany(count, shown.data(), index, flag, status);
    if (*flag != 0 && *index == MPI_UNDEFINED) *flag = 0; // a plan is under way
    return result;
}

int test_some(stand_ins& shown, int count, int* done, int* indices, MPI_Status* statuses) {
    if (!shown.has_planned()) return next().testsome(count, shown.data(), done, indices, statuses);
    int ended = 0;
    int result = next().testsome(count, shown.data(), &ended, indices, statuses);
    if (ended == MPI_UNDEFINED) ended = 0;
    for (int i = 0; i < count; ++i) {
        if (!shown.is_over(i)) continue;
        int const code = shown.end(i, statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : statuses + ended);
        if (result == MPI_SUCCESS) result = code;
        indices[ended++] = i;
    }
    *done = ended;
    return result;
}

repeated* found(MPI_Request const* request) {
    return table::empty() || request == nullptr ? nullptr : table::find(*request);
}

// The plan that is under way under that handle: what programs wait for most, without any list.
repeated* planned(MPI_Request const* request) {
    auto* const one = found(request);
    return one != nullptr && one->is_planned() && one->active() ? one : nullptr;
}

int wrong_request() {
    PMPI_Comm_call_errhandler(MPI_COMM_WORLD, MPI_ERR_REQUEST);
    return MPI_ERR_REQUEST;
}

int start_one(MPI_Request* request) {
    auto* const one = found(request);
    if (one == nullptr) return next().start(request);
    return one->active() ? wrong_request() : one->start();
}

} // namespace

extern "C" {

int MPI_Start(MPI_Request* request) {
    return start_one(request);
}

int MPI_Startall(int count, MPI_Request* requests) {
    if (table::empty()) return next().startall(count, requests);
    for (int i = 0; i < count; ++i)
        if (int const result = start_one(requests + i); result != MPI_SUCCESS) return result;
    return MPI_SUCCESS;
}

int MPI_Wait(MPI_Request* request, MPI_Status* status) {
    if (auto* const plan = planned(request)) {
        stand_ins::set_empty(status);
        return plan->wait();
    }
    stand_ins shown{1, request};
    return next().wait(shown.data(), status);
}

int MPI_Test(MPI_Request* request, int* flag, MPI_Status* status) {
    if (auto* const plan = planned(request)) {
        *flag = plan->test() ? 1 : 0;
        if (*flag != 0) {
            stand_ins::set_empty(status);
            return plan->wait();
        }
        let_others_go_on();
        return MPI_SUCCESS;
    }
    stand_ins shown{1, request};
    return next().test(shown.data(), flag, status);
}

int MPI_Waitall(int count, MPI_Request* requests, MPI_Status* statuses) {
    stand_ins shown{count, requests};
    int const planned = shown.has_planned() ? shown.end_all() : MPI_SUCCESS; // MPI and all that is started go on in these waits
    int const result = next().waitall(count, shown.data(), statuses);
    return planned == MPI_SUCCESS ? result : planned;
}

int MPI_Testall(int count, MPI_Request* requests, int* flag, MPI_Status* statuses) {
    stand_ins shown{count, requests};
    if (shown.has_planned() && !shown.are_over()) {
        *flag = 0;
        let_others_go_on();
        return MPI_SUCCESS;
    }
    int const result = next().testall(count, shown.data(), flag, statuses);
    if (!shown.has_planned() || *flag == 0) return result;
    int const planned = shown.end_all();
    return planned == MPI_SUCCESS ? result : planned;
}

int MPI_Waitany(int count, MPI_Request* requests, int* index, MPI_Status* status) {
    stand_ins shown{count, requests};
    if (!shown.has_planned()) return next().waitany(count, shown.data(), index, status);
    for (;;) {
        int flag = 0;
        int const result = test_any(shown, count, index, &flag, status);
        if (flag != 0 || result != MPI_SUCCESS) return result;
        let_others_go_on();
    }
}

int MPI_Testany(int count, MPI_Request* requests, int* index, int* flag, MPI_Status* status) {
    stand_ins shown{count, requests};
    if (!shown.has_planned()) return next().testany(count, shown.data(), index, flag, status);
    int const result = test_any(shown, count, index, flag, status);
    if (*flag == 0) let_others_go_on();
    return result;
}

int MPI_Waitsome(int count, MPI_Request* requests, int* done, int* indices, MPI_Status* statuses) {
    stand_ins shown{count, requests};
    if (!shown.has_planned()) return next().waitsome(count, shown.data(), done, indices, statuses);
    for (;;) {
        int const result = test_some(shown, count, done, indices, statuses);
        if (*done > 0 || result != MPI_SUCCESS) return result;
        let_others_go_on();
    }
}

int MPI_Testsome(int count, MPI_Request* requests, int* done, int* indices, MPI_Status* statuses) {
    stand_ins shown{count, requests};
    return test_some(shown, count, done, indices, statuses);
}

int MPI_Request_get_status(MPI_Request request, int* flag, MPI_Status* status) {
    auto* const one = found(&request);
    if (one == nullptr || !one->active()) return next().request_get_status(request, flag, status);
    if (!one->is_planned()) return next().request_get_status(one->now, flag, status);
    *flag = one->test() ? 1 : 0;
    if (*flag != 0) stand_ins::set_empty(status);
    return MPI_SUCCESS;
}

int MPI_Request_free(MPI_Request* request) {
    if (!table::empty() && request != nullptr) static_cast<void>(table::forget(*request));
    return next().request_free(request);
}

int MPI_Cancel(MPI_Request* request) {
    return found(request) != nullptr ? wrong_request() : next().cancel(request); // MPI-4.0, 3.8.4: no collective can be
}

int MPI_Op_free(MPI_Op* op) {
    return free_op(op);
}

int MPI_Finalize(void) {
    table::finish();
    return next().finalize();
}

} // extern "C"

} // namespace sode::internal::mpi4
