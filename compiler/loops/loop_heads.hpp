// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/unit/operators.hpp"

#include <clang/AST/Stmt.h>
#include <optional>
#include <string>

namespace sode::compiler {

class unit;

/// What a loop adds to its index.
struct loop_step {
    std::string text; ///< as an expression of C
    bool down = false;
    bool zero = false;
    bool single = false; ///< it is 1 or -1
};
/// The step of a loop over `v`; nothing: its third part is of another form.
[[nodiscard]] std::optional<loop_step> step_of(unit const& u, clang::ForStmt const* f, clang::VarDecl const* v);

/// A comparison with the index, as if that stood on the left.
struct comparison {
    clang::BinaryOperatorKind op;
    clang::Expr const* bound;
};
[[nodiscard]] std::optional<comparison> sides_of(binary const& c, clang::VarDecl const* v);

/// Whether a statement assigns to `v`.
[[nodiscard]] bool assigned_in(clang::Stmt const* s, clang::ValueDecl const* v);

} // namespace sode::compiler
