// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/directives/source.hpp"

#include "compiler/tokens/token_writer.hpp"
#include <algorithm>
#include <set>
#include <vector>

namespace sode::compiler {

/// Directives become code for Clang's eyes only: every expression of a clause is the argument of a call `__sode_e(directive, slot,
/// expression)` in the scope where the directive stands, so that Clang resolves names, checks types and says what is wrong. What is
/// no C becomes C.
class injector {
public:
    explicit injector(source& s) : source_(s), out_(s, s.stream) {}
    void run(tokens const& all);

private:
    enum class scope { function, record, name_space, other };
    [[nodiscard]] bool is_cxx() const { return source_.preprocessor().getLangOpts().CPlusPlus; }
    [[nodiscard]] bool at_file_scope() const {
        return std::ranges::all_of(scopes_, [](scope s) { return s == scope::name_space; });
    }
    // `a::b`, and not the two colons of `x[0::2]`.
    [[nodiscard]] static bool names_scope(tokens const& all, std::size_t i) {
        return all[i - 1].isOneOf(clang::tok::identifier, clang::tok::greater) ||
               (all[i - 1].is(clang::tok::l_square) && all[i + 1].is(clang::tok::identifier));
    }
    [[nodiscard]] bool in_function() const { return !scopes_.empty() && scopes_.back() == scope::function; }
    [[nodiscard]] bool stands_before_body(tokens const& all, std::size_t i) const;
    // What the brace at i opens.
    [[nodiscard]] scope scope_of(tokens const& all, std::size_t i) const;
    // The bracket that the one at `close` closes.
    static std::size_t opening(tokens const& all, std::size_t close, clang::tok::TokenKind open, clang::tok::TokenKind shut);
    // x[a:b:c], which is no C: x[__sode_section(a, b, c)]. The index of the closing bracket; i where there is no section.
    std::size_t section(tokens const& all, std::size_t i);
    // int a[n] at file scope, which is no C: a[__builtin_constant_p(n) ? n : 1], of which the user's text is n. The index of the
    // closing bracket; i where the extent is a constant, as far as one can see.
    static bool of_a_type(tokens const& all, std::size_t i);
    std::size_t open_extent(tokens const& all, std::size_t i);
    // Words of an expression, in which there may be sections and other images.
    void expression_of(tokens const& words);
    // `:[` behind a name or a bracket: a coarray is declared, or another image's is meant. The index of the last bracket.
    std::size_t coarray(tokens const& all, std::size_t i);
    // xmp_atomic_define(x:[1], v), xmp_atomic_ref(&v, x:[1]): the functions get x's address. The index of the bracket.
    std::size_t atomic(tokens const& all, std::size_t i);
    // x[:][:] in the call of a function on whole arrays is xmp_desc_of(x). The index of the last bracket.
    std::size_t whole_array(tokens const& all, std::size_t i);
    // xmp_desc_of(x): x may be no name that C knows. The index of the closing bracket.
    std::size_t descriptor(tokens const& all, std::size_t i);
    void slot(directive& d, expression& e);
    void slots(directive& d, std::vector<dimension>& dims);
    // A name of nodes or a template: an expression, too, so that an unknown one is Clang's error.
    void known(directive& d, clang::Token const& name);
    [[nodiscard]] bool is_nodes(clang::Token const& name) const;
    void dummies(std::vector<dimension> const& dims);
    void replace(directive& d);
    void write(directive& d);
    void declare(directive& d);
    void expressions(directive& d);
    void of(directive& d, reference& r);
    // The arrays that align and shadow are about, in the order of d.names.
    void array(directive& d, reference const& r);
    // Where the user wrote what a macro got as an argument; what stands in a macro's body stays there.
    [[nodiscard]] clang::SourceLocation in_file(clang::SourceLocation at) const;
    source& source_;
    token_writer out_;
    std::vector<scope> scopes_;
    directive placeless_;
    std::vector<directive*> early_; // between a function's head and its body, in which they belong
    int parentheses_ = 0;           // at file scope
    std::size_t arguments_end_ = 0; // of a function on whole arrays
    std::size_t comma_of_ref_ = 0;  // behind it stands what xmp_atomic_ref() reads
    std::set<clang::IdentifierInfo const*> nodes_, templates_, variables_;
};

} // namespace sode::compiler
