// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <clang/AST/Stmt.h>

namespace clang {
class Expr;
class IdentifierInfo;
class VarDecl;
} // namespace clang

namespace sode::compiler {

/// The variable that `for (i = a; ...)` or `for (int i = a; ...)` is about; null: neither.
[[nodiscard]] clang::VarDecl const* variable_of(clang::ForStmt const* f);
/// The `a` of it; null: there is none.
[[nodiscard]] clang::Expr const* begin_of(clang::ForStmt const* f);
/// The first loop in `s` over a variable of this name.
[[nodiscard]] clang::ForStmt const* loop_over(clang::Stmt const* s, clang::IdentifierInfo const* name);
/// The first part of a loop that sets this variable among others: `int i = 0, n = N`, or `i = 0, j = 0`.
[[nodiscard]] clang::Stmt const* sets_several(clang::Stmt const* s, clang::IdentifierInfo const* name);

class unit;
/// Whether what is executed may have directives or calls that ask who else executes it.
[[nodiscard]] bool meets_others(unit const& u, clang::Stmt const* s);
/// Whether it makes the executing nodes do something together, itself or by a function of the unit: a directive without `on`.
[[nodiscard]] bool does_together(unit const& u, clang::Stmt const* s);

} // namespace sode::compiler
