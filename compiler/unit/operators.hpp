// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <clang/AST/Expr.h>
#include <clang/AST/ExprCXX.h>
#include <optional>
#include <string>

namespace sode::compiler {

/// `a op b`: C's own operator, or a function that C++ may find.
struct binary {
    clang::BinaryOperatorKind op;
    clang::Expr const *left, *right;
    clang::SourceLocation at;
    clang::Expr const* whole;
};
[[nodiscard]] std::optional<binary> binary_of(clang::Stmt const* s);

/// `++a`, `a++`, `--a`, `a--`
struct step_by_one {
    bool up;
    clang::Expr const* of;
};
[[nodiscard]] std::optional<step_by_one> step_of(clang::Stmt const* s);

/// What a subscript is of, and its index. Clang takes an index whose type is not known yet for the array.
[[nodiscard]] clang::Expr const* base_of(clang::ArraySubscriptExpr const* s);
[[nodiscard]] clang::Expr const* index_of(clang::ArraySubscriptExpr const* s);

/// `a` of `a[i]…[j]`, and how many subscripts stand before the last one.
struct last_subscript {
    clang::Expr const* of;
    std::size_t dim;
};
[[nodiscard]] last_subscript last_subscript_of(clang::ArraySubscriptExpr const* s);

/// Whether an expression names this variable.
[[nodiscard]] bool mentions(clang::Stmt const* s, clang::IdentifierInfo const* name);
/// Whether `e` is the variable, or the variable and something added or subtracted.
[[nodiscard]] bool follows(clang::Expr const* e, clang::IdentifierInfo const* name);

/// What a call names, also in a template, where it is not known yet which function that is; "": no name.
[[nodiscard]] std::string name_called(clang::CallExpr const* call);

/// The last argument of a call of an unprototyped function, as it was written.
[[nodiscard]] clang::Expr const* last_argument(clang::CallExpr const* call);

} // namespace sode::compiler
