// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/error.hpp>

#include <string>
#include <string_view>

namespace sode::internal {

/// error{environment} for a system call that has just failed: *problem (call: what errno says)*, then the suggestion.
[[nodiscard]] error system_error(std::string_view problem, std::string_view call, std::string_view suggestion);

/// What to do about a program that exec refuses with `number` (an errno); empty if nobody knows.
[[nodiscard]] std::string how_to_start(std::string_view program, int number);

} // namespace sode::internal
