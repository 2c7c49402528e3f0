// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interpose/collective/passed_call.hpp"

namespace sode::internal::interpose {

/// A collective call that was planned once, and runs with the memory of each call.
class planned_call {
public:
    planned_call() = default;
    virtual ~planned_call() = default;
    planned_call(planned_call const&) = delete;
    planned_call& operator=(planned_call const&) = delete;
    planned_call(planned_call&&) = delete;
    planned_call& operator=(planned_call&&) = delete;

    /// Collective. Returns a code of MPI. Errors: those of prepared::wait.
    [[nodiscard]] virtual int run(passed_call const& call, MPI_Comm communicator) = 0;
    /// Memory of this rank that it holds between two calls. Bytes.
    [[nodiscard]] virtual std::int64_t held() const noexcept = 0;
};

} // namespace sode::internal::interpose
