// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/clock.hpp"
#include "interpose/collective/blocking_trial.hpp"

#include <cstdint>

namespace sode::internal::interpose {

/// Whether a call was left to MPI before anything of it was read, as those like it.
enum class still_left : std::uint8_t { no, yes, goes_straight /**< nobody else needs to look at it */ };

/// What became of a collective call: the code of MPI with which its plan ended; or nothing, and MPI carries it on all ranks, while
/// this lives. So a call of a trial is measured to its end, whatever stands between here and MPI.
class carried_call {
public:
    carried_call() noexcept = default; ///< MPI's
    explicit carried_call(int code) noexcept : code_(code), done_(true) {}
    explicit carried_call(still_left how) noexcept : straight_(how == still_left::goes_straight) {} ///< MPI's
    /// MPI's, and its time counts.
    explicit carried_call(blocking_trial& trial) noexcept : trial_(&trial), since_(now_ns()) {}
    ~carried_call() {
        if (trial_ != nullptr) trial_->took(carrier::mpi, since_, now_ns());
    }
    carried_call(carried_call const&) = delete;
    carried_call& operator=(carried_call const&) = delete;
    carried_call(carried_call&&) = delete;
    carried_call& operator=(carried_call&&) = delete;

    explicit operator bool() const noexcept { return done_; }
    [[nodiscard]] bool goes_straight() const noexcept { return straight_; }
    [[nodiscard]] int operator*() const noexcept { return code_; }

private:
    blocking_trial* trial_ = nullptr; // outlives the call: only another collective of its communicator replaces it
    std::int64_t since_ = 0;
    int code_ = 0;
    bool done_ = false;
    bool straight_ = false;
};

} // namespace sode::internal::interpose
