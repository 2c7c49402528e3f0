// SPDX-License-Identifier: Apache-2.0
// Expressions as C++ has them: in templates and for classes an operator may be a call.
#include "compiler/unit/operators.hpp"

namespace sode::compiler {
namespace {

clang::Expr const* bare(clang::Stmt const* s) {
    auto const* e = clang::dyn_cast_or_null<clang::Expr>(s);
    while (e) {
        auto const* const inner = e->IgnoreParenImpCasts();
        if (auto const* const full = clang::dyn_cast<clang::FullExpr>(inner))
            e = full->getSubExpr();
        else if (auto const* const bound = clang::dyn_cast<clang::CXXBindTemporaryExpr>(inner))
            e = bound->getSubExpr();
        else
            return inner;
    }
    return nullptr;
}

} // namespace

std::optional<binary> binary_of(clang::Stmt const* s) {
    auto const* const e = bare(s);
    if (auto const* const b = clang::dyn_cast_or_null<clang::BinaryOperator>(e))
        return binary{b->getOpcode(), b->getLHS(), b->getRHS(), b->getOperatorLoc(), e};
    auto const* const call = clang::dyn_cast_or_null<clang::CXXOperatorCallExpr>(e);
    if (!call || call->getNumArgs() != 2) return {};
    switch (call->getOperator()) {
    case clang::OO_PlusPlus:
    case clang::OO_MinusMinus:
    case clang::OO_Subscript:
    case clang::OO_Call: return {};
    default: break;
    }
    return binary{clang::BinaryOperator::getOverloadedOpcode(call->getOperator()), call->getArg(0), call->getArg(1),
                  call->getOperatorLoc(), e};
}

std::optional<step_by_one> step_of(clang::Stmt const* s) {
    auto const* const e = bare(s);
    if (auto const* const u = clang::dyn_cast_or_null<clang::UnaryOperator>(e); u && u->isIncrementDecrementOp())
        return step_by_one{u->isIncrementOp(), u->getSubExpr()};
    auto const* const call = clang::dyn_cast_or_null<clang::CXXOperatorCallExpr>(e);
    if (!call || (call->getOperator() != clang::OO_PlusPlus && call->getOperator() != clang::OO_MinusMinus)) return {};
    return step_by_one{call->getOperator() == clang::OO_PlusPlus, call->getArg(0)};
}

clang::Expr const* base_of(clang::ArraySubscriptExpr const* s) {
    return index_of(s) == s->getLHS() ? s->getRHS() : s->getLHS();
}

last_subscript last_subscript_of(clang::ArraySubscriptExpr const* s) {
    last_subscript last{base_of(s)->IgnoreParenImpCasts(), 0};
    for (; clang::isa<clang::ArraySubscriptExpr>(last.of); ++last.dim)
        last.of = base_of(clang::cast<clang::ArraySubscriptExpr>(last.of))->IgnoreParenImpCasts();
    return last;
}

clang::Expr const* index_of(clang::ArraySubscriptExpr const* s) {
    auto const left = s->getLHS()->getType(), right = s->getRHS()->getType();
    bool const turned = left->isIntegerType() || (left->isDependentType() && (right->isArrayType() || right->isPointerType()));
    return turned ? s->getLHS() : s->getRHS();
}

bool mentions(clang::Stmt const* s, clang::IdentifierInfo const* name) {
    if (!s) return false;
    if (auto const* const r = clang::dyn_cast<clang::DeclRefExpr>(s); r && r->getDecl()->getIdentifier() == name) return true;
    for (auto const* const child : s->children())
        if (mentions(child, name)) return true;
    return false;
}

bool follows(clang::Expr const* e, clang::IdentifierInfo const* name) {
    auto const* const inner = bare(e);
    if (auto const* const r = clang::dyn_cast_or_null<clang::DeclRefExpr>(inner)) return r->getDecl()->getIdentifier() == name;
    auto const sum = binary_of(inner);
    if (!sum || (sum->op != clang::BO_Add && sum->op != clang::BO_Sub)) return false;
    if (follows(sum->left, name)) return !mentions(sum->right, name);
    return sum->op == clang::BO_Add && follows(sum->right, name) && !mentions(sum->left, name);
}

std::string name_called(clang::CallExpr const* call) {
    auto const* const callee = call->getCallee()->IgnoreParenImpCasts();
    if (auto const* const known = clang::dyn_cast<clang::DeclRefExpr>(callee)) return known->getDecl()->getNameAsString();
    auto const* const unknown = clang::dyn_cast<clang::UnresolvedLookupExpr>(callee);
    return unknown ? unknown->getName().getAsString() : "";
}

clang::Expr const* last_argument(clang::CallExpr const* call) {
    auto const* const last = bare(call->getArg(call->getNumArgs() - 1));
    // Clang lets the program stop where a class with a destructor or the like would be passed: (__builtin_trap(), x).
    if (auto const* const both = clang::dyn_cast<clang::BinaryOperator>(last); both && both->getOpcode() == clang::BO_Comma)
        if (auto const* const trap = clang::dyn_cast<clang::CallExpr>(both->getLHS()->IgnoreParenImpCasts());
            trap && name_called(trap) == "__builtin_trap")
            return both->getRHS()->IgnoreParenImpCasts();
    // or copies it
    if (auto const* const copy = clang::dyn_cast<clang::CXXConstructExpr>(last); copy && copy->getNumArgs() == 1)
        return copy->getArg(0)->IgnoreParenImpCasts();
    return last;
}

} // namespace sode::compiler
