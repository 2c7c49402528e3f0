// SPDX-License-Identifier: Apache-2.0
#include "compiler/loops/loop_heads.hpp"

#include "compiler/unit/unit.hpp"

namespace sode::compiler {
namespace {

bool is(clang::Expr const* e, clang::VarDecl const* v) {
    auto const* const r = clang::dyn_cast<clang::DeclRefExpr>(e->IgnoreParenImpCasts());
    return r && r->getDecl() == v;
}

loop_step signed_step(unit const& u, clang::Expr const* by, bool minus) {
    bool down = minus;
    auto const value = by->isValueDependent() ? llvm::Optional<llvm::APSInt>{} : by->getIntegerConstantExpr(u.ast);
    if (value && value->isNegative()) down = !minus;
    return {(minus ? "-(" : "(") + u.text(by) + ")", down, value && value->isNullValue(),
            value && (value->getExtValue() == 1 || value->getExtValue() == -1)};
}

} // namespace

std::optional<loop_step> step_of(unit const& u, clang::ForStmt const* f, clang::VarDecl const* v) {
    if (auto const one = step_of(f->getInc()); one && is(one->of, v))
        return one->up ? loop_step{"1", false, false, true} : loop_step{"-1", true, false, true};
    auto const b = binary_of(f->getInc());
    if (!b || !is(b->left, v)) return {};
    if (b->op == clang::BO_AddAssign) return signed_step(u, b->right, false);
    if (b->op == clang::BO_SubAssign) return signed_step(u, b->right, true);
    auto const sum = b->op == clang::BO_Assign ? binary_of(b->right) : std::nullopt;
    if (!sum || (sum->op != clang::BO_Add && sum->op != clang::BO_Sub)) return {};
    bool const minus = sum->op == clang::BO_Sub;
    if (is(sum->left, v)) return signed_step(u, sum->right, minus);
    if (!minus && is(sum->right, v)) return signed_step(u, sum->left, false);
    return {};
}

std::optional<comparison> sides_of(binary const& c, clang::VarDecl const* v) {
    if (is(c.left, v)) return comparison{c.op, c.right};
    if (is(c.right, v)) return comparison{clang::BinaryOperator::reverseComparisonOp(c.op), c.left};
    return {};
}

} // namespace sode::compiler
