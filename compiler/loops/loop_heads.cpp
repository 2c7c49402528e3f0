// SPDX-License-Identifier: Apache-2.0
#include "compiler/loops/loop_heads.hpp"

#include "compiler/unit/unit.hpp"

#include <algorithm>

namespace sode::compiler {
namespace {

bool is(clang::Expr const* e, clang::VarDecl const* v) {
    auto const* const r = clang::dyn_cast<clang::DeclRefExpr>(e->IgnoreParenImpCasts());
    return r && r->getDecl() == v;
}

// The comparison says where a loop goes whose step is known only when the program runs.
bool ends_below(clang::ForStmt const* f, clang::VarDecl const* v, bool otherwise) {
    auto const condition = binary_of(f->getCond());
    auto const sides = condition && clang::BinaryOperator::isRelationalOp(condition->op) ? sides_of(*condition, v) : std::nullopt;
    return sides ? sides->op == clang::BO_GT || sides->op == clang::BO_GE : otherwise;
}

loop_step signed_step(unit const& u, clang::ForStmt const* f, clang::VarDecl const* v, clang::Expr const* by, bool minus) {
    auto const value = by->isValueDependent() ? llvm::Optional<llvm::APSInt>{} : by->getIntegerConstantExpr(u.ast);
    bool const down = value ? minus != value->isNegative() : ends_below(f, v, minus);
    return {(minus ? "-(" : "(") + u.text(by) + ")", down, value && value->isNullValue(),
            value && (value->getExtValue() == 1 || value->getExtValue() == -1)};
}

} // namespace

std::optional<loop_step> step_of(unit const& u, clang::ForStmt const* f, clang::VarDecl const* v) {
    if (auto const one = step_of(f->getInc()); one && is(one->of, v))
        return one->up ? loop_step{"1", false, false, true} : loop_step{"-1", true, false, true};
    auto const b = binary_of(f->getInc());
    if (!b || !is(b->left, v)) return {};
    if (b->op == clang::BO_AddAssign) return signed_step(u, f, v, b->right, false);
    if (b->op == clang::BO_SubAssign) return signed_step(u, f, v, b->right, true);
    auto const sum = b->op == clang::BO_Assign ? binary_of(b->right) : std::nullopt;
    if (!sum || (sum->op != clang::BO_Add && sum->op != clang::BO_Sub)) return {};
    bool const minus = sum->op == clang::BO_Sub;
    if (is(sum->left, v)) return signed_step(u, f, v, sum->right, minus);
    if (!minus && is(sum->right, v)) return signed_step(u, f, v, sum->left, false);
    return {};
}

std::optional<comparison> sides_of(binary const& c, clang::VarDecl const* v) {
    if (is(c.left, v)) return comparison{c.op, c.right};
    if (is(c.right, v)) return comparison{clang::BinaryOperator::reverseComparisonOp(c.op), c.left};
    return {};
}

bool assigned_in(clang::Stmt const* s, clang::ValueDecl const* v) {
    auto const is_it = [&](clang::Expr const* e) {
        auto const* const r = clang::dyn_cast<clang::DeclRefExpr>(e->IgnoreParenImpCasts());
        return r && r->getDecl() == v;
    };
    if (!s) return false;
    if (auto const* const b = clang::dyn_cast<clang::BinaryOperator>(s); b && b->isAssignmentOp() && is_it(b->getLHS()))
        return true;
    if (auto const* const u = clang::dyn_cast<clang::UnaryOperator>(s);
        u && (u->isIncrementDecrementOp() || u->getOpcode() == clang::UO_AddrOf) && is_it(u->getSubExpr()))
        return true;
    return std::any_of(s->child_begin(), s->child_end(), [&](clang::Stmt const* child) { return assigned_in(child, v); });
}

} // namespace sode::compiler
