// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/error.hpp>

namespace sode::internal {

/// error{environment} for a system call that has just failed: *problem (call: what errno says)*, then the suggestion.
[[nodiscard]] error system_error(std::string_view problem, std::string_view call, std::string_view suggestion);

} // namespace sode::internal
