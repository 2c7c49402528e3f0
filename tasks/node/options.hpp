// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tasks/node/own_request.hpp"

#include <optional>

namespace sode::tasks {

/// The command line of `sode task`; empty if it asked for help, which has been given then. Errors: usage.
[[nodiscard]] std::optional<stub_wishes> parse_options(int argc, char** argv);

/// "64G", "8M", "4096": a number of bytes. `option` is named where it is none. Errors: usage.
[[nodiscard]] std::uint64_t parse_bytes(char const* option, std::string const& text);

} // namespace sode::tasks
