// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/error.hpp>
#include <string_view>

namespace sode::internal {

/// error{environment} for a mapping in a task's partition that failed with `number` (an errno).
[[nodiscard]] error no_room(std::string_view problem, std::string_view call, int number);

} // namespace sode::internal
