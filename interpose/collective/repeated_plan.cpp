// SPDX-License-Identifier: Apache-2.0
#include "interpose/collective/repeated_plan.hpp"

#include "base/warn.hpp"
#include "interpose/collective/call_turn.hpp"
#include "interpose/collective/collective_service.hpp"
#include "model/job.hpp"

#include <sode/error.hpp>

#include <utility>

namespace sode::internal::interpose {

repeated_plan::repeated_plan(collective_service& service, std::shared_ptr<detail::job> part, planned_function what,
                             std::unique_ptr<startable> plan, std::int64_t memory, held_memory held, MPI_Comm communicator)
    : service_(service), part_(std::move(part)), what_(what), plan_(std::move(plan)), memory_(memory), held_(std::move(held)),
      communicator_(communicator) {
    service_.started().add(*this);
}

repeated_plan::~repeated_plan() {
    service_.started().remove(*this);
}

template <class Action> int repeated_plan::told(Action action) noexcept {
    try {
        return action();
    } catch (std::exception const& e) {
        running_.store(false);
        return foundation::raise(communicator_, service_.base().code_of(e));
    }
}

int repeated_plan::start() {
    int const result = told([&] {
        call_turn const mine{taken_};
        asked_.store(true, std::memory_order_relaxed);
        // Before others hear of it: afterwards this would wait until the word for them has left the core.
        running_.store(true, std::memory_order_seq_cst);
        int const code = plan_->begin();
        started_ = code == MPI_SUCCESS;
        if (!started_) running_.store(false, std::memory_order_relaxed);
        return code;
    });
    service_.told().carry(what_);
    service_.started().wake();
    return result;
}

// In its turn.
bool repeated_plan::proceed() {
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
    if (running() && plan_->proceed()) running_.store(false, std::memory_order_release);
    return !running();
}

int repeated_plan::test(bool& over) {
    return told([&] {
        call_turn const mine{taken_};
        asked_.store(true, std::memory_order_relaxed);
        over = true; // if it fails, as well
        over = proceed();
        return MPI_SUCCESS;
    });
}

int repeated_plan::wait() {
    return told([&] {
        call_turn const mine{taken_};
        started_ = false;
        if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
        int const code = plan_->end();
        running_.store(false, std::memory_order_release);
        return code;
    });
}

void repeated_plan::help(hand) noexcept {
    call_turn const mine{taken_, std::try_to_lock};
    if (!mine || !running()) return;
    try {
        if (plan_->proceed()) running_.store(false, std::memory_order_release);
    } catch (...) {
        failure_ = std::current_exception(); // for whoever asks
        running_.store(false, std::memory_order_release);
    }
}

} // namespace sode::internal::interpose
