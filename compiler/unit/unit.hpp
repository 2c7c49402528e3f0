// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/directives/source.hpp"
#include "compiler/unit/macro_uses.hpp"
#include "compiler/unit/text_edits.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace sode::compiler {

/// An array that an align directive names.
struct aligned_array {
    clang::VarDecl const* variable = nullptr; ///< the canonical declaration
    clang::VarDecl const* owner = nullptr;    ///< the structure that it is a member of; null: none
    directive* align = nullptr;
    directive* along = nullptr;  ///< the template
    directive* shadow = nullptr; ///< null: none
    std::size_t dims = 0;
    bool pointer = false;    ///< memory comes from xmp_malloc()
    bool kept = false;       ///< static_desc: made when the function runs for the first time
    bool typed = false;      ///< a parameter that keeps the type it was declared with
    std::size_t hidden = 0;  ///< how many of its dimensions, the last ones, are in a name of a type
    std::string scope;       ///< the namespaces around it, `::a::b::`
    std::string align_scope; ///< and around its align directive

    [[nodiscard]] std::string name() const { return variable->getNameAsString(); }
    [[nodiscard]] std::string state() const { return align_scope + declared_state(); }
    [[nodiscard]] std::string base() const { return scope + declared_base(); }
    [[nodiscard]] std::string declared_state() const { return "__sode_d_" + word(); }
    [[nodiscard]] std::string declared_base() const { return "__sode_b_" + word(); }
    /// Its name, without the points of a member's.
    [[nodiscard]] std::string word() const;
    /// Where its declaration, or that of the structure, stands.
    [[nodiscard]] clang::VarDecl const* declared() const { return owner ? owner : variable; }
    /// An element, as an expression of what the program or this compiler declared.
    [[nodiscard]] std::string any_element() const;
    /// What a function calls its view of it, which must not hide something if the program names it `a::u`.
    [[nodiscard]] std::string view_of(clang::Expr const* r) const;
};

/// What Clang understood of a unit, and the edits of its text.
class unit {
public:
    unit(source& s, clang::ASTContext& context);

    /// What expressions, names and arrays of directives are.
    void resolve();
    /// Complains about what is no XcalableMP.
    void check();
    [[nodiscard]] bool failed() const { return ast.getDiagnostics().hasErrorOccurred(); }

    void error(clang::SourceLocation at, std::string const& message) const { say(at, message, clang::DiagnosticsEngine::Error); }
    void note(clang::SourceLocation at, std::string const& message) const { say(at, message, clang::DiagnosticsEngine::Note); }
    void warning(clang::SourceLocation at, std::string const& message) const {
        say(at, message, clang::DiagnosticsEngine::Warning);
    }

    /// The user's text, with the edits in it.
    [[nodiscard]] std::string text(tokens const& words) const;
    [[nodiscard]] std::string text(expression const& e) const { return text(e.words); }
    [[nodiscard]] std::string text(clang::SourceRange range) const;
    [[nodiscard]] std::string text(clang::Expr const* e) const { return text(e->getSourceRange()); }
    /// As the user wrote it.
    [[nodiscard]] std::string original(clang::SourceRange range) const;
    [[nodiscard]] std::string original(clang::Expr const* e) const { return original(e->getSourceRange()); }
    /// Its value, where the compiler knows it.
    [[nodiscard]] std::optional<std::int64_t> constant(expression const& e) const;
    /// "file:line" of a directive, as a string literal.
    [[nodiscard]] std::string place(directive const& d) const;
    /// The same for every path that leads to the file.
    [[nodiscard]] std::string true_place(directive const& d) const;

    /// The directive that declared nodes or a template which `d` names; the k-th name in it.
    [[nodiscard]] directive* named(directive const& d, std::size_t k) const;
    /// What `on` or `from` names; null: nothing, or `*`.
    [[nodiscard]] directive* on_of(directive const& d) const { return d.has_on && d.on.stars == 0 ? named(d, 0) : nullptr; }
    [[nodiscard]] directive* from_of(directive const& d) const {
        return d.has_from ? named(d, d.has_on && d.on.stars == 0 ? 1 : 0) : nullptr;
    }
    /// The distribute directive of a template; null: none in this unit.
    [[nodiscard]] directive* distribution(directive const* t) const;
    /// There is an error of `distribute` that says why the template has no distribution.
    [[nodiscard]] bool distributed_wrongly(directive const* t) const;
    [[nodiscard]] aligned_array const* array(clang::ValueDecl const* v) const;
    [[nodiscard]] aligned_array const* array(clang::Expr const* e) const;
    /// The member of a structure that `e` is, as a variable: one for each; null: it is no member of a variable.
    [[nodiscard]] clang::VarDecl const* member(clang::Expr const* e);
    /// The structure that a variable of member() is of; null: none.
    [[nodiscard]] clang::VarDecl const* owner_of(clang::VarDecl const* v) const;

    [[nodiscard]] bool is_cxx() const { return ast.getLangOpts().CPlusPlus; }
    /// A type as the program writes it.
    [[nodiscard]] std::string spelled(clang::QualType type) const {
        return type.getUnqualifiedType().getAsString(ast.getPrintingPolicy());
    }
    /// The namespaces around a declaration, `a::b::`.
    [[nodiscard]] static std::string scope_of(clang::DeclContext const* of);
    /// What type a variable was declared with: of a parameter `T u[n]` that, and no pointer; of a reference what it refers to.
    [[nodiscard]] static clang::QualType declared_type(clang::VarDecl const* v);

    /// Whether the program says what is in a variable at first: what the class of its elements says of itself does not count.
    [[nodiscard]] static bool initialized(clang::VarDecl const* v);

    [[nodiscard]] bool is_coarray(clang::ValueDecl const* v) const;

    /// Replaces a directive's lines by `code`, and keeps how many lines there are. Parts of a combined directive follow each other.
    void replace(directive const& d, std::string code);
    void insert_before(clang::Stmt const* s, std::string const& code);
    void insert_behind(clang::Stmt const* s, std::string const& code);
    /// Behind the bracket that opens a block.
    void insert_in(clang::SourceLocation bracket, std::string const& code);
    /// Edits text where the user wrote it. A use of a macro that wrote it is written out, and the unit read again.
    bool edit(clang::SourceRange range, std::string const& code, char const* what);
    /// The same of a name, which an expression that is wrapped may consist of.
    bool rename(clang::SourceRange range, std::string const& code, char const* what);
    /// Where the user wrote it, if it can be edited there. Nothing: as above.
    [[nodiscard]] std::optional<clang::CharSourceRange> in_place(clang::SourceRange range, char const* what) const;
    /// An error if the use of a macro at `at` cannot be written out.
    void write_out(clang::SourceLocation at, char const* what) const;
    /// An aligned pointer that gets memory otherwise.
    void check_memory(clang::Stmt const* s) const;
    /// Checks what a function of the library gets, and lets it know where it is called, for its messages.
    void library_call(clang::CallExpr const* call);

    bool checked = false; ///< -fsode-check
    bool serial = false;  ///< --serial
    bool openmp = false;  ///< -fopenmp
    /// Which distributed arrays a compute construct refers to, and whole arrays that are named in `host_data`.
    std::map<directive const*, std::set<clang::VarDecl const*>> on_device;
    std::map<directive const*, std::set<clang::VarDecl const*>> coarrays_on_device; ///< the same of coarrays
    /// Where an index of a cyclic dimension is translated on the device.
    std::map<directive const*, std::set<clang::VarDecl const*>> cyclic_on_device;

    source& directives;
    mutable macro_uses macros;
    clang::ASTContext& ast;
    clang::SourceManager& files;
    text_edits edits;
    std::map<clang::VarDecl const*, aligned_array> arrays;
    std::map<clang::VarDecl const*, source::coarray> coarrays; ///< by the canonical declaration
    /// Which functions use which file-scope arrays.
    std::map<clang::FunctionDecl const*, std::set<std::pair<clang::VarDecl const*, std::string>>> uses; ///< and the view's name
    std::map<unsigned, std::vector<clang::EnumConstantDecl const*>> names;                              // of a directive
    std::map<unsigned, std::vector<clang::VarDecl const*>> arrays_named;                                // of align and shadow
    std::map<clang::Stmt const*, directive*> prefixed; // the `while` of a directive

private:
    using member_path = std::vector<clang::ValueDecl const*>;
    static member_path path_of(clang::Expr const* e);

    std::map<member_path, clang::VarDecl*> members_;
    std::set<clang::SourceLocation> edited_;                // in arguments of macros
    std::map<clang::SourceLocation, std::string> replaced_; // what stands in place of directives, by where those begin
    bool edit(clang::SourceRange range, std::string const& code, char const* what, bool wrapped);
    [[nodiscard]] std::optional<clang::CharSourceRange> in_pragma(clang::SourceRange range) const;
    [[nodiscard]] clang::CharSourceRange in_file(clang::SourceRange range) const;
    void say(clang::SourceLocation at, std::string const& message, clang::DiagnosticsEngine::Level level) const;
    [[nodiscard]] char const* end_of_line(directive const& d) const;
    void check_align(directive& d);
    void check_coarrays();
    void check_image_nodes(directive const& d);
    void check_dims(reference const& r, directive const* of);
    void check_mappings();
    void check_star(reference const& r) const;
    void check_extents(directive const& d) const;
    void check_distribute(directive const& d) const;
    void check_widths(dimension const& f) const;
    void check_targets(directive const& d) const;
    void check_fix(directive const& d) const;
    void check_numbers(directive const& d) const;
    void check_work(directive const& d) const;
    void check_operations(directive const& d) const;
    void check_array(directive const& d) const;
    void check_gmove(directive const& d) const;
    void check_tasks(directive const& d) const;
    void check_image(directive const& d) const;
    void check_allocation(clang::CallExpr const* call) const;
    void check_lock(directive const& d) const;
    [[nodiscard]] bool names_array(clang::Stmt const* s) const;
    void check_shadow(directive& d);
    void check_items(directive& d);
    void check_openacc(directive& d);
    void check_coarray(directive const& d, openacc_clause const& c, expression const& argument) const;
    void check_region(directive& d);
    void check_kept();
    void keep_below(aligned_array const& a);
    void check_habits();
};

} // namespace sode::compiler
