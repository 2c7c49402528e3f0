// SPDX-License-Identifier: Apache-2.0
// Coarrays in expressions: x is (*__sode_c_x), and x:[k] what image k has there.
#include "compiler/arrays/coarrays.hpp"

#include "compiler/unit/operators.hpp"

#include <algorithm>
#include <clang/Lex/Lexer.h>

namespace sode::compiler {
namespace {

// The variable in x, x[i], x.y, ...
clang::ValueDecl const* root_of(clang::Expr const* e) {
    for (;;) {
        e = e->IgnoreParenImpCasts();
        if (auto const* const s = clang::dyn_cast<clang::ArraySubscriptExpr>(e))
            e = base_of(s);
        else if (auto const* const m = clang::dyn_cast<clang::MemberExpr>(e))
            e = m->getBase();
        else
            break;
    }
    auto const* const r = clang::dyn_cast<clang::DeclRefExpr>(e);
    return r ? r->getDecl() : nullptr;
}

// The image that [i][j] is. The codimension * is the slowest: [2][*] is i + 2 * j, and [*][2] is i * 2 + j.
std::string image_number(unit const& u, other_image const& i) {
    std::vector<std::string> indices;
    for (unsigned k = 1; k < i.call->getNumArgs(); ++k) {
        auto const* const index = i.call->getArg(k)->IgnoreParenImpCasts();
        if (!index->getType()->isDependentType() && !index->getType()->isIntegralOrUnscopedEnumerationType())
            u.error(index->getExprLoc(), "'" + u.original(index) + "' is not an integer (the number of an image must be one)");
        indices.push_back("(" + u.text(index) + ")");
    }
    auto const* const variable = clang::dyn_cast_or_null<clang::VarDecl>(root_of(i.what));
    auto const found = variable ? u.coarrays.find(variable->getCanonicalDecl()) : u.coarrays.end();
    if (variable && found == u.coarrays.end() && !variable->getType()->isPointerType() && !variable->getType()->isReferenceType() &&
        !variable->getType()->isDependentType()) {
        u.error(i.where->begin, "'" + variable->getNameAsString() +
                                    "' is not a coarray, so it cannot be accessed on other images; declare it with :[*]");
        u.note(variable->getLocation(), "declared here without a codimension");
        return "0";
    }
    if (found == u.coarrays.end()) { // a pointer into one, which is asked when the program runs
        if (indices.size() > 1) u.error(i.where->begin, "several codimensions, but this is not a coarray; write one");
        return indices.front();
    }
    auto const& extents = found->second.extents;
    if (indices.size() != std::max<std::size_t>(extents.size(), 1)) {
        u.error(i.where->begin, "'" + variable->getNameAsString() + "' has " + std::to_string(extents.size()) +
                                    " codimensions, not " + std::to_string(indices.size()));
        u.note(variable->getLocation(), "declared here");
        return "0";
    }
    if (indices.size() == 1) return indices.front();
    auto const slowest = [&](std::size_t k) { return extents[k].empty(); };
    std::string number;
    if (slowest(0)) {
        number = indices.front();
        for (std::size_t k = 1; k < indices.size(); ++k)
            number.insert(0, "(").append("*(").append(u.text(extents[k])).append(")+").append(indices[k]).append(")");
    } else {
        number = indices.back();
        for (auto k = indices.size() - 1; k-- > 0;)
            number.insert(0, ")*").insert(0, u.text(extents[k])).insert(0, "+(").insert(0, indices[k]).insert(0, "(").append(")");
    }
    return number;
}

void collect(unit const& u, clang::Stmt const* s, image_use use, std::vector<piece>& pieces) {
    auto const inside = [&](clang::Stmt const* what) { collect(u, what, image_use::read, pieces); };
    if (!s || coarray_pieces(u, s, use, pieces, inside)) return;
    bool const the_same = clang::isa<clang::ParenExpr>(s) || clang::isa<clang::ImplicitCastExpr>(s);
    for (auto const* const child : s->children()) collect(u, child, the_same ? use : image_use::read, pieces);
}

// The text from one offset in a file to another, with the changes.
std::string spliced(llvm::StringRef file, unsigned at, unsigned end, std::vector<piece> pieces) {
    std::ranges::stable_sort(pieces, {}, &piece::begin);
    std::string result;
    for (auto const& p : pieces) {
        if (p.begin < at || p.end > end) continue;
        result += file.slice(at, p.begin).str() + p.text;
        at = p.end;
    }
    return result + file.slice(at, end).str();
}

} // namespace

other_image image_of(unit const& u, clang::Stmt const* s) {
    auto const* const e = clang::dyn_cast_or_null<clang::Expr>(s);
    auto const* const star = e ? clang::dyn_cast<clang::UnaryOperator>(e->IgnoreParens()) : nullptr;
    if (!star || star->getOpcode() != clang::UO_Deref) return {};
    auto const* const both = clang::dyn_cast<clang::BinaryOperator>(star->getSubExpr()->IgnoreParenImpCasts());
    if (!both || both->getOpcode() != clang::BO_Comma) return {};
    auto const* const call = clang::dyn_cast<clang::CallExpr>(both->getLHS()->IgnoreParenImpCasts());
    auto const* const address = clang::dyn_cast<clang::UnaryOperator>(both->getRHS()->IgnoreParenImpCasts());
    if (!call || name_called(call) != "__sode_image" || !address) return {};
    auto const number = clang::cast<clang::IntegerLiteral>(call->getArg(0)->IgnoreParenImpCasts())->getValue().getZExtValue();
    return {call, address->getSubExpr(), &u.directives.image_references[number]};
}

namespace {

// What has the type of `e`, without the indices: among them are sections.
std::string without_indices(unit const& u, clang::Expr const* e) {
    auto const* const bare = e->IgnoreParens();
    if (auto const* const s = clang::dyn_cast<clang::ArraySubscriptExpr>(bare)) return without_indices(u, base_of(s)) + "[0]";
    if (auto const* const m = clang::dyn_cast<clang::MemberExpr>(bare); m && !m->isImplicitAccess())
        return "(" + without_indices(u, m->getBase()) + ")" + (m->isArrow() ? "->" : ".") + m->getMemberDecl()->getNameAsString();
    return written(u, e);
}

// A type as it can stand before `*`.
std::string named(unit const& u, clang::QualType type) {
    auto const name = u.spelled(type.getUnqualifiedType());
    return type->isArrayType() || type->isFunctionPointerType() ? "__typeof__(" + name + ")" : name;
}

// The type of `e`; of a structure without a name, or where it is not known yet, C finds it again.
std::string type_of(unit const& u, clang::Expr const* e) {
    auto const* const tag = e->isTypeDependent() ? nullptr : u.ast.getBaseElementType(e->getType())->getAsTagDecl();
    bool const nameless = tag && !tag->getIdentifier() && !tag->getTypedefNameForAnonDecl();
    return e->isTypeDependent() || nameless ? "__typeof__(" + without_indices(u, e) + ")" : named(u, e->getType());
}

} // namespace

std::string image_type(unit const& u, other_image const& i) {
    return type_of(u, i.what);
}

std::string image_place(unit const& u, other_image const& i) {
    auto const at = u.files.getPresumedLoc(u.files.getExpansionLoc(i.call->getBeginLoc()));
    return "\"" + std::string{at.getFilename()} + ":" + std::to_string(at.getLine()) + "\"";
}

std::string image_arguments(unit const& u, other_image const& i) {
    return image_number(u, i) + ",&(";
}

std::string before_image(unit const& u, other_image const& i, image_use use) {
    auto const type = image_type(u, i);
    auto const arguments = "(" + image_place(u, i) + "," + image_arguments(u, i);
    switch (use) {
    case image_use::address: return "(*(" + type + "*)sode_xmp_image" + arguments;
    case image_use::read: return "({" + type + " __sode_v;*(" + type + " const*)sode_xmp_image_get" + arguments;
    case image_use::atom: return "(*(" + type + "*)sode_xmp_image_atom" + arguments;
    default: break;
    }
    return "(*(__sode_p=(" + type + "*)sode_xmp_image_begin" + arguments;
}

std::string behind_image(image_use use) {
    switch (use) {
    case image_use::read: return "),sizeof __sode_v,&__sode_v);})";
    case image_use::write: return "),sizeof *__sode_p,0)))";
    case image_use::change: return "),sizeof *__sode_p,1)))";
    case image_use::part: return "),sizeof *__sode_p,2)))";
    default: return ")))";
    }
}

other_image image_within(unit const& u, clang::Expr const* e) {
    for (;;) {
        if (auto const found = image_of(u, e); found.call) return found;
        e = e->IgnoreParenImpCasts();
        auto const* const subscript = clang::dyn_cast<clang::ArraySubscriptExpr>(e);
        auto const* const member = clang::dyn_cast<clang::MemberExpr>(e);
        if (subscript && base_of(subscript)->IgnoreParenImpCasts()->getType()->isArrayType())
            e = base_of(subscript);
        else if (member && !member->isArrow())
            e = member->getBase();
        else
            return {};
    }
}

std::optional<image_assignment> image_assignment_of(unit const& u, clang::Stmt const* s) {
    if (s && clang::isa<clang::ParenExpr>(s)) return {}; // what is inside ends before the bracket
    auto const b = binary_of(s);
    auto const step = step_of(s);
    bool const assigns = b && clang::BinaryOperator::isAssignmentOp(b->op);
    if (!assigns && !step) return {};
    auto const* const left = assigns ? b->left : step->of;
    auto const to = image_within(u, left);
    if (!to.call || to.what->getType()->isArrayType()) return {};
    bool const whole = image_of(u, left).call != nullptr;
    bool const reads = !assigns || clang::BinaryOperator::isCompoundAssignmentOp(b->op);
    auto const use = !whole ? image_use::part : reads ? image_use::change : image_use::write;
    return image_assignment{to, use, left, assigns ? b->right : nullptr, assigns ? b->at : s->getEndLoc()};
}

std::string before_assignment(unit const& u, image_assignment const& a, bool valued) {
    auto const type = image_type(u, a.to);
    auto const value = a.use != image_use::part ? type : type_of(u, a.left);
    return "({" + type + "*__sode_p;" + (valued ? value + " const __sode_w=" : "");
}

std::string behind_assignment(unit const& u, image_assignment const& a, bool valued) {
    return ";sode_xmp_image_end(" + image_place(u, a.to) + ",__sode_p,sizeof *__sode_p);" + (valued ? "__sode_w;})" : "})");
}

bool coarray_pieces(unit const& u, clang::Stmt const* s, image_use use, std::vector<piece>& pieces,
                    std::function<void(clang::Stmt const*)> const& inside) {
    auto const& files = u.files;
    if (auto const other = image_of(u, s); other.call) {
        auto const begin = files.getFileOffset(other.where->begin);
        if (other.what->getType()->isArrayType()) use = image_use::address;
        pieces.push_back({begin, begin, before_image(u, other, use)});
        inside(other.what);
        pieces.push_back({files.getFileOffset(other.where->colon), files.getFileOffset(other.where->end) + 1, behind_image(use)});
        return true;
    }
    auto const* const r = clang::dyn_cast<clang::DeclRefExpr>(s);
    if (!r || !u.is_coarray(r->getDecl())) return false;
    auto const begin = files.getFileOffset(files.getFileLoc(r->getBeginLoc()));
    auto const last = files.getFileLoc(r->getEndLoc());
    auto const end = files.getFileOffset(clang::Lexer::getLocForEndOfToken(last, 0, files, u.ast.getLangOpts()));
    pieces.push_back({begin, end, coarray_pointer(r->getDecl())});
    return true;
}

std::string coarray_pointer(clang::ValueDecl const* v) {
    auto const scope = unit::scope_of(v->getDeclContext());
    return "(*" + (scope.empty() ? "" : "::" + scope) + "__sode_c_" + v->getNameAsString() + ")";
}

std::string patched(unit const& u, clang::Expr const* e, std::vector<piece> pieces, char const* what) {
    if (pieces.empty()) return u.text(e);
    auto const range = u.in_place(e->getSourceRange(), what);
    if (!range) return "";
    return spliced(u.files.getBufferData(u.files.getFileID(range->getBegin())), u.files.getFileOffset(range->getBegin()),
                   u.files.getFileOffset(range->getEnd()), std::move(pieces));
}

std::string written(unit const& u, clang::Expr const* e, image_use use) {
    std::vector<piece> pieces;
    collect(u, e, use, pieces);
    if (pieces.empty()) return u.text(e);
    // x:[k] ends behind the bracket, which is no part of what Clang parsed.
    if (auto const other = image_of(u, e); other.call)
        return spliced(u.files.getBufferData(u.files.getFileID(other.where->begin)), u.files.getFileOffset(other.where->begin),
                       u.files.getFileOffset(other.where->end) + 1, std::move(pieces));
    return patched(u, e, std::move(pieces), "a coarray");
}

} // namespace sode::compiler
