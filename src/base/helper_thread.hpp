// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/processors.hpp"

#include <functional>
#include <optional>
#include <string>
#include <thread>

namespace sode::internal {

/// Starts a thread of the library beside those of the program, which alone get the process's signals. `where` it may run; nothing:
/// where the calling thread may. `task`: what it is for, `suggestion`: what to do without it; both for messages.
/// Errors: environment, if there can be no thread, or not there.
[[nodiscard]] std::thread start_helper(std::string const& task, std::string const& suggestion,
                                       std::optional<processor_set> const& where, std::function<void()> body);

} // namespace sode::internal
