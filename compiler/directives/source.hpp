// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/directives/directive.hpp"

#include <clang/Lex/Preprocessor.h>
#include <memory>
#include <string>
#include <vector>

namespace sode::compiler {

/// One unit of compilation, as tokens: the directives in it, and the stream that Clang's parser gets.
class source {
public:
    explicit source(clang::Preprocessor& pp, bool accelerators = false) : accelerators(accelerators), pp_(pp) {}

    [[nodiscard]] clang::Preprocessor& preprocessor() const { return pp_; }
    [[nodiscard]] std::string spelling(clang::Token const& t) const { return t.isAnnotation() ? "" : pp_.getSpelling(t); }
    /// A name that no user wrote, at a place where one wrote something.
    [[nodiscard]] clang::Token made_up(std::string const& name, clang::SourceLocation where) const;
    /// An error at `where`. `d` is not looked at any more. `instead`: what the word there was meant to be, if that is known.
    void error(directive& d, clang::SourceLocation where, std::string const& message, std::string const& instead = "") const;

    /// `name[..]:[*]`, which declares a coarray.
    struct coarray {
        clang::SourceLocation name, colon, end;
        std::vector<tokens> extents{}; ///< of the codimensions; empty: *
        directive const* on = nullptr; ///< `coarray on`; null: images count in the executing set
    };
    /// `x[..]:[image]`
    struct image_reference {
        clang::SourceLocation begin, colon, end;
    };

    /// `_Pragma("...")` in a macro, which leaves no token.
    struct pragma {
        std::size_t before; ///< which token of `lexed`
        clang::SourceLocation at;
        std::string text;
    };

    bool const accelerators; ///< -acc: directives of OpenACC are understood
    std::vector<std::unique_ptr<directive>> directives;
    std::vector<coarray> coarrays;
    std::vector<image_reference> image_references;
    tokens lexed; ///< the unit, as the preprocessor has it
    std::vector<pragma> pragmas;
    tokens stream; ///< what the parser gets

private:
    clang::Preprocessor& pp_;
};

/// Has `#pragma xmp`, and `#pragma acc` with -acc, collected in s.directives, each leaving an annotation token; and those of macros
/// in s.pragmas.
void collect_directives(source& s);
/// A combined directive becomes one for its first attribute, and d.parts for the others.
void separate(source& s, directive& d);
/// Understands the words of a directive. Says what is wrong with them.
void parse(source const& s, directive& d);
/// s.stream: s.lexed with directives replaced by what makes Clang look at their expressions.
void inject(source& s);

/// The names that the parser knows nodes and templates by: no user can write them.
inline constexpr char const* nodes_prefix = "nodes ";
inline constexpr char const* template_prefix = "template ";

} // namespace sode::compiler
