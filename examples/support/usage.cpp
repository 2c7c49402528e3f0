// SPDX-License-Identifier: Apache-2.0
#include "support/usage.hpp"

#include <cctype>
#include <cstdio>
#include <map>
#include <sstream>

namespace examples {
namespace {

/// The options by name, and whether they take a value.
std::map<std::string, bool, std::less<>> options_of(char const* usage) {
    std::map<std::string, bool, std::less<>> options;
    std::istringstream lines{usage};
    for (std::string line; std::getline(lines, line);) {
        if (!line.starts_with("  -")) continue;
        std::istringstream words{line};
        std::string name, value;
        words >> name >> value;
        options[name] = value.size() > 1 && std::isupper(static_cast<unsigned char>(value[0])) != 0 &&
                        std::isupper(static_cast<unsigned char>(value[1])) != 0;
    }
    return options;
}

} // namespace

bool understood(sode::runtime const& rt, int argc, char** argv, char const* usage) {
    auto const options = options_of(usage);
    for (int i = 1; i < argc; ++i) {
        std::string_view const word = argv[i];
        if (word == "--help") {
            if (rt.root()) std::fputs(usage, stdout);
            return false;
        }
        auto const option = options.find(word);
        if (option == options.end())
            throw sode::error{sode::error_kind::usage, "\"" + std::string{word} + "\" is not understood",
                              "it is not an option of this program", "see --help"};
        if (option->second) ++i;
    }
    return true;
}

} // namespace examples
