// SPDX-License-Identifier: Apache-2.0
// What works in a serial loop and not in one that nodes share, and what is said twice.
#include "compiler/unit/operators.hpp"
#include "compiler/unit/unit.hpp"

#include <algorithm>
#include <clang/AST/RecursiveASTVisitor.h>
#include <utility>

namespace sode::compiler {
namespace {

class shared_loop : public clang::RecursiveASTVisitor<shared_loop> {
public:
    shared_loop(unit const& u, directive const& d, std::set<clang::SourceLocation>& said) : unit_(u), directive_(d), said_(said) {}

    bool TraverseForStmt(clang::ForStmt* f) {
        auto const* const v = index_of(f);
        if (v && !v->getType()->isIntegerType() && !v->getType()->isDependentType())
            say(f->getForLoc(), "the index '" + v->getNameAsString() + "' of a loop that nodes share is not an integer");
        if (v) indices_.push_back(v);
        targets_.push_back(v != nullptr);
        bool const go_on = TraverseStmt(f->getBody());
        targets_.pop_back();
        if (v) indices_.pop_back();
        return go_on;
    }
    bool TraverseCXXForRangeStmt(clang::CXXForRangeStmt* f) { return other(f->getBody()); }
    bool TraverseWhileStmt(clang::WhileStmt* w) {
        if (unit_.prefixed.contains(w)) return TraverseStmt(w->getBody()); // a directive, and no loop
        return other(w->getBody());
    }
    bool TraverseDoStmt(clang::DoStmt* s) { return other(s->getBody()); }
    bool TraverseSwitchStmt(clang::SwitchStmt* s) { return other(s->getBody()); }
    // `return` leaves the lambda, and that is all.
    bool TraverseLambdaExpr(clang::LambdaExpr* l) {
        auto const indices = std::exchange(indices_, {});
        auto const targets = std::exchange(targets_, {});
        bool const go_on = TraverseStmt(l->getBody());
        indices_ = indices;
        targets_ = targets;
        return go_on;
    }
    bool VisitBreakStmt(clang::BreakStmt* s) {
        if (!targets_.empty() && targets_.back())
            say(s->getBreakLoc(), "'break' ends only this rank's part of a loop that nodes share; the other ranks continue");
        return true;
    }
    bool VisitReturnStmt(clang::ReturnStmt* s) {
        if (!indices_.empty())
            say(s->getReturnLoc(), "'return' ends only this rank's part of a loop that nodes share; the other ranks continue");
        return true;
    }
    bool VisitGotoStmt(clang::GotoStmt* s) {
        auto const to = s->getLabel()->getLocation();
        auto const& files = unit_.files;
        if (!indices_.empty() && (files.isBeforeInTranslationUnit(to, directive_.body->getBeginLoc()) ||
                                  files.isBeforeInTranslationUnit(directive_.body->getEndLoc(), to)))
            say(s->getGotoLoc(), "'goto' ends only this rank's part of a loop that nodes share; the other ranks continue");
        return true;
    }
    bool VisitUnaryOperator(clang::UnaryOperator* e) {
        if (e->isIncrementDecrementOp()) changed(e->getSubExpr());
        return true;
    }
    bool VisitBinaryOperator(clang::BinaryOperator* e) {
        if (e->isAssignmentOp()) changed(e->getLHS());
        return true;
    }

private:
    bool other(clang::Stmt* body) {
        targets_.push_back(false);
        bool const go_on = TraverseStmt(body);
        targets_.pop_back();
        return go_on;
    }
    // The variable of a loop that the directive is about.
    clang::VarDecl const* index_of(clang::ForStmt const* f) const {
        clang::VarDecl const* v = nullptr;
        if (auto const* const declared = clang::dyn_cast_or_null<clang::DeclStmt>(f->getInit()))
            v = declared->isSingleDecl() ? clang::dyn_cast<clang::VarDecl>(declared->getSingleDecl()) : nullptr;
        else if (auto const set = binary_of(f->getInit()))
            if (auto const* const r = clang::dyn_cast<clang::DeclRefExpr>(set->left->IgnoreParenImpCasts()))
                v = clang::dyn_cast<clang::VarDecl>(r->getDecl());
        bool const named = v && std::ranges::any_of(directive_.indices,
                                                    [&](auto const& t) { return t.getIdentifierInfo() == v->getIdentifier(); });
        return named ? v : nullptr;
    }
    void changed(clang::Expr const* e) {
        auto const* const r = clang::dyn_cast<clang::DeclRefExpr>(e->IgnoreParenImpCasts());
        if (r && std::ranges::find(indices_, r->getDecl()) != indices_.end())
            say(e->getExprLoc(),
                "the index '" + r->getDecl()->getNameAsString() + "' of a loop that nodes share is changed in its body");
    }
    void say(clang::SourceLocation at, std::string const& message) {
        if (!said_.insert(at).second) return;
        unit_.error(at, message);
        unit_.note(directive_.hash, "by this directive");
    }

    unit const& unit_;
    directive const& directive_;
    std::set<clang::SourceLocation>& said_;
    std::vector<clang::ValueDecl const*> indices_;
    std::vector<bool> targets_; // of break: whether it is a loop that nodes share
};

} // namespace

void unit::check_habits() {
    std::set<clang::SourceLocation> said;
    std::map<directive const*, directive const*> distributions;
    for (auto const& d : directives.directives) {
        if (d->wrong) continue;
        if (d->kind == "loop" && d->body) shared_loop{*this, *d, said}.TraverseStmt(const_cast<clang::Stmt*>(d->body));
        for (std::size_t k = 0; d->kind == "distribute" && k < d->names.size(); ++k) {
            auto const* const t = named(*d, k);
            auto const [before, first] = distributions.try_emplace(t, d.get());
            if (!t || first) continue;
            error(d->hash, "template '" + directives.spelling(d->names[k].name) + "' is distributed twice");
            note(before->second->hash, "distributed here before");
        }
    }
}

} // namespace sode::compiler
