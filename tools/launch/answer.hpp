// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace sode::internal::tools {

/// What another program says on its standard output, and its exit status (as a shell has it; 127: it cannot be started).
struct answer {
    int status = 0;
    std::string text; ///< without the last end of line
};

inline constexpr int no_answer_status = 124; ///< as timeout(1) has it

/// Asks it: `words` are the program, which is looked for in PATH, and its arguments. Its other output goes to /dev/null. If it does
/// not end in time, it and what it has started are killed, and the status is `no_answer_status`. Errors: environment, if no process
/// can be made.
[[nodiscard]] answer ask(std::vector<std::string> words, std::optional<std::chrono::milliseconds> patience = std::nullopt);

} // namespace sode::internal::tools
