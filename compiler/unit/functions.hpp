// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <clang/AST/RecursiveASTVisitor.h>
#include <utility>

namespace sode::compiler {

/// Knows which function, or body of a lambda, it is in, and which namespace. Templates are visited as they are written.
template <class Derived> class function_visitor : public clang::RecursiveASTVisitor<Derived> {
    using base = clang::RecursiveASTVisitor<Derived>;

public:
    bool TraverseDecl(clang::Decl* d) {
        auto const* const function = clang::dyn_cast_or_null<clang::FunctionDecl>(d);
        auto const* const context = clang::dyn_cast_or_null<clang::DeclContext>(d);
        auto const* const outer = std::exchange(function_, function ? function : function_);
        auto const* const around = std::exchange(context_, context ? context : context_);
        bool const go_on = base::TraverseDecl(d);
        function_ = outer;
        context_ = around;
        return go_on;
    }
    bool TraverseLambdaExpr(clang::LambdaExpr* l) {
        auto const* const outer = std::exchange(function_, l->getCallOperator());
        bool const go_on = base::TraverseLambdaExpr(l);
        function_ = outer;
        return go_on;
    }

protected:
    clang::FunctionDecl const* function_ = nullptr; ///< null: none
    clang::DeclContext const* context_ = nullptr;
};

} // namespace sode::compiler
