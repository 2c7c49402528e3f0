// SPDX-License-Identifier: Apache-2.0
#include "compiler/loops/for_loops.hpp"

#include "compiler/unit/operators.hpp"
#include "compiler/unit/unit.hpp"

#include <algorithm>
#include <clang/AST/Decl.h>

namespace sode::compiler {

clang::VarDecl const* variable_of(clang::ForStmt const* f) {
    if (auto const* const declared = clang::dyn_cast_or_null<clang::DeclStmt>(f->getInit()))
        return declared->isSingleDecl() ? clang::dyn_cast<clang::VarDecl>(declared->getSingleDecl()) : nullptr;
    auto const set = binary_of(f->getInit());
    if (!set || set->op != clang::BO_Assign) return nullptr;
    auto const* const r = clang::dyn_cast<clang::DeclRefExpr>(set->left->IgnoreParenImpCasts());
    return r ? clang::dyn_cast<clang::VarDecl>(r->getDecl()) : nullptr;
}

clang::Expr const* begin_of(clang::ForStmt const* f) {
    if (auto const set = binary_of(f->getInit())) return set->right;
    return variable_of(f)->getInit();
}

clang::ForStmt const* loop_over(clang::Stmt const* s, clang::IdentifierInfo const* name) {
    if (!s) return nullptr;
    if (auto const* const f = clang::dyn_cast<clang::ForStmt>(s))
        if (auto const* const v = variable_of(f); v && v->getIdentifier() == name) return f;
    for (auto const* const child : s->children())
        if (auto const* const found = loop_over(child, name)) return found;
    return nullptr;
}

clang::Stmt const* sets_several(clang::Stmt const* s, clang::IdentifierInfo const* name) {
    if (!s) return nullptr;
    if (auto const* const f = clang::dyn_cast<clang::ForStmt>(s); f && f->getInit()) {
        if (auto const* const declared = clang::dyn_cast<clang::DeclStmt>(f->getInit()))
            if (std::any_of(declared->decl_begin(), declared->decl_end(), [&](clang::Decl const* d) {
                    auto const* const v = clang::dyn_cast<clang::VarDecl>(d);
                    return v && v->getIdentifier() == name;
                }))
                return declared;
        if (auto const both = binary_of(f->getInit()); both && both->op == clang::BO_Comma && mentions(f->getInit(), name))
            return f->getInit();
    }
    for (auto const* const child : s->children())
        if (auto const* const found = sets_several(child, name)) return found;
    return nullptr;
}

bool meets_others(unit const& u, clang::Stmt const* s) {
    if (!s) return false;
    if (auto const* const w = clang::dyn_cast<clang::WhileStmt>(s); w && u.prefixed.contains(w)) return true;
    if (auto const* const call = clang::dyn_cast<clang::CallExpr>(s)) {
        auto const* const f = call->getDirectCallee();
        auto const name = name_called(call);
        if (name == "__sode_h") return true;
        bool const known =
            name.starts_with("__sode_") || (f && (f->getBuiltinID() != 0 || u.files.isInSystemHeader(f->getLocation())));
        if (!known) return true;
    }
    for (auto const* const child : s->children())
        if (meets_others(u, child)) return true;
    return false;
}

namespace {

// The number of a directive that is no prefix of a statement.
directive const* directive_in(unit const& u, clang::CallExpr const* call) {
    if (name_called(call) != "__sode_h" || call->getNumArgs() != 1) return nullptr;
    auto const* const number = clang::dyn_cast<clang::IntegerLiteral>(call->getArg(0)->IgnoreParenImpCasts());
    return number ? u.directives.directives[number->getValue().getZExtValue()].get() : nullptr;
}

bool does_together(unit const& u, clang::Stmt const* s, std::set<clang::FunctionDecl const*>& seen) {
    if (!s) return false;
    if (auto const* const w = clang::dyn_cast<clang::WhileStmt>(s))
        if (auto const found = u.prefixed.find(w); found != u.prefixed.end()) {
            auto const& d = *found->second; // loops and tasks have executing nodes of their own
            return d.openacc ? does_together(u, w->getBody(), seen) : d.kind == "gmove" && d.reach.empty();
        }
    if (auto const* const call = clang::dyn_cast<clang::CallExpr>(s)) {
        static std::set<std::string> const kinds{"barrier",      "reduction",  "bcast",        "reflect",
                                                 "reflect_init", "reflect_do", "reduce_shadow"};
        if (auto const* const d = directive_in(u, call)) return kinds.contains(d->kind) && (!d->has_on || d->on.stars == 1);
        clang::FunctionDecl const* f = call->getDirectCallee();
        if (f && f->getBody(f) && seen.insert(f).second && does_together(u, f->getBody(), seen)) return true;
    }
    return std::any_of(s->child_begin(), s->child_end(), [&](clang::Stmt const* child) { return does_together(u, child, seen); });
}

} // namespace

bool does_together(unit const& u, clang::Stmt const* s) {
    std::set<clang::FunctionDecl const*> seen;
    return does_together(u, s, seen);
}

} // namespace sode::compiler
