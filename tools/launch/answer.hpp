// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

namespace sode::internal::tools {

/// What another program says on its standard output, and its exit status (as a shell has it; 127: it cannot be started).
struct answer {
    int status = 0;
    std::string text; ///< without the last end of line
};

/// Asks it: `words` are the program, which is looked for in PATH, and its arguments. Its other output goes to /dev/null.
/// Errors: environment, if no process can be made.
[[nodiscard]] answer ask(std::vector<std::string> words);

} // namespace sode::internal::tools
