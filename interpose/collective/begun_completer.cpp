// SPDX-License-Identifier: Apache-2.0
#include "interpose/collective/begun_completer.hpp"

#include "base/clock.hpp"
#include "base/wait.hpp"
#include "base/warn.hpp"
#include "interpose/requests/statuses.hpp"

#include <sode/error.hpp>

#include <algorithm>

namespace sode::internal::interpose {

namespace {

/// Counts what a call takes for the calls of a trial that it completes.
class call_clock {
public:
    explicit call_clock(bool runs) noexcept : since_(runs ? now_ns() : 0) {}
    void add_to(std::int64_t& took, std::int64_t among = 1) const noexcept {
        if (since_ != 0) took += (now_ns() - since_) / among;
    }

private:
    std::int64_t since_;
};

void tell_nothing(MPI_Status* status) {
    if (status != MPI_STATUS_IGNORE) tell(*status, empty_status());
}

} // namespace

/// The requests of a call: those that plans carry, which MPI is not shown, and those of MPI's that are timed.
class begun_completer::shown_requests {
public:
    struct ours {
        int index;
        begun_call* what;
    };
    shown_requests(begun_calls& all, int count, MPI_Request* requests)
        : all_(all), count_(count), requests_(requests), clock_(false) {
        for (int i = 0; i < count; ++i) {
            if (requests[i] == MPI_REQUEST_NULL) continue;
            if (auto* const one = all.find(requests[i]))
                list.push_back({i, one});
            else if (all.find_timed(requests[i]) != nullptr)
                timed_.push_back({i, requests[i]});
        }
        restart();
        if (list.empty()) return;
        shown_.assign(requests, requests + count);
        for (auto const& o : list) shown_[static_cast<std::size_t>(o.index)] = MPI_REQUEST_NULL;
    }
    /// What MPI has completed, or started anew, it has written here.
    ~shown_requests() {
        for (std::size_t i = 0; i < shown_.size(); ++i)
            if (auto const own = requests_[i]; own == MPI_REQUEST_NULL || all_.find(own) == nullptr) requests_[i] = shown_[i];
        for (auto const& t : timed_)
            if (auto* const one = all_.find_timed(t.was)) {
                clock_.add_to(one->took, static_cast<std::int64_t>(timed_.size()));
                if (requests_[t.index] == MPI_REQUEST_NULL) all_.told(*one);
            }
    }
    shown_requests(shown_requests const&) = delete;
    shown_requests& operator=(shown_requests const&) = delete;
    shown_requests(shown_requests&&) = delete;
    shown_requests& operator=(shown_requests&&) = delete;

    [[nodiscard]] int count() const noexcept { return count_; }
    [[nodiscard]] MPI_Request* data() noexcept { return shown_.empty() ? requests_ : shown_.data(); }
    [[nodiscard]] MPI_Request* of(ours const& o) const noexcept { return requests_ + o.index; }
    /// From now on it is MPI's time.
    void restart() noexcept { clock_ = call_clock{!timed_.empty()}; }

    scratch<ours> list;

private:
    struct timed {
        int index;
        MPI_Request was;
    };
    begun_calls& all_;
    int count_;
    MPI_Request* requests_;
    call_clock clock_;
    scratch<MPI_Request> shown_;
    scratch<timed> timed_;
};

/// Goes on without waiting.
bool begun_completer::is_over(begun_call& one) {
    call_clock const clock{one.trial != nullptr};
    bool const over = one.line->is_over(one);
    clock.add_to(one.took);
    return over;
}

/// Waits for it, and gives its handle back. A code of MPI, of which the error handler has heard.
int begun_completer::end(begun_call& one, MPI_Request* request) {
    if (!one.over.load(std::memory_order_acquire)) {
        call_clock const clock{one.trial != nullptr};
        auto const looks = service_.waits_in(*one.plans, one.number);
        one.line->wait_for(one);
        clock.add_to(one.took);
    }
    one.settle();
    if (one.trial != nullptr) one.trial->took(carrier::plan, one.took);
    int result = one.result;
    if (one.failure) {
        try {
            std::rethrow_exception(one.failure);
        } catch (std::exception const& e) {
            result = service_.base().code_of(e);
        }
    }
    auto const communicator = one.communicator;
    service_.begun().give_back(one);
    *request = MPI_REQUEST_NULL;
    return foundation::raise(communicator, result);
}

int begun_completer::wait(MPI_Request* request, MPI_Status* status) {
    if (auto* const one = service_.begun().find(*request)) {
        tell_nothing(status);
        return end(*one, request);
    }
    shown_requests const timed{service_.begun(), 1, request};
    return others_.complete<&call_table::wait, &completer::wait>(request, status);
}

int begun_completer::test(MPI_Request* request, int* flag, MPI_Status* status) {
    if (auto* const one = service_.begun().find(*request)) {
        *flag = is_over(*one) ? 1 : 0;
        if (*flag == 0) {
            service_.go_on();
            return MPI_SUCCESS;
        }
        tell_nothing(status);
        return end(*one, request);
    }
    shown_requests const timed{service_.begun(), 1, request};
    return others_.complete<&call_table::test, &completer::test>(request, flag, status);
}

int begun_completer::waitall(int count, MPI_Request* requests, MPI_Status* statuses) {
    shown_requests mine{service_.begun(), count, requests};
    scratch<std::pair<int, int>> failed;
    for (auto const& o : mine.list) // MPI, and all that is started, goes on in these waits
        if (int const code = end(*o.what, mine.of(o)); code != MPI_SUCCESS) failed.push_back({o.index, code});
    mine.restart();
    int const result = others_.complete<&call_table::waitall, &completer::waitall>(count, mine.data(), statuses);
    if (failed.empty()) return result;
    if (statuses != MPI_STATUSES_IGNORE) {
        int kind = MPI_SUCCESS;
        PMPI_Error_class(result, &kind);
        for (int i = 0; i < count && kind != MPI_ERR_IN_STATUS; ++i) statuses[i].MPI_ERROR = MPI_SUCCESS;
        for (auto const& [index, code] : failed) statuses[index].MPI_ERROR = code;
    }
    return MPI_ERR_IN_STATUS;
}

int begun_completer::testall(int count, MPI_Request* requests, int* flag, MPI_Status* statuses) {
    shown_requests mine{service_.begun(), count, requests};
    bool all = true;
    for (auto const& o : mine.list) all = is_over(*o.what) && all;
    if (!all) {
        *flag = 0;
        service_.go_on();
        return MPI_SUCCESS;
    }
    mine.restart();
    int const result = others_.complete<&call_table::testall, &completer::testall>(count, mine.data(), flag, statuses);
    if (*flag == 0) return result;
    int failed = MPI_SUCCESS;
    for (auto const& o : mine.list)
        if (int const code = end(*o.what, mine.of(o)); code != MPI_SUCCESS) {
            failed = MPI_ERR_IN_STATUS;
            if (statuses != MPI_STATUSES_IGNORE) statuses[o.index].MPI_ERROR = code;
        }
    return failed == MPI_SUCCESS ? result : failed;
}

int begun_completer::any(shown_requests& mine, int* index, int* flag, MPI_Status* status) {
    *flag = 0;
    for (auto const& o : mine.list) {
        if (!is_over(*o.what)) continue;
        *index = o.index;
        *flag = 1;
        tell_nothing(status);
        return end(*o.what, mine.of(o));
    }
    int const result = others_.complete<&call_table::testany, &completer::testany>(mine.count(), mine.data(), index, flag, status);
    if (*flag != 0 && *index == MPI_UNDEFINED) *flag = 0; // nothing of MPI's is under way, and something of ours is
    return result;
}

int begun_completer::waitany(int count, MPI_Request* requests, int* index, MPI_Status* status) {
    shown_requests mine{service_.begun(), count, requests};
    if (mine.list.empty()) return others_.complete<&call_table::waitany, &completer::waitany>(count, requests, index, status);
    waiter w{service_.base().here().waiting()};
    for (int flag = 0;;) {
        int const result = any(mine, index, &flag, status);
        if (flag != 0 || result != MPI_SUCCESS) return result;
        if (w.step()) look_at_others(mine);
    }
}

int begun_completer::testany(int count, MPI_Request* requests, int* index, int* flag, MPI_Status* status) {
    shown_requests mine{service_.begun(), count, requests};
    if (mine.list.empty()) return others_.complete<&call_table::testany, &completer::testany>(count, requests, index, flag, status);
    int const result = any(mine, index, flag, status);
    if (*flag == 0) service_.go_on();
    return result;
}

int begun_completer::some(shown_requests& mine, int* done, int* indices, MPI_Status* statuses) {
    int ended = 0;
    int result =
        others_.complete<&call_table::testsome, &completer::testsome>(mine.count(), mine.data(), &ended, indices, statuses);
    ended = std::max(ended, 0); // MPI_UNDEFINED is negative
    bool failed = false;
    for (auto const& o : mine.list) {
        if (!is_over(*o.what)) continue;
        int const code = end(*o.what, mine.of(o));
        if (statuses != MPI_STATUSES_IGNORE) {
            statuses[ended] = empty_status();
            if (code != MPI_SUCCESS && result == MPI_SUCCESS && !failed)
                for (int i = 0; i < ended; ++i) statuses[i].MPI_ERROR = MPI_SUCCESS;
            statuses[ended].MPI_ERROR = code;
        }
        failed = failed || code != MPI_SUCCESS;
        indices[ended++] = o.index;
    }
    *done = ended;
    return failed ? MPI_ERR_IN_STATUS : result;
}

int begun_completer::waitsome(int count, MPI_Request* requests, int* done, int* indices, MPI_Status* statuses) {
    shown_requests mine{service_.begun(), count, requests};
    if (mine.list.empty())
        return others_.complete<&call_table::waitsome, &completer::waitsome>(count, requests, done, indices, statuses);
    waiter w{service_.base().here().waiting()};
    for (;;) {
        int const result = some(mine, done, indices, statuses);
        if (*done > 0 || result != MPI_SUCCESS) return result;
        if (w.step()) look_at_others(mine);
    }
}

int begun_completer::testsome(int count, MPI_Request* requests, int* done, int* indices, MPI_Status* statuses) {
    shown_requests mine{service_.begun(), count, requests};
    if (mine.list.empty())
        return others_.complete<&call_table::testsome, &completer::testsome>(count, requests, done, indices, statuses);
    int const result = some(mine, done, indices, statuses);
    if (*done == 0) service_.go_on();
    return result;
}

/// Of waits for any: whether one of them is another call than that of another rank; then it ends with an error.
void begun_completer::look_at_others(shown_requests& mine) {
    for (auto const& o : mine.list)
        if (o.what->plans != nullptr && o.what->plans->look_at_others(o.what->number)) o.what->line->wait_for(*o.what);
}

// MPI forbids it for collectives. What is under way goes on to its end.
int begun_completer::request_free(MPI_Request* request) {
    if (auto* const one = service_.begun().find(*request)) {
        service_.begun().forget(*one);
        *request = MPI_REQUEST_NULL;
        return MPI_SUCCESS;
    }
    if (auto* const timed = service_.begun().find_timed(*request)) service_.begun().told(*timed);
    return others_.complete<&call_table::request_free, &completer::request_free>(request);
}

int begun_completer::get_status(MPI_Request request, int* flag, MPI_Status* status) {
    if (auto* const one = service_.begun().find(request)) {
        *flag = one->line->is_over(*one) ? 1 : 0;
        if (*flag != 0)
            tell_nothing(status);
        else
            service_.go_on();
        return MPI_SUCCESS;
    }
    return others_.complete<&call_table::request_get_status, &completer::get_status>(request, flag, status);
}

} // namespace sode::internal::interpose
