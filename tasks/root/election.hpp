// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tasks/root/root_link.hpp"

#include <string>

namespace sode::internal::tasks {

/// Connects to the root of that job (job_name()). Where there is none yet, one of those who ask becomes its parent: who can take
/// the name of the meeting_place. `program` is executed as the root, with `--root JOB`; it lives in a session of its own, so that
/// it survives whatever the launcher does to its parent. Errors: environment, after ten seconds without a root, or if another user
/// is in the way.
[[nodiscard]] root_link join_root(std::string const& job, std::string const& program);

/// The number of the descriptor at which a root finds its listener or its first client.
inline constexpr int root_descriptor = 3;

} // namespace sode::internal::tasks
