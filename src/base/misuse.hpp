// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

namespace sode::internal {

/// Errors: usage, always: `what` is an object that was moved from.
[[noreturn]] void refuse_moved(std::string_view what);

} // namespace sode::internal
