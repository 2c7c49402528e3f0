// SPDX-License-Identifier: Apache-2.0
// align, and the declarations of arrays and coarrays.
#include "compiler/emitter/emitter.hpp"
#include "compiler/unit/operators.hpp"

#include <clang/AST/TypeLoc.h>
#include <clang/Lex/Lexer.h>

namespace sode::compiler {
namespace {

// Where the head of a function in C's old style, `f(n, u)`, names a parameter; invalid: the head is another.
clang::SourceLocation in_list_of_names(unit const& u, clang::VarDecl const* parameter) {
    auto const* const f = clang::dyn_cast<clang::FunctionDecl>(parameter->getDeclContext());
    if (!f || u.is_cxx() || f->hasWrittenPrototype()) return {};
    auto at = u.files.getExpansionLoc(f->getLocation());
    for (auto next = clang::Lexer::findNextToken(at, u.files, u.ast.getLangOpts()); next && next->isNot(clang::tok::r_paren);
         next = clang::Lexer::findNextToken(at, u.files, u.ast.getLangOpts())) {
        at = next->getLocation();
        if (next->is(clang::tok::raw_identifier) && next->getRawIdentifier() == parameter->getName()) return at;
    }
    return {};
}

// `]` of the last extent behind the name: more may follow, as in `int (*u[n])(int)`.
clang::SourceLocation end_of_extents(clang::VarDecl const* v) {
    auto end = v->getEndLoc();
    for (auto at = v->getTypeSourceInfo()->getTypeLoc().getUnqualifiedLoc().getAs<clang::ArrayTypeLoc>(); at;
         at = at.getElementLoc().getAs<clang::ArrayTypeLoc>())
        end = at.getRBracketLoc();
    return end;
}

} // namespace

int emitter::target(aligned_array const& a, std::size_t dim) const {
    auto const& own = a.align->names.front().dims[dim];
    if (own.star || own.lower.words.size() != 1) return -1;
    auto const* const name = own.lower.words[0].getIdentifierInfo();
    for (std::size_t k = 0; k < a.align->on.dims.size(); ++k)
        for (auto const& t : a.align->on.dims[k].lower.words)
            if (name && t.getIdentifierInfo() == name) return static_cast<int>(k);
    return -1;
}

std::string emitter::format(aligned_array const& a, std::size_t dim) const {
    auto const k = target(a, dim);
    auto const* const d = unit_.distribution(a.along);
    if (k < 0 || !d) return "*";
    auto const& is = d->names.front().dims[static_cast<std::size_t>(k)];
    return is.star ? "*" : is.format;
}

std::vector<std::string> emitter::extents(aligned_array const& a) const {
    auto result = declared_extents(a);
    for (std::size_t d = 0; a.pointer && d < a.dims; ++d) // xmp_malloc() was told
        result[d] = "sode_xmp_extent(&" + a.state() + "," + std::to_string(d) + ")";
    return result;
}

// In C++ a constant may have a name of another namespace than the one where it is written now.
std::string emitter::extent(clang::Expr const* e) const {
    if (!unit_.is_cxx() || e->isValueDependent()) return unit_.text(e);
    auto const* const chosen = clang::dyn_cast<clang::ConditionalOperator>(e->IgnoreParenImpCasts());
    auto const* const asked = chosen ? clang::dyn_cast<clang::CallExpr>(chosen->getCond()->IgnoreParenImpCasts()) : nullptr;
    bool const open = asked && name_called(asked) == "__builtin_constant_p"; // from injector::open_extent()
    auto const value = (open ? chosen->getTrueExpr() : e)->getIntegerConstantExpr(unit_.ast);
    return value ? llvm::toString(*value, 10) : unit_.text(e);
}

// 0: the declaration does not say it.
std::vector<std::string> emitter::declared_extents(aligned_array const& a) const {
    std::vector<std::string> result;
    clang::TypeLoc location = a.variable->getTypeSourceInfo()->getTypeLoc().getUnqualifiedLoc(); // without `restrict`
    if (auto const reference = location.getAs<clang::ReferenceTypeLoc>()) location = reference.getPointeeLoc().IgnoreParens();
    if (auto const pointer = location.getAs<clang::PointerTypeLoc>()) {
        result.emplace_back("0");
        location = pointer.getPointeeLoc().IgnoreParens();
    }
    while (auto const array = location.getAsAdjusted<clang::ArrayTypeLoc>()) {
        result.push_back(array.getSizeExpr() ? extent(array.getSizeExpr()) : "0");
        location = array.getElementLoc();
    }
    auto type = location.getType();
    if (result.empty() && type->isPointerType()) { // by the name of a type
        result.emplace_back("0");
        type = type->getPointeeType();
    }
    for (; auto const* const array = unit_.ast.getAsArrayType(type); type = array->getElementType())
        if (auto const* const constant = clang::dyn_cast<clang::ConstantArrayType>(array))
            result.push_back(std::to_string(constant->getSize().getZExtValue()));
        else if (auto const* const varies = clang::dyn_cast<clang::VariableArrayType>(array))
            result.push_back(unit_.text(varies->getSizeExpr()));
        else
            result.emplace_back("0");
    return result;
}

// How many elements the shadow adds to a dimension; nothing: it is no number.
std::optional<long> emitter::constant_shadow(aligned_array const& a, std::size_t dim) const {
    if (!a.shadow) return 0;
    auto const& s = a.shadow->names.front().dims[dim];
    long lower = 0, upper = 0;
    if (s.star || !integer(s.lower, lower) || (s.colon && !integer(s.upper, upper))) return {};
    return lower + (s.colon ? upper : lower);
}

bool emitter::as_declared(aligned_array const& a, std::size_t dim) const {
    if (format(a, dim) != "*") return false;
    return (a.shadow && a.shadow->names.front().dims[dim].star) || constant_shadow(a, dim) == 0;
}

// What every node lays out in a dimension, if it is a number: sode_xmp_array_make() computes the same.
long emitter::constant_pitch(aligned_array const& a, std::size_t dim) const {
    auto const is = format(a, dim);
    auto const* const d = unit_.distribution(a.along);
    if (is == "*") {
        auto const extent = declared_extent(a, dim);
        auto const around = constant_shadow(a, dim);
        return as_declared(a, dim) || !extent || !around ? -1 : *extent + *around;
    }
    if (!d || is == "gblock") return -1;
    auto const k = static_cast<std::size_t>(target(a, dim));
    auto const& extent = a.along->names.front().dims[k];
    auto const* const onto = unit_.named(*d, d->names.size());
    if (!onto || (onto->has_on && !unit_.serial)) return -1;
    std::size_t along = 0;
    for (std::size_t j = 0; j < k; ++j) along += d->names.front().dims[j].star ? 0 : 1;
    if (along >= onto->names.front().dims.size()) return -1;
    for (auto const& each : unit_.directives.directives)
        if (each->kind == "template_fix" && unit_.named(*each, 0) == a.along) return -1;
    long nodes = 1, from = 0, to = 0, width = 0;
    auto const& shape = onto->names.front().dims[along];
    if ((!unit_.serial && (shape.star || !integer(shape.lower, nodes) || nodes < 1)) || !integer(extent.lower, from)) return -1;
    long n = from;
    if (extent.colon) {
        if (!integer(extent.upper, to)) return -1;
        n = a.along->names.front().square ? to : to - from + 1;
    }
    auto const& argument = d->names.front().dims[k].lower;
    bool const said = argument.given() && (!unit_.serial || is == "cyclic"); // else one node has all
    if (said && !integer(argument, width)) return -1;
    if (is == "cyclic") {
        width = width > 0 ? width : 1;
        return (n + width * nodes - 1) / (width * nodes) * width;
    }
    auto const around = constant_shadow(a, dim);
    return around ? (width > 0 ? width : (n + nodes - 1) / nodes) + *around : -1;
}

// The extent of a dimension, if it is a number.
std::optional<long> emitter::declared_extent(aligned_array const& a, std::size_t dim) const {
    auto type = unit::declared_type(a.variable);
    if (type->isPointerType()) {
        if (dim == 0) return {};
        type = type->getPointeeType();
        --dim;
    }
    for (; auto const* const array = unit_.ast.getAsArrayType(type); type = array->getElementType(), --dim)
        if (dim == 0) {
            auto const* const constant = clang::dyn_cast<clang::ConstantArrayType>(array);
            return constant ? std::optional{static_cast<long>(constant->getSize().getZExtValue())} : std::nullopt;
        }
    return {};
}

std::string emitter::element(aligned_array const& a) const {
    auto const one = a.any_element();
    return unit_.is_cxx() ? "::sode::xmp::type_of<decltype(" + one + ")>"
                          : "__typeof__(" + one + ")"; // typeof(x) (*) is a call there
}

bool emitter::constant_pitches(aligned_array const& a) const {
    auto type = unit::declared_type(a.variable);
    std::size_t d = 0;
    if (type->isPointerType()) {
        type = type->getPointeeType();
        ++d;
    }
    for (; d < a.dims; ++d) {
        auto const* const array = unit_.ast.getAsArrayType(type);
        if (!array) return a.dims == 1;
        bool const constant = clang::isa<clang::ConstantArrayType>(array) || clang::isa<clang::DependentSizedArrayType>(array);
        if (d > 0 && constant_pitch(a, d) < 0 && (!as_declared(a, d) || !constant)) return false;
        type = array->getElementType();
    }
    return true;
}

std::string emitter::pitches(aligned_array const& a) const {
    std::string result;
    auto const all = declared_extents(a);
    for (std::size_t d = 1; d < a.dims; ++d) {
        auto const constant = constant_pitch(a, d);
        result += "[" +
                  (constant > 0        ? std::to_string(constant)
                   : as_declared(a, d) ? all[d]
                                       : a.state() + ".pitch[" + std::to_string(d) + "]") +
                  "]";
    }
    return result;
}

// A pointer whose rows are shorter here than its type says, as it is to be used; "": its own type will do.
std::string emitter::cut_pointer(aligned_array const& a) const {
    auto const declared = declared_extents(a);
    std::string rows;
    for (std::size_t d = 1; d < a.dims; ++d) rows += "[" + declared[d] + "]";
    if (!a.pointer || pitches(a) == rows) return "";
    if (unit_.is_cxx() && !constant_pitches(a))
        return "::sode::xmp::view<" + element(a) + "," + std::to_string(a.dims) + ">(&" + a.any_element() + "," + a.state() +
               ".pitch)";
    return "((" + element(a) + "(*)" + pitches(a) + ")" + a.name() + ")";
}

std::string emitter::view(aligned_array const& a, std::string const& name) const {
    auto const rows = pitches(a), dims = std::to_string(a.dims);
    auto const from = clang::isa<clang::ParmVarDecl>(a.variable) ? a.state() + ".base" : a.base(); // a parameter is the local part
    if (unit_.is_cxx() && !constant_pitches(a))
        return "::sode::xmp::view<" + element(a) + "," + dims + "> " + name + " __attribute__((unused))(" + from + "," + a.state() +
               ".pitch);";
    auto const before = element(a) + (a.dims == 1 ? " *" : " (*"), behind = a.dims == 1 ? "" : ")" + rows;
    return "__attribute__((unused)) " + before + name + behind + "=(" + (unit_.is_cxx() ? before + behind : "void*") + ")" + from +
           ";";
}

// What is added to an index of the array to have the template's.
std::string emitter::offset(aligned_array const& a, std::size_t dim, int at) const {
    auto const k = target(a, dim);
    if (k < 0) return "0";
    std::string dummies;
    for (auto const& own : a.align->names.front().dims)
        if (own.lower.words.size() == 1)
            dummies += "SODE_XMP_INDEX(" + unit_.directives.spelling(own.lower.words[0]) + "," + std::to_string(at) + ");";
    return "({" + dummies + "(" + unit_.text(a.align->on.dims[static_cast<std::size_t>(k)].lower) + ");})";
}

std::string emitter::made(aligned_array const& a) const {
    std::vector<std::string> targets, offsets, slopes, shadows;
    for (std::size_t d = 0; d < a.dims; ++d) {
        auto const k = target(a, d);
        targets.push_back(std::to_string(k));
        offsets.push_back(offset(a, d));
        slopes.push_back(k < 0 ? "1" : offset(a, d, 1) + "-" + offset(a, d));
        if (!a.shadow) {
            shadows.insert(shadows.end(), {"0", "0"});
            continue;
        }
        auto const& s = a.shadow->names.front().dims[d];
        if (s.star) { // all of it
            shadows.insert(shadows.end(), {"-1", "-1"});
            continue;
        }
        for (auto const& width : {s.lower, s.colon ? s.upper : s.lower}) {
            long known = 0; // below 0 is a mistake, and -1 means all of it
            auto const text = unit_.text(width);
            shadows.push_back(integer(width, known) ? text : "({int64_t __sode_x=" + text + ";__sode_x<0?-2:__sode_x;})");
        }
    }
    auto type = unit::declared_type(a.variable);
    if (type->isPointerType()) type = type->getPointeeType();
    while (unit_.ast.getAsArrayType(type)) type = unit_.ast.getAsArrayType(type)->getElementType();
    bool const given = clang::isa<clang::ParmVarDecl>(a.variable);
    std::vector<std::string> sizes = a.pointer ? std::vector<std::string>(a.dims, "0") : extents(a); // xmp_malloc() says them
    return std::string{given       ? "sode_xmp_array_given("
                       : a.pointer ? "sode_xmp_array_later("
                                   : "sode_xmp_array_make("} +
           unit_.place(*a.align) + ",&" + a.state() + ",\"" + a.name() + "\"," + (given ? a.base() + "," : "") + "__sode_t_" +
           unit_.directives.spelling(a.align->on.name) + "," + type_code(unit_.ast, type, element(a)) + "," +
           std::to_string(a.dims) + "," + list("int64_t", sizes) + "," + list("int", targets) + "," + list("int64_t", offsets) +
           "," + list("int64_t", slopes) + "," + list("int64_t", shadows) + ");";
}

// What the program's references begin with.
std::string emitter::based(aligned_array const& a) {
    return a.pointer ? "" : a.base() + "=(__typeof__(" + a.base() + "))" + a.state() + ".base;";
}

// What leads to a member's elements: `s.a` is no name that could.
std::string emitter::member_base(aligned_array const& a) {
    if (!a.owner || a.pointer) return "";
    std::string element = a.name();
    for (std::size_t d = 0; d < a.dims; ++d) element += "[0]";
    auto const* const of = a.declared();
    bool defined = false;
    for (auto const* const each : of->redecls())
        defined = defined || each->isThisDeclarationADefinition() != clang::VarDecl::DeclarationOnly;
    return std::string{of->getStorageClass() == clang::SC_Static ? "static "
                       : !defined                                ? "extern "
                                                                 : ""} +
           "__typeof__(" + element + ") *__restrict " + a.declared_base() + ";";
}

void emitter::align(directive const& d) {
    std::string declarations, actions;
    for (auto const* const v : unit_.arrays_named[d.number]) {
        auto const& a = *unit_.array(v);
        declarations += member_base(a);
        auto const viewed = a.owner ? "__sode_v_" + a.word() : a.name();
        if (clang::isa<clang::ParmVarDecl>(a.variable)) {
            declarations += "sode_xmp_array " + a.state() + ";" + made(a) + view(a, a.name());
        } else if (d.function && a.kept) {
            declarations += "static sode_xmp_array " + a.state() + ";if(!" + a.state() + ".state){" + made(a) + "}" +
                            (a.pointer ? "" : based(a) + view(a, viewed));
        } else if (d.function) {
            declarations += "sode_xmp_array " + a.state() + " __attribute__((cleanup(sode_xmp_array_leave)));" + made(a) +
                            (a.pointer ? "" : based(a) + view(a, viewed));
        } else if (a.variable->getStorageClass() == clang::SC_Static) {
            declarations += "static sode_xmp_array " + a.declared_state() + ";";
            actions += made(a) + based(a);
        } else {
            bool defined = false;
            for (auto const* const each : a.declared()->redecls())
                defined = defined || each->isThisDeclarationADefinition() != clang::VarDecl::DeclarationOnly;
            declarations += std::string{defined ? "" : "extern "} + "sode_xmp_array " + a.declared_state() + ";";
            if (defined) actions += made(a) + based(a);
        }
    }
    if (auto const* const later = made_later(d)) {
        auto& [there_declared, there_done] = delayed_[later];
        there_declared += d.function ? declarations : "";
        there_done += actions;
        if (d.function) declarations.clear();
        actions.clear();
    }
    declare(d, declarations, actions);
}

// The last directive below that says something about the arrays: they are made there. Null: here.
directive const* emitter::made_later(directive const& d) const {
    directive const* last = nullptr;
    auto const look = [&](directive const* at) {
        auto const& behind = last ? *last : d;
        if (at && at->function == d.function && unit_.files.isBeforeInTranslationUnit(behind.hash, at->hash)) last = at;
    };
    look(unit_.distribution(unit_.named(d, 0)));
    for (auto const* const v : unit_.arrays_named[d.number]) {
        auto const& a = *unit_.array(v);
        for (std::size_t dim = 0; a.shadow && dim < a.dims; ++dim) // numbers are known in any case
            if (!a.shadow->names.front().dims[dim].star && !constant_shadow(a, dim)) look(a.shadow);
    }
    return last;
}

void emitter::shadow(directive const& d) {
    auto const found = delayed_.find(&d);
    if (found == delayed_.end()) return nothing(d);
    declare(d, found->second.first, found->second.second);
}

// `u[N][M]` becomes `*__restrict __sode_b_u`; what stands around it stays. No array overlaps another: gcc believes that of pointers
// that are not a function's own, and keeps in registers what a row's next iteration reads again, as it does for plain arrays. (It
// still believes that a pointer which it cannot follow, and any call, may reach the elements.)
void emitter::declarators() {
    for (auto const& [v, c] : unit_.coarrays) {
        auto const name = v->getNameAsString(), pointer = "__sode_c_" + name;
        bool defined = false;
        for (auto const* const each : v->redecls()) {
            defined = defined || each->isThisDeclarationADefinition() != clang::VarDecl::DeclarationOnly;
            // `a[10]:[*]` becomes `(*__sode_c_a)[10]`.
            bool const array = v->getType()->isArrayType();
            (void)unit_.edit({each->getLocation(), each->getLocation()}, array ? "(*" + pointer + ")" : "*" + pointer,
                             "the declaration of a coarray");
            for (auto const& w : unit_.directives.coarrays)
                if (w.name == each->getLocation() && w.colon.isMacroID())
                    unit_.write_out(w.colon, "the declaration of a coarray");
                else if (w.name == each->getLocation())
                    unit_.edits.replace({{w.colon, w.end.getLocWithOffset(1)}, false}, "");
        }
        auto const known = unit::scope_of(v->getDeclContext()) + pointer;
        if (defined)
            coarrays_.append(known)
                .append("=(__typeof__(")
                .append(known)
                .append("))sode_xmp_coarray(\"")
                .append(name)
                .append("\",sizeof(*")
                .append(known)
                .append("));");
        if (defined && unit_.directives.accelerators) coarrays_.append("sode_acc_coarray(").append(known).append(");");
    }
    for (auto const& [v, a] : unit_.arrays)
        for (auto const* const each : v->redecls())
            if (a.owner)
                break; // it stays in its structure
            else if (a.typed) {
                (void)unit_.edit({each->getLocation(), each->getLocation()}, a.base(), "a distributed parameter");
                if (auto const at = in_list_of_names(unit_, each); at.isValid())
                    (void)unit_.edit({at, at}, a.base(), "a distributed parameter");
            } else if (!a.pointer)
                (void)unit_.edit({each->getLocation(), end_of_extents(each)}, "*__restrict " + a.declared_base(),
                                 "the declaration of a distributed array");
}

} // namespace sode::compiler
