// SPDX-License-Identifier: Apache-2.0
#include "interpose/collective/begun_calls.hpp"

#include "interpose/collective/resting_request.hpp"
#include "interpose/datatypes/handle_bits.hpp"

#include <algorithm>

namespace sode::internal::interpose {

begun_calls::~begun_calls() {
    for (auto& one : all_)
        if (one.request != MPI_REQUEST_NULL) PMPI_Request_free(&one.request);
}

begun_call* begun_calls::take() {
    if (!forgotten_.empty()) {
        std::vector<begun_call*> over;
        std::ranges::copy_if(forgotten_, std::back_inserter(over), [](auto* one) { return one->over.load(); });
        std::erase_if(forgotten_, [](auto* one) { return one->over.load(); });
        for (auto* const one : over) give_back(*one);
    }
    if (free_.empty()) {
        auto& made = all_.emplace_back();
        if (make_resting_request(&made.request) != MPI_SUCCESS) {
            all_.pop_back();
            return nullptr;
        }
        by_handle_[bits_of(made.request)] = &made;
        free_.push_back(&made);
    }
    auto* const one = free_.back();
    free_.pop_back();
    one->taken = true;
    one->over.store(false, std::memory_order_relaxed);
    ++under_way_;
    return one;
}

void begun_calls::give_back(begun_call& one) noexcept {
    one.settle(); // of one whose handle was freed
    one.given = {};
    one.got = {};
    one.packed.reset();
    one.arrived.reset();
    one.result = MPI_SUCCESS;
    one.failure = nullptr;
    one.took = 0;
    one.taken = one.forgotten = false;
    free_.push_back(&one);
    --under_way_;
}

begun_call* begun_calls::find(MPI_Request request) const noexcept {
    auto const at = by_handle_.find(bits_of(request));
    return at == by_handle_.end() || !at->second->taken || at->second->forgotten ? nullptr : at->second;
}

void begun_calls::forget(begun_call& one) {
    one.forgotten = true;
    forgotten_.push_back(&one);
}

void begun_calls::time(MPI_Request request, way_trial& trial, std::int64_t took) {
    if (request == MPI_REQUEST_NULL || find_timed(request) != nullptr)
        return; // MPI may have one handle for all that is over at once
    timed_.push_back({request, &trial, took});
    ++under_way_;
}

begun_calls::timed_call* begun_calls::find_timed(MPI_Request request) noexcept {
    auto const at = std::ranges::find(timed_, request, &timed_call::request);
    return at == timed_.end() ? nullptr : &*at;
}

void begun_calls::told(timed_call& one) noexcept {
    one.trial->took(carrier::mpi, one.took);
    one = timed_.back();
    timed_.pop_back();
    --under_way_;
}

void begun_calls::forget(way_trial const& trial) noexcept {
    for (auto& one : all_)
        if (one.trial == &trial) one.trial = nullptr;
    under_way_ -= static_cast<int>(std::erase_if(timed_, [&](timed_call const& one) { return one.trial == &trial; }));
}

void begun_calls::outlive(communicator_plans const& plans) noexcept {
    for (auto& one : all_) {
        if (!one.taken || one.plans != &plans) continue;
        one.communicator = MPI_COMM_WORLD; // its errors are told to the program's first one
        one.plans = nullptr;
    }
}

} // namespace sode::internal::interpose
