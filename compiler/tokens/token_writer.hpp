// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/directives/source.hpp"

#include <string_view>

namespace sode::compiler {

/// Writes tokens that no user wrote, at places where the user wrote something: messages then point there.
class token_writer {
public:
    token_writer(source const& s, tokens& to) : source_(s), to_(to) {}

    /// Words with blanks between them.
    void put(std::string_view text, clang::SourceLocation at);
    /// A name with a prefix that no user can write.
    void name(char const* prefix, clang::Token const& of);
    /// The user's own.
    void copy(tokens const& list) { to_.insert(to_.end(), list.begin(), list.end()); }
    void copy(clang::Token const& t) { to_.push_back(t); }

private:
    clang::Token identifier(std::string const& name, clang::SourceLocation at, unsigned length) const;

    source const& source_;
    tokens& to_;
};

} // namespace sode::compiler
