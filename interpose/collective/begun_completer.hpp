// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interpose/collective/collective_service.hpp"
#include "interpose/requests/layer.hpp"
#include "interpose/requests/scratch.hpp"

namespace sode::internal::interpose {

/// What completes requests that are none of plans: the layer, if it knows of any, or what is behind it.
class requests_of_others {
public:
    requests_of_others(entry const& call, layer& l) noexcept : call_(call), layer_(l.requests.empty() ? nullptr : &l) {}

    template <auto Theirs, auto Ours, class... Arguments> [[nodiscard]] int complete(Arguments... a) const {
        return layer_ == nullptr ? (call_.next().*Theirs)(a...) : (layer_->completes.*Ours)(call_, a...);
    }

private:
    entry const& call_;
    layer* layer_;
};

/// How requests are completed while some of them are nonblocking collectives that plans carry: MPI knows nothing of those, and is
/// shown the others; or while MPI's own are timed.
class begun_completer {
public:
    begun_completer(collective_service& service, entry const& call, layer& l) noexcept : service_(service), others_(call, l) {}

    [[nodiscard]] int wait(MPI_Request* request, MPI_Status* status);
    [[nodiscard]] int test(MPI_Request* request, int* flag, MPI_Status* status);
    [[nodiscard]] int waitall(int count, MPI_Request* requests, MPI_Status* statuses);
    [[nodiscard]] int testall(int count, MPI_Request* requests, int* flag, MPI_Status* statuses);
    [[nodiscard]] int waitany(int count, MPI_Request* requests, int* index, MPI_Status* status);
    [[nodiscard]] int testany(int count, MPI_Request* requests, int* index, int* flag, MPI_Status* status);
    [[nodiscard]] int waitsome(int count, MPI_Request* requests, int* done, int* indices, MPI_Status* statuses);
    [[nodiscard]] int testsome(int count, MPI_Request* requests, int* done, int* indices, MPI_Status* statuses);
    [[nodiscard]] int request_free(MPI_Request* request);
    [[nodiscard]] int get_status(MPI_Request request, int* flag, MPI_Status* status);

private:
    class shown_requests;
    [[nodiscard]] static bool is_over(begun_call& one);
    [[nodiscard]] int end(begun_call& one, MPI_Request* request);
    static void look_at_others(shown_requests& mine);
    [[nodiscard]] int any(shown_requests& mine, int* index, int* flag, MPI_Status* status);
    [[nodiscard]] int some(shown_requests& mine, int* done, int* indices, MPI_Status* statuses);

    collective_service& service_;
    requests_of_others others_;
};

} // namespace sode::internal::interpose
