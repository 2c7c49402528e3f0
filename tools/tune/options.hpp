// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

namespace sode::internal::tools {

struct tune_options {
    std::string output; ///< file; empty: none
    bool quick = false;
    bool print = false; ///< the profile, on stdout
    std::string cores;  ///< as for `sode run`
};

/// What the ranks must know, as words of a command line,
[[nodiscard]] std::vector<std::string> words_of(tune_options const& options);
/// and back. Errors: usage, for any other word.
[[nodiscard]] tune_options read_words(std::vector<std::string> const& words);

} // namespace sode::internal::tools
