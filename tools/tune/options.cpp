// SPDX-License-Identifier: Apache-2.0
#include "tune/options.hpp"

#include <sode/error.hpp>

namespace sode::internal::tools {

std::vector<std::string> words_of(tune_options const& options) {
    std::vector<std::string> words;
    if (!options.output.empty()) words.insert(words.end(), {"-o", options.output});
    if (options.quick) words.emplace_back("--quick");
    if (options.print) words.emplace_back("--print");
    return words;
}

tune_options read_words(std::vector<std::string> const& words) {
    tune_options options;
    for (auto word = words.begin(); word != words.end(); ++word)
        if (*word == "-o" && word + 1 != words.end())
            options.output = *++word;
        else if (*word == "--quick")
            options.quick = true;
        else if (*word == "--print")
            options.print = true;
        else
            throw error{error_kind::usage, "unknown argument " + *word, "this program is a part of `sode tune`",
                        "write mpirun -n 2 sode tune"};
    return options;
}

} // namespace sode::internal::tools
