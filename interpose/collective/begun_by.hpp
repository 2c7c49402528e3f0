// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/clock.hpp"
#include "interpose/collective/begun_calls.hpp"

#include <cstdint>

namespace sode::internal::interpose {

/// What became of a nonblocking call: the code of MPI with which its plan has begun; or nothing, and MPI carries it on all ranks,
/// while this lives. So what MPI takes for a call of a trial is measured, to its end.
class begun_by {
public:
    begun_by() noexcept = default; ///< MPI's
    explicit begun_by(int code) noexcept : code_(code), done_(true) {}
    /// MPI's, and its time counts. MPI writes `request`.
    begun_by(begun_calls& all, way_trial& trial, MPI_Request* request) noexcept
        : all_(&all), trial_(&trial), request_(request), since_(now_ns()) {
        *request = MPI_REQUEST_NULL; // if it fails
    }
    ~begun_by() {
        if (all_ != nullptr) all_->time(*request_, *trial_, now_ns() - since_);
    }
    begun_by(begun_by const&) = delete;
    begun_by& operator=(begun_by const&) = delete;
    begun_by(begun_by&&) = delete;
    begun_by& operator=(begun_by&&) = delete;

    explicit operator bool() const noexcept { return done_; }
    [[nodiscard]] int operator*() const noexcept { return code_; }

private:
    begun_calls* all_ = nullptr;
    way_trial* trial_ = nullptr;
    MPI_Request* request_ = nullptr;
    std::int64_t since_ = 0;
    int code_ = 0;
    bool done_ = false;
};

} // namespace sode::internal::interpose
