// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

namespace sode::internal {

/// Where a user keeps what was measured on this machine: $XDG_CONFIG_HOME/sode/<what>-<host><ending>, with ~/.config for want of
/// the variable; empty without a home, and for programs that may do more than their callers.
[[nodiscard]] std::string host_file(std::string_view what, std::string_view ending);

} // namespace sode::internal
