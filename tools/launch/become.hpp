// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

namespace sode::internal::tools {

/// Words as exec() takes them; they stay the caller's.
[[nodiscard]] std::vector<char*> as_arguments(std::vector<std::string>& words);

/// Becomes another program, which is looked for in PATH; `words` are its name for itself and its arguments. Does not return.
/// Errors: environment, if it cannot be executed, with `suggestion`.
[[noreturn]] void become(std::string const& program, std::vector<std::string> words, char const* suggestion);

} // namespace sode::internal::tools
