// SPDX-License-Identifier: Apache-2.0
#include "interpose/collective/call_line.hpp"

#include "interpose/collective/call_turn.hpp"
#include "interpose/collective/started_calls.hpp"
#include "model/job.hpp"

#include <utility>

namespace sode::internal::interpose {

call_line::call_line(started_calls& all, std::shared_ptr<detail::job> part, repeated_call const& what)
    : all_(all), part_(std::move(part)), plan_(*part_, what) {
    all_.add(*this);
}

call_line::~call_line() {
    all_.remove(*this);
}

/// In its turn. The helper must not call MPI, and others count on it that calls behind this one go on: so it leaves to the
/// program's thread only that it unpacks what has arrived. What has to be packed was, when the call began.
bool call_line::first_ends(hand who, patience how) {
    auto& one = *first_;
    if (!begun_) {
        one.result = plan_.begin(one.call, MPI_COMM_WORLD);
        if (one.result != MPI_SUCCESS) return true;
        begun_ = true;
    }
    if (how == patience::none && !plan_.proceed()) return false;
    if (who == hand::helper && plan_.unpacks(one.call)) {
        one.got_bytes = plan_.end_apart(one.arrived);
        return true;
    }
    one.result = plan_.end(one.call, MPI_COMM_WORLD);
    return true;
}

void call_line::end_first() noexcept {
    auto* const one = std::exchange(first_, first_->next);
    begun_ = false;
    one->over.store(true, std::memory_order_release); // and is the program's
    if (first_ == nullptr) running_.store(false, std::memory_order_release);
}

/// The ranks are no longer in step.
void call_line::end_all(std::exception_ptr const& why) noexcept {
    broken_ = why;
    while (first_ != nullptr) {
        first_->failure = why;
        end_first();
    }
}

void call_line::begin(begun_call& one) noexcept {
    {
        call_turn const mine{taken_};
        asked_.store(true, std::memory_order_relaxed);
        try {
            if (!broken_) join(one);
        } catch (...) {
            end_all(std::current_exception());
        }
        if (broken_ && !one.over.load(std::memory_order_relaxed)) { // it is not in the line
            one.failure = broken_;
            one.over.store(true, std::memory_order_release);
        }
    }
    all_.wake();
}

/// In its turn: the last of the line from now on, unless it cannot be packed.
void call_line::join(begun_call& one) {
    one.next = nullptr;
    bool const alone = first_ == nullptr;
    if (!alone && plan_.packs(one.call)) {
        one.result = plan_.pack_apart(one.call, one.packed, MPI_COMM_WORLD);
        if (one.result != MPI_SUCCESS) return one.over.store(true, std::memory_order_release);
    }
    (alone ? first_ : last_->next) = &one;
    last_ = &one;
    if (!alone) ++late_;
    running_.store(true, std::memory_order_seq_cst);
    if (!alone) return;
    one.result = plan_.begin(one.call, MPI_COMM_WORLD);
    begun_ = one.result == MPI_SUCCESS;
    if (!begun_) end_first();
}

bool call_line::is_over(begun_call& one) noexcept {
    if (!one.over.load(std::memory_order_acquire)) {
        call_turn const mine{taken_};
        asked_.store(true, std::memory_order_relaxed);
        try {
            while (first_ != nullptr && first_ends(hand::program, patience::none)) end_first();
        } catch (...) {
            end_all(std::current_exception());
        }
    }
    if (!one.over.load(std::memory_order_acquire)) return false;
    one.settle();
    return true;
}

void call_line::wait_for(begun_call& one) noexcept {
    if (one.over.load(std::memory_order_acquire)) return;
    call_turn const mine{taken_};
    asked_.store(true, std::memory_order_relaxed);
    try {
        while (!one.over.load(std::memory_order_acquire) && first_ends(hand::program, patience::waits)) end_first();
    } catch (...) {
        end_all(std::current_exception());
    }
}

void call_line::help(hand who) noexcept {
    call_turn const mine{taken_, std::try_to_lock};
    if (!mine) return;
    try {
        while (first_ != nullptr && first_ends(who, patience::none)) end_first();
    } catch (...) {
        end_all(std::current_exception()); // whoever asks for them hears of it
    }
}

void call_line::finish() noexcept {
    while (running()) {
        begun_call* last = nullptr;
        {
            call_turn const mine{taken_};
            last = first_ == nullptr ? nullptr : last_;
        }
        if (last != nullptr) wait_for(*last);
    }
}

} // namespace sode::internal::interpose
