// SPDX-License-Identifier: Apache-2.0
#include "compiler/loops/loop_reach.hpp"

#include "compiler/loops/distances.hpp"
#include "compiler/unit/operators.hpp"

#include <algorithm>

namespace sode::compiler {
namespace {

std::string elements(std::int64_t n) {
    return std::to_string(n) + (n == 1 ? " element" : " elements");
}

bool may_not_happen(clang::Stmt const* s) {
    return clang::isa<clang::IfStmt, clang::SwitchStmt, clang::AbstractConditionalOperator, clang::LambdaExpr, clang::WhileStmt,
                      clang::UnaryExprOrTypeTraitExpr>(s);
}

// An address of an element is no access to it.
bool takes_address(clang::Stmt const* s) {
    auto const* const u = clang::dyn_cast<clang::UnaryOperator>(s);
    return u && u->getOpcode() == clang::UO_AddrOf;
}

bool jumps(clang::Stmt const* s) {
    return s && (clang::isa<clang::ContinueStmt, clang::BreakStmt, clang::GotoStmt, clang::ReturnStmt>(s) ||
                 std::ranges::any_of(s->children(), jumps));
}

} // namespace

void loop_reach::check(clang::VarDecl const* v, std::size_t k) {
    auto const& width = d_.width[k];
    auto const here = distance_from(unit_, d_.on.dims[k], v->getIdentifier());
    below_ = unit_.constant(width.lower);
    above_ = unit_.constant(width.colon ? width.upper : width.lower);
    if (!here || jumps(d_.body)) return;
    variable_ = v;
    dim_ = k;
    here_ = *here;
    walk(d_.body);
}

void loop_reach::walk(clang::Stmt const* s) {
    if (!s || may_not_happen(s) || takes_address(s)) return;
    if (auto const* const subscript = clang::dyn_cast<clang::ArraySubscriptExpr>(s)) judge(subscript);
    if (auto const* const logical = clang::dyn_cast<clang::BinaryOperator>(s); logical && logical->isLogicalOp())
        return walk(logical->getLHS());
    for (auto const* const child : s->children()) walk(child);
}

void loop_reach::judge(clang::ArraySubscriptExpr const* s) const {
    auto const [base, dim] = last_subscript_of(s);
    auto const* const a = clang::isa<clang::DeclRefExpr>(base) ? unit_.array(base) : nullptr;
    if (!a || a->along != unit_.named(d_, 0) || dim >= a->dims || emitter_.target(*a, dim) != static_cast<int>(dim_)) return;
    auto const is = emitter_.format(*a, dim);
    if (is != "block" && is != "gblock") return;
    auto const at = distance_from(unit_, index_of(s), variable_->getIdentifier(), variable_);
    auto const aligned =
        distance_from(unit_, a->align->on.dims[dim_], a->align->names.front().dims[dim].lower.words[0].getIdentifierInfo());
    if (!at || !aligned) return;
    auto const* const shadow = a->shadow ? &a->shadow->names.front().dims[dim] : nullptr;
    if (shadow && shadow->star) return;
    auto const beside = *at + *aligned - here_; // of the element and the iteration, on the template
    auto const around = [&](expression const& e) { return shadow ? unit_.constant(e) : std::optional<std::int64_t>{0}; };
    if (auto const has = around(shadow ? shadow->lower : expression{}); has && below_ && *below_ > 0 && *below_ - beside > *has)
        return complain(s, *a, *below_ - beside, *has, "below");
    if (auto const has = around(!shadow         ? expression{}
                                : shadow->colon ? shadow->upper
                                                : shadow->lower);
        has && above_ && *above_ > 0 && *above_ + beside > *has)
        complain(s, *a, *above_ + beside, *has, "above");
}

void loop_reach::complain(clang::ArraySubscriptExpr const* s, aligned_array const& a, std::int64_t needs, std::int64_t has,
                          char const* side) const {
    unit_.warning(s->getBeginLoc(), "with '" + d_.window + "' this reference to '" + a.name() + "' reaches " + elements(needs) +
                                        " " + side + " the node's part, and the shadow there has " + elements(has) +
                                        "; widen the shadow, or take a smaller width");
    if (a.shadow) unit_.note(a.shadow->hash, "this is the shadow");
}

} // namespace sode::compiler
