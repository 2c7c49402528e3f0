// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace sode::internal::testing {

/// How a program ended, and what it said.
struct outcome {
    int status = -1; ///< 128 + signal if it was killed
    std::string out;
    std::string err;
};

/// Runs a program to its end, its output no terminal. The first words may be settings, `NAME=value`.
[[nodiscard]] outcome run(std::vector<std::string> const& words);
/// The same with a terminal for its output, all of which is in `out`.
[[nodiscard]] outcome run_on_terminal(std::vector<std::string> const& words);

/// `sode run -n RANKS` before `words`.
[[nodiscard]] std::vector<std::string> on_ranks(int ranks, std::vector<std::string> words);

/// What stands behind `label` at the beginning of a line of `text`, to the end of the line. Throws if there is no such line.
[[nodiscard]] std::string line_of(std::string const& text, std::string const& label);
[[nodiscard]] std::string contents(std::filesystem::path const& file);

/// A new directory, removed with all that is in it.
class scratch {
public:
    scratch();
    ~scratch();
    scratch(scratch const&) = delete;
    scratch& operator=(scratch const&) = delete;

    [[nodiscard]] std::string operator/(std::string const& name) const { return (path_ / name).string(); }

private:
    std::filesystem::path path_;
};

} // namespace sode::internal::testing
