// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace sode::internal {

/// The folder of the program that runs, however it was called; empty: /proc does not say.
[[nodiscard]] std::filesystem::path folder_of_this_program();

/// A program of Sode's that comes with the one that runs. A folder that was installed may be moved, so nothing is looked for at a
/// path that was known when it was built.
/// \param places  where it may lie, seen from folder_of_this_program(); the first one that can be executed is taken
/// Errors: environment, if there is none: `problem` (no A and no B), and `suggestion`.
[[nodiscard]] std::string find_sibling(std::vector<std::string_view> const& places, std::string_view problem,
                                       std::string_view suggestion);

} // namespace sode::internal
