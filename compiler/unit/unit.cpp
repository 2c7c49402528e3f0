// SPDX-License-Identifier: Apache-2.0
#include "compiler/unit/unit.hpp"

#include "compiler/directives/openacc.hpp"
#include "compiler/unit/functions.hpp"
#include "compiler/unit/operators.hpp"
#include "compiler/unit/quoted.hpp"

#include <algorithm>
#include <clang/Lex/Lexer.h>
#include <llvm/Support/FileSystem.h>
#include <utility>

namespace sode::compiler {
namespace {

// Finds the calls that inject() wrote.
class resolver : public function_visitor<resolver> {
public:
    explicit resolver(unit& u) : unit_(u) {
        for (auto const& d : u.directives.directives) by_hash_[d->hash] = d.get();
    }

    bool VisitCallExpr(clang::CallExpr* call) {
        auto const name = name_called(call);
        if (name == "__sode_h") {
            auto& d = *unit_.directives.directives[number(call->getArg(0))];
            d.function = function_;
            if (!function_) d.scope = unit::scope_of(context_);
            for (auto* const around : regions_)
                if (around != &d) d.region = around;
        }
        if (name != "__sode_e" && name != "__sode_n" && name != "__sode_a") return true;
        auto& d = *unit_.directives.directives[number(call->getArg(0))];
        d.function = function_;
        auto const* const last = last_argument(call);
        if (name == "__sode_e") {
            d.slots[number(call->getArg(1))]->parsed = last;
            return true;
        }
        auto const* const reference = clang::dyn_cast<clang::DeclRefExpr>(last);
        if (name == "__sode_n")
            unit_.names[d.number].push_back(
                clang::dyn_cast_or_null<clang::EnumConstantDecl>(reference ? reference->getDecl() : nullptr));
        else
            unit_.arrays_named[d.number].push_back(reference ? clang::dyn_cast_or_null<clang::VarDecl>(reference->getDecl())
                                                             : unit_.member(last));
        return true;
    }
    bool TraverseWhileStmt(clang::WhileStmt* w) {
        auto const found = by_hash_.find(w->getWhileLoc());
        bool const compute = found != by_hash_.end() && is_compute(*found->second);
        if (compute) regions_.push_back(found->second);
        bool const go_on = RecursiveASTVisitor::TraverseWhileStmt(w);
        if (compute) regions_.pop_back();
        return go_on;
    }
    bool VisitWhileStmt(clang::WhileStmt* w) {
        if (auto const found = by_hash_.find(w->getWhileLoc()); found != by_hash_.end()) {
            found->second->body = w->getBody();
            found->second->function = function_;
            unit_.prefixed[w] = found->second;
        }
        return true;
    }

private:
    static unsigned number(clang::Expr const* e) {
        return static_cast<unsigned>(clang::cast<clang::IntegerLiteral>(e->IgnoreParenImpCasts())->getValue().getZExtValue());
    }

    unit& unit_;
    std::map<clang::SourceLocation, directive*> by_hash_;
    std::vector<directive*> regions_; // compute constructs of OpenACC
};

} // namespace

unit::unit(source& s, clang::ASTContext& context)
    : directives(s), macros(s), ast(context), files(context.getSourceManager()), edits(files) {}

std::string aligned_array::word() const {
    auto all = name();
    for (auto at = all.find('.'); at != std::string::npos; at = all.find('.', at)) all.replace(at, 1, "__");
    return all;
}

std::string aligned_array::view_of(clang::Expr const* e) const {
    if (owner && !pointer) return "__sode_v_" + word();
    auto const* const r = clang::dyn_cast<clang::DeclRefExpr>(e);
    if (!r || !r->hasQualifier() || pointer) return name();
    std::string all = "__sode_v" + scope + name();
    std::ranges::replace(all, ':', '_');
    return all;
}

std::string aligned_array::any_element() const {
    std::string one = pointer ? name() : typed ? base() : "(*" + base() + ")";
    for (std::size_t d = 0; d < (pointer || typed ? dims : hidden); ++d) one += "[0]";
    return one;
}

std::string unit::scope_of(clang::DeclContext const* of) {
    std::string all;
    for (; of && !of->isTranslationUnit(); of = of->getParent())
        if (auto const* const n = clang::dyn_cast<clang::NamespaceDecl>(of); n && !n->isAnonymousNamespace())
            all.insert(0, n->getNameAsString() + "::");
    return all;
}

clang::QualType unit::declared_type(clang::VarDecl const* v) {
    auto const* const p = clang::dyn_cast<clang::ParmVarDecl>(v);
    return (p ? p->getOriginalType() : v->getType()).getNonReferenceType();
}

bool unit::initialized(clang::VarDecl const* v) {
    if (!v->hasInit()) return false;
    auto const* const made = clang::dyn_cast<clang::CXXConstructExpr>(v->getInit()->IgnoreImplicit());
    return !made || v->getInitStyle() != clang::VarDecl::CallInit || made->getParenOrBraceRange().isValid();
}

void unit::resolve() {
    resolver{*this}.TraverseDecl(ast.getTranslationUnitDecl());
    for (auto const& d : directives.directives) {
        if (d->wrong) continue;
        if (d->hash.isMacroID()) write_out(d->hash, "a directive");
        for (auto const* e : d->slots)
            if (!e->parsed) error(e->words.front().getLocation(), "this expression was lost (a defect of sode cc)");
    }
}

void unit::say(clang::SourceLocation at, std::string const& message, clang::DiagnosticsEngine::Level level) const {
    auto& diagnostics = ast.getDiagnostics();
    diagnostics.Report(at, diagnostics.getCustomDiagID(level, "%0")) << message;
}

// Where it stands in a `_Pragma("...")`.
std::optional<clang::CharSourceRange> unit::in_pragma(clang::SourceRange range) const {
    auto const begin = files.getSpellingLoc(range.getBegin()), end = files.getSpellingLoc(range.getEnd());
    if (!macros.of_pragma(range.getBegin()) || !macros.of_pragma(range.getEnd()) || files.getFileID(begin) != files.getFileID(end))
        return {};
    return clang::Lexer::getAsCharRange(clang::SourceRange{begin, end}, files, ast.getLangOpts());
}

// Where the text of a range stands in its file. A macro that has more than it is written out.
clang::CharSourceRange unit::in_file(clang::SourceRange range) const {
    auto const here = clang::Lexer::makeFileCharRange(clang::CharSourceRange::getTokenRange(range), files, ast.getLangOpts());
    if (auto const said = in_pragma(range)) return *said;
    if (here.isValid()) return here;
    (void)macros.want(range.getBegin().isMacroID() ? range.getBegin() : range.getEnd());
    return clang::Lexer::getAsCharRange(files.getExpansionRange(range), files, ast.getLangOpts());
}

std::string unit::text(clang::SourceRange range) const {
    return edits.text(in_file(range));
}

std::string unit::original(clang::SourceRange range) const {
    return edits.original(in_file(range));
}

std::string unit::text(tokens const& words) const {
    if (words.empty()) return "";
    clang::SourceRange const range{words.front().getLocation(), words.back().getLocation()};
    if (in_pragma(range) || std::ranges::none_of(words, [](auto const& t) { return t.getLocation().isMacroID(); }))
        return text(range);
    auto const here = clang::Lexer::makeFileCharRange(clang::CharSourceRange::getTokenRange(range), files, ast.getLangOpts());
    if (here.isValid() && edits.text(here) != edits.original(here)) return edits.text(here);
    std::string all; // what the macro is here, which may be something else where this is written
    for (auto const& t : words) all += (all.empty() ? "" : " ") + directives.spelling(t);
    return all;
}

std::optional<std::int64_t> unit::constant(expression const& e) const {
    if (!e.parsed || e.parsed->isValueDependent() || e.parsed->isTypeDependent()) return {};
    auto const result = e.parsed->getIntegerConstantExpr(ast);
    if (!result) return {};
    return result->getSExtValue();
}

std::string unit::place(directive const& d) const {
    auto const at = files.getPresumedLoc(files.getExpansionLoc(d.hash));
    return quoted(std::string{at.getFilename()} + ":" + std::to_string(at.getLine()));
}

std::string unit::true_place(directive const& d) const {
    auto const at = files.getExpansionLoc(d.hash);
    llvm::SmallString<256> path;
    if (auto const* const file = files.getFileEntryForID(files.getFileID(at));
        !file || llvm::sys::fs::real_path(file->getName(), path))
        return place(d);
    return quoted(path.str().str() + ":" + std::to_string(files.getSpellingLineNumber(at)));
}

directive* unit::named(directive const& d, std::size_t k) const {
    auto const found = names.find(d.number);
    if (found == names.end() || k >= found->second.size() || !found->second[k]) return nullptr;
    // In a template an enumerator has no value yet, but what it was given.
    auto const* given = found->second[k]->getInitExpr()->IgnoreParenImpCasts();
    if (auto const* const constant = clang::dyn_cast<clang::ConstantExpr>(given))
        given = constant->getSubExpr()->IgnoreParenImpCasts();
    return directives.directives[clang::cast<clang::IntegerLiteral>(given)->getValue().getZExtValue()].get();
}

directive* unit::distribution(directive const* t) const {
    for (auto const& d : directives.directives)
        if (d->kind == "distribute" && !d->wrong)
            for (std::size_t k = 0; k < d->names.size(); ++k)
                if (t && named(*d, k) == t && d->names.front().dims.size() == t->names.front().dims.size()) return d.get();
    return nullptr;
}

bool unit::distributed_wrongly(directive const* t) const {
    if (distribution(t)) return false;
    return std::ranges::any_of(directives.directives, [&](auto const& d) {
        for (std::size_t k = 0; d->kind == "distribute" && k < d->names.size(); ++k)
            if (d->wrong || named(*d, k) == t) return true;
        return false;
    });
}

aligned_array const* unit::array(clang::ValueDecl const* v) const {
    auto const* const variable = clang::dyn_cast_or_null<clang::VarDecl>(v);
    auto const found = variable ? arrays.find(variable->getCanonicalDecl()) : arrays.end();
    return found == arrays.end() ? nullptr : &found->second;
}

aligned_array const* unit::array(clang::Expr const* e) const {
    if (!e) return nullptr;
    if (auto const* const reference = clang::dyn_cast<clang::DeclRefExpr>(e->IgnoreParenImpCasts()))
        return array(reference->getDecl());
    auto const found = members_.empty() ? members_.end() : members_.find(path_of(e));
    return found == members_.end() ? nullptr : array(found->second);
}

// The variable, and the members on the way; empty: it is something else.
unit::member_path unit::path_of(clang::Expr const* e) {
    member_path path;
    for (e = e->IgnoreParenImpCasts();;) {
        auto const* const m = clang::dyn_cast<clang::MemberExpr>(e);
        if (!m || m->isArrow()) break;
        path.insert(path.begin(), m->getMemberDecl());
        e = m->getBase()->IgnoreParenImpCasts();
    }
    auto const* const r = clang::dyn_cast<clang::DeclRefExpr>(e);
    auto const* const v = r ? clang::dyn_cast<clang::VarDecl>(r->getDecl()) : nullptr;
    if (!v || path.empty()) return {};
    path.insert(path.begin(), v->getCanonicalDecl());
    return path;
}

clang::VarDecl const* unit::owner_of(clang::VarDecl const* v) const {
    for (auto const& [path, known] : members_)
        if (known == v) return clang::cast<clang::VarDecl>(path.front());
    return nullptr;
}

clang::VarDecl const* unit::member(clang::Expr const* e) {
    auto const path = path_of(e);
    auto const* const field = path.empty() ? nullptr : clang::dyn_cast<clang::FieldDecl>(path.back());
    if (!field) return nullptr;
    auto& known = members_[path];
    if (known) return known;
    auto* const of = const_cast<clang::VarDecl*>(clang::cast<clang::VarDecl>(path.front()));
    std::string name;
    for (auto const* const each : path) name += (name.empty() ? "" : ".") + each->getNameAsString();
    known = clang::VarDecl::Create(ast, of->getDeclContext(), of->getLocation(), of->getLocation(), &ast.Idents.get(name),
                                   field->getType(), field->getTypeSourceInfo(), of->getStorageClass());
    return known;
}

bool unit::is_coarray(clang::ValueDecl const* v) const {
    auto const* const variable = clang::dyn_cast_or_null<clang::VarDecl>(v);
    return variable && coarrays.contains(variable->getCanonicalDecl());
}

// The end of a directive: of its line, or of `_Pragma("...")`.
char const* unit::end_of_line(directive const& d) const {
    if (*files.getCharacterData(files.getExpansionLoc(d.hash)) == '_')
        return files.getCharacterData(files.getExpansionRange(d.end).getEnd()) + 1;
    auto const end = clang::Lexer::getLocForEndOfToken(files.getExpansionLoc(d.end), 0, files, ast.getLangOpts());
    char const* last = files.getCharacterData(end);
    while (*last && *last != '\n') ++last;
    return last;
}

void unit::replace(directive const& d, std::string code) {
    if (d.body_of.isValid()) insert_in(d.body_of, std::exchange(code, ""));
    auto const begin = files.getExpansionLoc(d.hash);
    char const* const first = files.getCharacterData(begin);
    char const* const last = end_of_line(d);
    if (d.part) code = replaced_[begin] += code;
    code += line_breaks_of({first, static_cast<std::size_t>(last - first)});
    edits.replace({{begin, begin.getLocWithOffset(static_cast<int>(last - first))}, false}, std::move(code));
}

void unit::insert_before(clang::Stmt const* s, std::string const& code) {
    auto const at = s->getBeginLoc();
    if (at.isMacroID() && !clang::Lexer::isAtStartOfMacroExpansion(at, files, ast.getLangOpts()))
        return write_out(at, "a statement");
    edits.insert_first(files.getExpansionLoc(at), code);
}

void unit::insert_in(clang::SourceLocation bracket, std::string const& code) {
    if (code.empty()) return;
    if (bracket.isMacroID()) return write_out(bracket, "a function");
    edits.insert_last(clang::Lexer::getLocForEndOfToken(bracket, 0, files, ast.getLangOpts()), code);
}

void unit::insert_behind(clang::Stmt const* s, std::string const& code) {
    for (auto const& d : directives.directives) // a directive without a body ends with its line
        if (!d->rides && s->getBeginLoc() == d->hash && !prefixed.contains(s)) {
            auto const hash = files.getExpansionLoc(d->hash);
            auto const line = end_of_line(*d);
            return edits.insert_first(hash.getLocWithOffset(static_cast<int>(line - files.getCharacterData(hash))), code);
        }
    if (s->getEndLoc().isMacroID() && !clang::Lexer::isAtEndOfMacroExpansion(s->getEndLoc(), files, ast.getLangOpts()))
        return write_out(s->getEndLoc(), "a statement");
    auto const end = files.getExpansionRange(s->getEndLoc()).getEnd(); // the bracket that closes the use of a macro
    auto behind = clang::Lexer::getLocForEndOfToken(end, 0, files, ast.getLangOpts());
    if (*files.getCharacterData(end) != ';') { // an expression statement ends before its semicolon, `x = {1, 2}` too
        auto const next = clang::Lexer::findNextToken(end, files, ast.getLangOpts());
        if (next && next->is(clang::tok::semi)) behind = next->getEndLoc();
    }
    edits.insert_first(behind, code); // what an outer directive has put there ends later
}

void unit::write_out(clang::SourceLocation at, char const* what) const {
    if (!macros.want(at))
        error(at, std::string{what} + " is in a macro, where sode cc cannot change it; write it without the macro");
}

std::optional<clang::CharSourceRange> unit::in_place(clang::SourceRange range, char const* what) const {
    auto const written = clang::Lexer::makeFileCharRange(clang::CharSourceRange::getTokenRange(range), files, ast.getLangOpts());
    auto const begin = range.getBegin();
    if (auto const said = in_pragma(range)) return said;
    bool const argument = begin.isMacroID() && files.getExpansionLoc(begin) != written.getBegin();
    if (written.isValid() && (!argument || macros.of_system(begin))) return written;
    write_out(begin.isMacroID() ? begin : range.getEnd(), what);
    return {};
}

bool unit::edit(clang::SourceRange range, std::string const& code, char const* what) {
    return edit(range, code, what, false);
}

bool unit::rename(clang::SourceRange range, std::string const& code, char const* what) {
    return edit(range, code, what, true);
}

bool unit::edit(clang::SourceRange range, std::string const& code, char const* what, bool wrapped) {
    auto const here = in_place(range, what);
    if (!here) return false;
    if (range.getBegin().isMacroID() && !edited_.insert(here->getBegin()).second) return true; // a macro has its argument twice
    edits.replace(*here, code, wrapped);
    return true;
}

} // namespace sode::compiler
