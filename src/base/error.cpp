// SPDX-License-Identifier: Apache-2.0
#include <sode/error.hpp>

#include <string>

namespace sode {

namespace {

std::string sentence(std::string_view problem, std::string_view why, std::string_view suggestion) {
    std::string text{problem};
    if (!why.empty()) text.append(" (").append(why).append(")");
    if (!suggestion.empty()) text.append(" ").append(suggestion);
    return text;
}

} // namespace

error::error(error_kind kind, std::string_view problem, std::string_view why, std::string_view suggestion)
    : std::runtime_error(sentence(problem, why, suggestion)), kind_(kind) {}

} // namespace sode
