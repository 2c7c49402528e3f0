// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tasks/root/own_request.hpp"

#include <optional>

namespace sode::internal::tasks {

/// The command line of `sode task`; empty if it asked for help, which has been given then. Errors: usage.
[[nodiscard]] std::optional<stub_wishes> parse_options(int argc, char** argv);

} // namespace sode::internal::tasks
