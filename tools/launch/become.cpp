// SPDX-License-Identifier: Apache-2.0
#include "launch/become.hpp"

#include "base/system_error.hpp"

#include <fmt/format.h>

#include <unistd.h>

namespace sode::internal::tools {

std::vector<char*> as_arguments(std::vector<std::string>& words) {
    std::vector<char*> list;
    for (auto& word : words) list.push_back(word.data());
    list.push_back(nullptr);
    return list;
}

void become(std::string const& program, std::vector<std::string> words, char const* suggestion) {
    auto const arguments = as_arguments(words);
    ::execvp(program.c_str(), arguments.data());
    throw system_error(fmt::format("{} cannot be started", program), "exec", suggestion);
}

} // namespace sode::internal::tools
