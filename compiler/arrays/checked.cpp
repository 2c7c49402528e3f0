// SPDX-License-Identifier: Apache-2.0
// -fsode-check: what references to distributed arrays become.
#include "compiler/arrays/checked.hpp"
#include "compiler/unit/operators.hpp"
#include "compiler/unit/quoted.hpp"

#include <clang/Lex/Lexer.h>

namespace sode::compiler {
namespace {

constexpr int reads = 1, writes = 2, adds = 4; // as in <sode/checked.h>

clang::SourceRange written_range(unit const& u, clang::SourceRange range) {
    auto const file = clang::Lexer::makeFileCharRange(clang::CharSourceRange::getTokenRange(range), u.files, u.ast.getLangOpts());
    return file.isValid() ? clang::SourceRange{file.getBegin(), file.getEnd()} : clang::SourceRange{};
}

} // namespace

std::string line_of(unit const& u, clang::SourceLocation at) {
    auto const where = u.files.getPresumedLoc(u.files.getExpansionLoc(at));
    return quoted(std::string{where.getFilename()} + ":" + std::to_string(where.getLine()));
}

bool added_up(unit const& u, aligned_array const& a) {
    for (auto const& d : u.directives.directives)
        if (d->kind == "reduce_shadow" && !d->wrong)
            for (auto const& item : d->items)
                if (u.array(item.parsed) == &a) return true;
    return false;
}

int use_of(unit const& u, aligned_array const& a, clang::Stmt const* element, std::vector<clang::Stmt const*> const& above) {
    int how = 0;
    auto const* inner = element;
    for (auto k = above.size(); k-- > 0;) {
        auto const* const outer = above[k];
        if (clang::isa<clang::ParenExpr>(outer) || clang::isa<clang::MemberExpr>(outer)) {
            inner = outer;
            continue;
        }
        if (auto const* const cast = clang::dyn_cast<clang::ImplicitCastExpr>(outer)) {
            if (cast->getCastKind() == clang::CK_LValueToRValue) how = reads;
            if (cast->getCastKind() == clang::CK_LValueToRValue) break;
            inner = outer;
            continue;
        }
        if (auto const* const s = clang::dyn_cast<clang::ArraySubscriptExpr>(outer); s && base_of(s) == inner) {
            inner = outer;
            continue;
        }
        if (auto const b = binary_of(outer); b && clang::BinaryOperator::isAssignmentOp(b->op) &&
                                             b->left->IgnoreParens() == clang::cast<clang::Expr>(inner)->IgnoreParens())
            how = clang::BinaryOperator::isCompoundAssignmentOp(b->op) ? reads | writes : writes;
        if (step_of(outer)) how = reads | writes;
        break;
    }
    return how != 0 && added_up(u, a) ? how | adds : how;
}

std::string before_element(unit const& u, aligned_array const& a, clang::SourceLocation at, int how) {
    return "(*(__typeof__(" + a.any_element() + ")*)sode_xmp_element(" + line_of(u, at) + ",&" + a.state() + "," +
           std::to_string(how) + ",SODE_XMP_LIST(int64_t,(int64_t)(";
}

bool checked_references::split_here(unit const& u, std::vector<clang::Stmt const*> const& above, clang::ForStmt const* f) {
    clang::VarDecl const* variable = nullptr;
    if (auto const* const declared = clang::dyn_cast_or_null<clang::DeclStmt>(f->getInit()))
        variable = declared->isSingleDecl() ? clang::dyn_cast<clang::VarDecl>(declared->getSingleDecl()) : nullptr;
    else if (auto const set = binary_of(f->getInit()))
        if (auto const* const r = clang::dyn_cast<clang::DeclRefExpr>(set->left->IgnoreParenImpCasts()))
            variable = clang::dyn_cast<clang::VarDecl>(r->getDecl());
    if (!variable) return false;
    for (auto const* const s : above)
        if (auto const found = u.prefixed.find(s); found != u.prefixed.end() && found->second->kind == "loop")
            for (auto const& t : found->second->indices)
                if (t.getIdentifierInfo() == variable->getIdentifier()) return true;
    return false;
}

// Where it stands, if that can be edited.
bool checked_references::in_place(aligned_array const& a, clang::SourceRange range) {
    auto const written = written_range(unit_, range);
    auto const begin = range.getBegin();
    bool const argument = begin.isMacroID() && unit_.files.getExpansionLoc(begin) != written.getBegin();
    if (written.isValid() && (!argument || unit_.macros.of_system(begin))) return true;
    if (auto const at = begin.isMacroID() ? begin : range.getEnd(); !unit_.macros.want(at)) in_macro(a, at);
    return false;
}

void checked_references::in_macro(aligned_array const& a, clang::SourceLocation at) {
    auto const where = unit_.files.getSpellingLoc(at);
    if (!complained_.insert(where).second) return;
    unit_.warning(where, "this reference to '" + a.name() + "' is in a macro, and is not checked (write it without the macro)");
}

void checked_references::element(aligned_array const& a, std::vector<clang::ArraySubscriptExpr const*> const& subscripts, int how) {
    if (!in_place(a, subscripts.back()->getSourceRange())) return;
    for (auto const* const s : subscripts)
        if (!in_place(a, index_of(s)->getSourceRange())) return;
    auto const whole = written_range(unit_, subscripts.back()->getSourceRange());
    auto const [file, offset] = unit_.files.getDecomposedLoc(whole.getEnd());
    auto const added = elements_.try_emplace({file, offset}, reference{&a, subscripts, how});
    if (!added.second) added.first->second.how |= how;
}

void checked_references::row(aligned_array const& a, std::size_t dim, clang::Expr const* index) {
    if (!in_place(a, index->getSourceRange())) return;
    auto const range = written_range(unit_, index->getSourceRange());
    if (!rows_.insert(range.getBegin()).second) return;
    unit_.edits.wrap({range, false},
                     "sode_xmp_row(" + line_of(unit_, index->getBeginLoc()) + ",&" + a.state() + "," + std::to_string(dim) + ",",
                     ")");
}

void checked_references::write() {
    auto const& files = unit_.files;
    // Between two places; the lines that it had stay.
    auto const put = [&](clang::SourceLocation from, clang::SourceLocation to, std::string text) {
        auto const begin = files.getFileOffset(from), end = files.getFileOffset(to);
        text += line_breaks_of(files.getBufferData(files.getFileID(from)).slice(begin, end));
        unit_.edits.replace({{from, to}, false}, text);
    };
    for (auto const& [place, r] : elements_) {
        auto from = written_range(unit_, r.subscripts.back()->getSourceRange()).getBegin();
        auto text = before_element(unit_, *r.array, r.subscripts.back()->getBeginLoc(), r.how);
        for (auto const* const s : r.subscripts) {
            auto const index = written_range(unit_, index_of(s)->getSourceRange());
            put(from, index.getBegin(), text);
            from = index.getEnd();
            text = between_indices;
        }
        put(from, written_range(unit_, r.subscripts.back()->getSourceRange()).getEnd(), behind_element);
    }
}

} // namespace sode::compiler
