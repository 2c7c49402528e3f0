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

} // namespace sode::compiler
