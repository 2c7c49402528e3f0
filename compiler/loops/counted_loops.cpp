// SPDX-License-Identifier: Apache-2.0
#include "compiler/loops/counted_loops.hpp"

#include "compiler/loops/distances.hpp"
#include "compiler/loops/for_loops.hpp"
#include "compiler/unit/operators.hpp"

namespace sode::compiler {

counted_loop::counted_loop(emitter& e, directive const& d, clang::ForStmt const* f, clang::VarDecl const* v, std::size_t dim,
                           bool single)
    : emitter_(e), unit_(e.unit_), d_(d), loop_(f), variable_(v), dim_(dim), single_(single) {}

bool counted_loop::possible() const {
    if (unit_.checked || unit_.openmp || loop_->getForLoc().isMacroID()) return false;
    return !loop_->getInit()->getBeginLoc().isMacroID() && !loop_->getCond()->getBeginLoc().isMacroID();
}

// The position of this index among the rank's elements; "": it is not that of the iteration.
std::string counted_loop::position(clang::ArraySubscriptExpr const* s) {
    auto const [base, dim] = last_subscript_of(s);
    auto const* const a = clang::isa<clang::DeclRefExpr>(base) ? unit_.array(base) : nullptr;
    if (!a || a->owner || a->along != unit_.named(d_, 0) || dim >= a->dims) return "";
    if (emitter_.target(*a, dim) != static_cast<int>(dim_)) return "";
    if (!unit_.files.isBeforeInTranslationUnit(unit_.files.getExpansionLoc(a->align->hash), loop_->getForLoc())) return "";
    auto const mine = distance_from(unit_, index_of(s), variable_->getIdentifier(), variable_);
    auto const* const own = a->align->names.front().dims[dim].lower.words[0].getIdentifierInfo();
    auto const aligned = distance_from(unit_, a->align->on.dims[dim_], own);
    auto const here = distance_from(unit_, d_.on.dims[dim_], variable_->getIdentifier());
    if (!mine || !aligned || !here || *mine + *aligned != *here) return "";
    auto& name = known_[{a, {dim, *mine}}];
    std::string declared;
    if (name.empty()) {
        name = "__sode_x" + id_ + "_" + std::to_string(known_.size());
        declared = "int64_t const " + name + "=sode_xmp_place_at(&" + a->state() + "," + std::to_string(dim) + "," + first_ + "+(" +
                   std::to_string(*mine) + "))" + (single_ ? "" : "-" + first_) + ";";
    }
    emitter_.positions_[s] =
        single_ ? name + "+__sode_l" + id_ : name + "-__sode_l" + id_ + ".skipped+" + variable_->getNameAsString();
    return declared;
}

std::string counted_loop::positions(clang::Stmt const* s) {
    if (!s || clang::isa<clang::LambdaExpr>(s)) return "";
    std::string declared;
    if (auto const* const subscript = clang::dyn_cast<clang::ArraySubscriptExpr>(s)) declared += position(subscript);
    for (auto const* const child : s->children()) declared += positions(child);
    return declared;
}

void counted_loop::find(std::string const& id, std::string const& first) {
    id_ = id;
    first_ = first;
    positions_ = positions(loop_->getBody());
}

std::string counted_loop::write(std::string const& share, std::string const& end, std::string const& offset) {
    auto const count = "__sode_l" + id_;
    auto const name = variable_->getNameAsString();
    auto const type = "(" + unit_.spelled(variable_->getType()) + ")";
    if (!single_) {
        auto const block = "&" + share + "," + end + "," + offset;
        unit_.edits.insert_first(loop_->getForLoc(), "for(" + count + "=sode_xmp_first_block(" + block + "," + first_ + ");" +
                                                         count + ".from<" + count + ".to;" + count + "=sode_xmp_next_block(" +
                                                         block + "," + count + ")) ");
        (void)unit_.edit(begin_of(loop_)->getSourceRange(), type + count + ".from", "where a loop begins");
        (void)unit_.edit(loop_->getCond()->getSourceRange(), name + "<" + type + count + ".to", "the end of a loop");
        step_ = unit_.text(loop_->getInc());
        return "sode_xmp_block " + count + ";" + positions_;
    }
    auto const by = "__sode_j" + id_, last = "__sode_m" + id_;
    (void)unit_.edit(begin_of(loop_)->getSourceRange(), type + "(" + count + "=0," + first_ + ")", "where a loop begins");
    (void)unit_.edit(loop_->getCond()->getSourceRange(), count + "<" + last, "the end of a loop");
    step_ = name + "+=" + type + by + ",(void)" + name + ",++" + count; // a body whose references are all counted reads it no more
    return "int64_t const " + by + "=sode_xmp_distance(&" + share + ")," + last + "=" + first_ + "<" + end + "?(" + end + "-" +
           first_ + "+" + by + "-1)/" + by + ":0;int64_t " + count + ";" + positions_;
}

} // namespace sode::compiler
