// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tasks/root/own_request.hpp"

namespace sode::internal::tasks {

/// Has the root of this machine run the program as a task in this process's stead, passes on all signals that can be caught, stops
/// and continues as the task does, and ends as it ends: with its exit status, or by the signal that killed it (without a second
/// core file). If this process is killed, so is the task.
///
/// Returns the exit status; does not return where the task was killed. Errors: usage, environment.
[[nodiscard]] int run_stub(stub_wishes const& wishes);

/// The exit status of a stub that could not have its task run to its end, as env(1) and timeout(1) use it.
inline constexpr int stub_failed_status = 125;

} // namespace sode::internal::tasks
