// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

namespace sode::internal::tools {

/// What comes with this command: the first of `places` that exists, as seen from the command's folder. Errors: environment, if none
/// does, with this problem and suggestion.
[[nodiscard]] std::string part_of_sode(std::vector<std::string> const& places, std::string const& problem, char const* suggestion);

} // namespace sode::internal::tools
