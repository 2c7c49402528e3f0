// SPDX-License-Identifier: Apache-2.0
// What users do with requests, where some of them are persistent collectives. All of this is MPI's but for those that are under
// way: there the request of the nonblocking collective stands in.
#include "mpi4/held.hpp"
#include "mpi4/next.hpp"
#include "mpi4/repeated.hpp"

#include <vector>

namespace sode::internal::mpi4 {
namespace {

// What MPI is shown in the place of the user's requests.
class stand_ins {
public:
    stand_ins(int n, MPI_Request* requests) : requests_(requests) {
        if (table::empty() || requests == nullptr) return;
        for (int i = 0; i < n; ++i) {
            auto one = table::find(requests[i]);
            if (!one || !one->active()) continue;
            if (shown_.empty()) shown_.assign(requests, requests + n), ours_.resize(shown_.size());
            auto const at = static_cast<std::size_t>(i);
            shown_[at] = one->now;
            ours_[at] = std::move(one);
        }
    }
    ~stand_ins() {
        for (std::size_t i = 0; i < shown_.size(); ++i)
            if (ours_[i])
                ours_[i]->now = shown_[i]; // null if it is over: inactive, and the user's handle stays
            else
                requests_[i] = shown_[i];
    }
    stand_ins(stand_ins const&) = delete;
    stand_ins& operator=(stand_ins const&) = delete;
    stand_ins(stand_ins&&) = delete;
    stand_ins& operator=(stand_ins&&) = delete;

    [[nodiscard]] MPI_Request* data() noexcept { return shown_.empty() ? requests_ : shown_.data(); }

private:
    MPI_Request* requests_;
    std::vector<MPI_Request> shown_;
    std::vector<std::shared_ptr<repeated>> ours_;
};

int wrong_request() {
    PMPI_Comm_call_errhandler(MPI_COMM_WORLD, MPI_ERR_REQUEST);
    return MPI_ERR_REQUEST;
}

int start_one(MPI_Request* request) {
    auto const one = table::empty() || request == nullptr ? nullptr : table::find(*request);
    if (!one) return next().start(request);
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
    stand_ins shown{1, request};
    return next().wait(shown.data(), status);
}

int MPI_Test(MPI_Request* request, int* flag, MPI_Status* status) {
    stand_ins shown{1, request};
    return next().test(shown.data(), flag, status);
}

int MPI_Waitall(int count, MPI_Request* requests, MPI_Status* statuses) {
    stand_ins shown{count, requests};
    return next().waitall(count, shown.data(), statuses);
}

int MPI_Testall(int count, MPI_Request* requests, int* flag, MPI_Status* statuses) {
    stand_ins shown{count, requests};
    return next().testall(count, shown.data(), flag, statuses);
}

int MPI_Waitany(int count, MPI_Request* requests, int* index, MPI_Status* status) {
    stand_ins shown{count, requests};
    return next().waitany(count, shown.data(), index, status);
}

int MPI_Testany(int count, MPI_Request* requests, int* index, int* flag, MPI_Status* status) {
    stand_ins shown{count, requests};
    return next().testany(count, shown.data(), index, flag, status);
}

int MPI_Waitsome(int count, MPI_Request* requests, int* done, int* indices, MPI_Status* statuses) {
    stand_ins shown{count, requests};
    return next().waitsome(count, shown.data(), done, indices, statuses);
}

int MPI_Testsome(int count, MPI_Request* requests, int* done, int* indices, MPI_Status* statuses) {
    stand_ins shown{count, requests};
    return next().testsome(count, shown.data(), done, indices, statuses);
}

int MPI_Request_get_status(MPI_Request request, int* flag, MPI_Status* status) {
    auto const one = table::empty() ? nullptr : table::find(request);
    return next().request_get_status(one && one->active() ? one->now : request, flag, status);
}

int MPI_Request_free(MPI_Request* request) {
    if (!table::empty() && request != nullptr) static_cast<void>(table::forget(*request));
    return next().request_free(request);
}

int MPI_Cancel(MPI_Request* request) {
    auto const one = table::empty() || request == nullptr ? nullptr : table::find(*request);
    return one ? wrong_request() : next().cancel(request); // MPI-4.0, 3.8.4: no collective can be
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
