// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

namespace sode::internal {

/// The environment of a task, made of `env`, that of its starter: `place` is the value of task_variable, and an MPI hears what is
/// different in a common address space. What the user has set stays.
[[nodiscard]] std::vector<std::string> task_environment(std::vector<std::string> env, std::string const& place);

} // namespace sode::internal
