// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/error.hpp>

#include <CLI/App.hpp>

#include <string>
#include <vector>

namespace sode::internal::tools {

/// What is wrong with the words of a command line, as `problem` of CLI11 has it, in our words. `command`: the sub-command that they
/// are for, `nullptr`: none.
[[nodiscard]] error option_error(CLI::ParseError const& problem, CLI::App const* command);

/// Words of `sode run` with `-np N`, as MPIs' launchers have it, for `-n N`. What belongs to the program stays.
[[nodiscard]] std::vector<std::string> with_n_for_np(std::vector<std::string> words, CLI::App const& run);

/// There is no such option: with the one that was meant, if it is near. Errors: usage.
[[noreturn]] void refuse_option(std::string const& word, CLI::App const& command);

} // namespace sode::internal::tools
