// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

namespace sode::compiler {

/// A text as a string literal of C.
[[nodiscard]] inline std::string quoted(std::string_view text) {
    std::string literal = "\"";
    for (char const c : text) {
        if (c == '"' || c == '\\') literal += '\\';
        literal += c;
    }
    return literal + '"';
}

} // namespace sode::compiler
