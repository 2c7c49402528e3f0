// SPDX-License-Identifier: Apache-2.0
#include "compiler/tokens/token_writer.hpp"

#include <map>
#include <sstream>

namespace sode::compiler {

clang::Token token_writer::identifier(std::string const& name, clang::SourceLocation at, unsigned length) const {
    clang::Token t;
    t.startToken();
    auto* const known = source_.preprocessor().getIdentifierInfo(name);
    t.setIdentifierInfo(known);
    t.setKind(known->getTokenID());
    t.setLocation(at);
    t.setLength(length);
    return t;
}

void token_writer::put(std::string_view text, clang::SourceLocation at) {
    static std::map<std::string, clang::tok::TokenKind> const marks{
        {"(", clang::tok::l_paren},  {")", clang::tok::r_paren},  {"{", clang::tok::l_brace},  {"}", clang::tok::r_brace},
        {"[", clang::tok::l_square}, {"]", clang::tok::r_square}, {";", clang::tok::semi},     {",", clang::tok::comma},
        {"=", clang::tok::equal},    {"^", clang::tok::caret},    {"-", clang::tok::minus},    {"+", clang::tok::plus},
        {"*", clang::tok::star},     {"&", clang::tok::amp},      {"?", clang::tok::question}, {":", clang::tok::colon}};
    std::istringstream words{std::string{text}};
    for (std::string w; words >> w;) {
        if (auto const mark = marks.find(w); mark != marks.end()) {
            clang::Token t;
            t.startToken();
            t.setKind(mark->second);
            t.setLocation(at);
            t.setLength(1);
            to_.push_back(t);
        } else if (w[0] == '"' || (w[0] >= '0' && w[0] <= '9')) {
            clang::Token t;
            t.startToken();
            t.setKind(w[0] == '"' ? clang::tok::string_literal : clang::tok::numeric_constant);
            source_.preprocessor().CreateString(w, t, at, at);
            to_.push_back(t);
        } else {
            to_.push_back(identifier(w, at, 1));
        }
    }
}

void token_writer::name(char const* prefix, clang::Token const& of) {
    to_.push_back(identifier(prefix + source_.spelling(of), of.getLocation(), of.getLength()));
}

} // namespace sode::compiler
