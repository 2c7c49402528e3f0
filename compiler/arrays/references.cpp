// SPDX-License-Identifier: Apache-2.0
// Where the program names distributed arrays. Blocks keep their global indices, and the text stays; cyclic indices are translated.
#include "compiler/accelerators/device_assignments.hpp"
#include "compiler/arrays/checked.hpp"
#include "compiler/arrays/sections.hpp"
#include "compiler/directives/openacc.hpp"
#include "compiler/unit/functions.hpp"
#include <algorithm>
#include <clang/Lex/Lexer.h>

namespace sode::compiler {

class reference_visitor : public function_visitor<reference_visitor> {
public:
    explicit reference_visitor(emitter& e) : emitter_(e), unit_(e.unit_), checks_(e.unit_) {}
    void finish() { checks_.write(); }

    bool TraverseStmt(clang::Stmt* s) {
        if (!s) return true;
        if (auto* const c = clang::dyn_cast<clang::CallExpr>(s); c && (injected(c) ? clause(c) : descriptor(c))) return true;
        unit_.check_memory(s);
        // The statement of a gmove is not C, and is replaced as a whole.
        if (auto const found = unit_.prefixed.find(s); found != unit_.prefixed.end() && found->second->kind == "gmove") {
            uses_in(s);
            if (auto const assignment = binary_of(found->second->body)) side(assignment->left), side(assignment->right);
            return true;
        }
        if (auto const around = host_data_above(); !around.empty())
            if (auto const assignment = binary_of(s); assignment && clang::BinaryOperator::isAssignmentOp(assignment->op))
                if (device_assignment{unit_, around}.write(*assignment, !is_statement(above_.back(), s))) {
                    uses_in(s);
                    return true;
                }
        if (above_.empty() || !clang::isa<clang::Expr>(above_.back()))
            if (auto const assignment = binary_of(s);
                assignment && clang::BinaryOperator::isAssignmentOp(assignment->op) && has_section(s)) {
                uses_in(s);
                bounds_in(s);
                numbers_in(s);
                if (!unit_.in_place(s->getSourceRange(), "an assignment of sections")) return true;
                section_assignment{emitter_, unit_, *assignment, array_above()}.write();
                return true;
            }
        if (auto const other = image_of(unit_, s); other.call && in_kernel(other)) return true;
        if (auto const a = image_assignment_of(unit_, s)) return assign_image(s, *a);
        if (auto const other = image_of(unit_, s); other.call) return to_image(s, other, image_use_of(other));
        if (auto* const f = clang::dyn_cast<clang::ForStmt>(s);
            f && unit_.checked && checked_references::split_here(unit_, above_, f))
            return split_loop(f);
        above_.push_back(s);
        bool const go_on = RecursiveASTVisitor::TraverseStmt(s);
        above_.pop_back();
        return go_on;
    }
    // xmp_desc_of(x)
    bool descriptor(clang::CallExpr* call) {
        if (name_called(call) != "__sode_desc") return false;
        auto const* const r = clang::dyn_cast<clang::DeclRefExpr>(call->getArg(0)->IgnoreParenImpCasts());
        auto const* const name = r ? clang::dyn_cast<clang::EnumConstantDecl>(r->getDecl()) : nullptr;
        auto const* const a = unit_.array(call->getArg(0));
        std::string object;
        if (name) {
            bool const nodes = name->getName().startswith(nodes_prefix);
            object = (nodes ? "__sode_n_" : "__sode_t_") + name->getName().substr(name->getName().find(' ') + 1).str();
        } else if (a) {
            object = "&" + a->state();
        } else {
            unit_.error(call->getBeginLoc(), "the argument of xmp_desc_of must be nodes, a template or an aligned array");
            return true;
        }
        (void)unit_.rename(call->getSourceRange(), "((void*)(" + object + "))", "xmp_desc_of");
        return true;
    }
    bool VisitCallExpr(clang::CallExpr* call) {
        unit_.library_call(call);
        if (meets(name_called(call))) emitter_.meets_ = true;
        if (auto const* const f = call->getDirectCallee())
            if (auto const name = f->getNameAsString(); name == "xmp_atomic_define" || name == "xmp_atomic_ref") {
                unsigned const which = name == "xmp_atomic_define" ? 0 : 1;
                auto const* const atom = which < call->getNumArgs() ? call->getArg(which) : nullptr;
                auto const here = atom ? unit_.in_place(atom->getSourceRange(), "an atomic variable") : std::nullopt;
                if (here) unit_.edits.wrap(*here, "&", "");
            }
        if (name_called(call) == "__sode_section") refuse_section(unit_, call, above_);
        return true;
    }
    bool VisitDeclRefExpr(clang::DeclRefExpr* r) {
        auto const* const region = device_region();
        if (unit_.is_coarray(r->getDecl()) && region && is_compute(*region))
            unit_.coarrays_on_device[region].insert(clang::cast<clang::VarDecl>(r->getDecl())->getCanonicalDecl());
        if (unit_.is_coarray(r->getDecl())) (void)unit_.rename(r->getSourceRange(), coarray_pointer(r->getDecl()), "a coarray");
        if (auto const* const a = unit_.array(r->getDecl())) distributed(r, *a);
        return true;
    }
    bool VisitMemberExpr(clang::MemberExpr* m) {
        auto const* const a = unit_.array(m);
        if (a && device_region())
            unit_.error(
                m->getExprLoc(),
                "'" + a->name() +
                    "' is a member of a structure, and members cannot be on devices; declare an array outside of structures");
        else if (a)
            distributed(m, *a);
        else if (auto const* const aligned = aligned_elsewhere(m))
            unit_.error(m->getMemberLoc(), "'" + aligned->name() +
                                               "' is aligned, so its elements are not in the structure; write " + aligned->name() +
                                               " here");
        return true;
    }
    void distributed(clang::Expr* r, aligned_array const& a) {
        auto const* const region = device_region();
        if (!function_ || !in_body(r))
            return unit_.error(r->getExprLoc(), "'" + a.name() + "' is distributed; its address is known only at run time");
        if (a.align->function && !a.pointer && unit_.files.isBeforeInTranslationUnit(r->getBeginLoc(), a.align->hash))
            return unit_.error(r->getExprLoc(),
                               "'" + a.name() + "' is used above its 'align'; move the directive up to the declaration");
        if (region && is_compute(*region)) unit_.on_device[region].insert(a.variable->getCanonicalDecl());
        if (!a.variable->isLocalVarDeclOrParm()) unit_.uses[function_].insert({a.variable->getCanonicalDecl(), a.view_of(r)});
        indices(r, a);
    }

    // using a::u: the view that each function has is u.
    bool VisitUsingDecl(clang::UsingDecl* d) {
        for (auto const* const shadow : d->shadows()) {
            auto const* const v = clang::dyn_cast<clang::VarDecl>(shadow->getTargetDecl());
            auto const* const a = unit_.array(v);
            if ((a && !a->pointer) || unit_.is_coarray(v)) (void)unit_.edit(d->getSourceRange(), "", "a using declaration");
        }
        return true;
    }

private:
    // The array that a member is of some structure, named through a pointer, a reference, or in a function of the class.
    aligned_array const* aligned_elsewhere(clang::MemberExpr const* m) const {
        auto const* const field = clang::dyn_cast<clang::FieldDecl>(m->getMemberDecl());
        if (!field || !field->getTypeSourceInfo()) return nullptr;
        clang::Expr const* base = m;
        while (auto const* const each = clang::dyn_cast<clang::MemberExpr>(base->IgnoreParenImpCasts())) {
            base = each->getBase();
            if (each->isArrow()) break;
        }
        auto const* const r = clang::dyn_cast<clang::DeclRefExpr>(base->IgnoreParenImpCasts());
        if (r && r->getDecl()->getType()->isRecordType()) return nullptr; // another structure, or a copy
        for (auto const& [v, a] : unit_.arrays)
            if (a.owner && v->getTypeSourceInfo() == field->getTypeSourceInfo()) return &a;
        return nullptr;
    }
    // A function that needs what is made when the program begins.
    static bool meets(std::string const& name) {
        return name == "xmp_new_coarray" || name == "xmp_sync_image" || name == "xmp_sync_images" ||
               name == "xmp_sync_images_all" || name == "xmp_fopen_all";
    }
    // The construct whose body runs on the device, or has its addresses.
    directive const* device_region() const {
        for (auto k = above_.size(); k-- > 0;)
            if (auto const found = unit_.prefixed.find(above_[k]); found != unit_.prefixed.end())
                if (is_compute(*found->second) || found->second->kind == "acc host_data") return found->second;
        return nullptr;
    }
    // The directives whose bodies have addresses of the device, up to a construct that runs there.
    std::vector<directive const*> host_data_above() const {
        std::vector<directive const*> all;
        for (auto k = above_.size(); k-- > 0;)
            if (auto const found = unit_.prefixed.find(above_[k]); found != unit_.prefixed.end()) {
                if (is_compute(*found->second)) return {};
                if (found->second->kind == "acc host_data") all.push_back(found->second);
            }
        return all;
    }
    // A kernel reaches no other image.
    bool in_kernel(other_image const& other) const {
        auto const* const region = device_region();
        if (!region || !is_compute(*region)) return false;
        unit_.error(other.where->begin,
                    "code on the device cannot access other images; copy the elements before or after the compute construct");
        unit_.note(region->hash, "the construct begins here");
        return true;
    }
    // `use_device` names it.
    static bool uses(directive const& host_data, unit const& u, aligned_array const& a) {
        for (auto const& c : host_data.clauses)
            for (auto const& argument : c.arguments)
                if (c.name == "use_device" && u.array(argument.parsed) == &a) return true;
        return false;
    }
    // The head of a loop that is split is written anew: nothing is checked there.
    bool split_loop(clang::ForStmt* f) {
        above_.push_back(f);
        for (clang::Stmt* const part :
             {f->getInit(), static_cast<clang::Stmt*>(f->getCond()), static_cast<clang::Stmt*>(f->getInc())})
            if (part) quietly(part);
        bool const go_on = TraverseStmt(f->getBody());
        above_.pop_back();
        return go_on;
    }
    // What the expression around x:[image] does with it. (Assignments are met before.)
    image_use image_use_of(other_image const& other) const {
        if (auto const found = assigned_as_.find(other.call); found != assigned_as_.end()) return found->second;
        if (other.what->getType()->isArrayType()) return image_use::address;
        auto k = above_.size();
        auto const next = [&]() -> clang::Stmt const* {
            while (k > 0 && (clang::isa<clang::ImplicitCastExpr>(above_[k - 1]) || clang::isa<clang::ParenExpr>(above_[k - 1])))
                --k;
            return k > 0 ? above_[--k] : nullptr;
        };
        auto const* const taken = clang::dyn_cast_or_null<clang::UnaryOperator>(next());
        if (!taken || taken->getOpcode() != clang::UO_AddrOf) return image_use::read;
        auto const* const call = clang::dyn_cast_or_null<clang::CallExpr>(next());
        auto const name = call ? name_called(call) : "";
        return name == "xmp_atomic_define" || name == "xmp_atomic_ref" ? image_use::atom : image_use::address;
    }
    bool in_macro(other_image const& other, std::initializer_list<clang::SourceLocation> others = {}) {
        std::vector<clang::SourceLocation> all{other.call->getBeginLoc(), other.where->begin, other.where->colon, other.where->end};
        all.insert(all.end(), others);
        auto const found = std::ranges::find_if(
            all, [&](auto at) { return at.isMacroID() && !unit_.macros.of_system(at) && !unit_.macros.of_pragma(at); });
        if (found == all.end()) return false;
        unit_.write_out(*found, "a reference to another image");
        return true;
    }
    // Whether nobody takes the value of an expression.
    static bool is_statement(clang::Stmt const* parent, clang::Stmt const* s) {
        if (auto const* const f = clang::dyn_cast<clang::ForStmt>(parent)) return s == f->getInc() || s == f->getBody();
        if (auto const* const i = clang::dyn_cast<clang::IfStmt>(parent)) return s == i->getThen() || s == i->getElse();
        if (auto const* const w = clang::dyn_cast<clang::WhileStmt>(parent)) return s == w->getBody();
        if (auto const* const d = clang::dyn_cast<clang::DoStmt>(parent)) return s == d->getBody();
        return clang::isa<clang::CompoundStmt>(parent) || clang::isa<clang::LabelStmt>(parent) ||
               clang::isa<clang::SwitchCase>(parent);
    }
    // x:[image] = ..., ++, ...: the whole stands between what finds a place for the value and what brings it there.
    bool assign_image(clang::Stmt* s, image_assignment const& a) {
        if (in_macro(a.to, {s->getBeginLoc(), a.at, s->getEndLoc()})) return true;
        auto const& files = unit_.files;
        bool const before = !a.right && s->getBeginLoc() != a.left->getBeginLoc(); // ++x:[k]
        auto const left = files.getFileLoc(a.left->getBeginLoc());                 // of (x:[k]) = 1 the bracket
        auto const begin = files.getFileLoc(before ? s->getBeginLoc() : std::min(left, a.to.where->begin));
        auto const end = clang::Lexer::getLocForEndOfToken(files.getFileLoc(s->getEndLoc()), 0, files, unit_.ast.getLangOpts());
        bool const valued = !above_.empty() && !is_statement(above_.back(), s);
        if (assigned_.insert(a.to.where->colon).second)
            unit_.edits.wrap({{begin, end}, false}, before_assignment(unit_, a, valued), behind_assignment(unit_, a, valued));
        above_.push_back(s);
        assigned_as_[a.to.call] = a.use;
        bool const go_on =
            TraverseStmt(const_cast<clang::Expr*>(a.left)) && (!a.right || TraverseStmt(const_cast<clang::Expr*>(a.right)));
        above_.pop_back();
        return go_on;
    }
    // x:[image]: x stays, between what finds it there.
    bool to_image(clang::Stmt const* s, other_image const& other, image_use use) {
        if (in_macro(other)) return true;
        auto const& where = *other.where;
        above_.push_back(s);
        for (unsigned k = 1; k < other.call->getNumArgs(); ++k) quietly(const_cast<clang::Expr*>(other.call->getArg(k)));
        auto const end = where.end.getLocWithOffset(1);
        if (translated_.insert(where.colon).second) { // a macro has its argument several times
            unit_.edits.wrap({{where.begin, end}, false}, before_image(unit_, other, use), behind_image(use));
            unit_.edits.replace({{where.colon, end}, false}, "");
        }
        bool const go_on = TraverseStmt(const_cast<clang::Expr*>(other.what));
        above_.pop_back();
        return go_on;
    }
    // The directive `array` before the statement that comes next.
    directive const* array_above() const {
        auto const found = above_.empty() ? unit_.prefixed.end() : unit_.prefixed.find(above_.back());
        return found != unit_.prefixed.end() && found->second->kind == "array" ? found->second : nullptr;
    }
    static bool injected(clang::CallExpr const* call) {
        auto const name = name_called(call);
        return name == "__sode_e" || name == "__sode_h" || name == "__sode_n" || name == "__sode_a";
    }
    void quietly(clang::Stmt* s) {
        bool const before = std::exchange(quiet_, true);
        (void)TraverseStmt(s);
        quiet_ = before;
    }
    // An expression of a clause: what the directive becomes has it with the edits in it.
    bool clause(clang::CallExpr* call) {
        if (name_called(call) != "__sode_e") return true;
        auto const number = [&](unsigned k) {
            return clang::cast<clang::IntegerLiteral>(call->getArg(k)->IgnoreParenImpCasts())->getValue().getZExtValue();
        };
        auto const& d = *unit_.directives.directives[number(0)];
        auto const* const slot = d.slots[number(1)];
        auto* const e = const_cast<clang::Expr*>(last_argument(call));
        bool const is_item = std::ranges::any_of(d.items, [&](auto const& item) { return &item == slot; });
        if (d.openacc || d.kind == "lock" || d.kind == "unlock" || (is_item && unit_.array(e))) {
            elements_in(e);
            numbers_in(e);
            if (d.openacc) indices_in(e);
        } else
            is_item && !d.wrong ? item(e) : quietly(e);
        return true;
    }
    // What a directive is about: x, x[a], x[a:b].
    void item(clang::Expr* e) {
        side(e);
        auto const [subscripts, root] = subscripts_of(e);
        auto const* const a = unit_.array(root);
        if (!a) return;
        uses_in(e);
        viewed(root->IgnoreParenImpCasts(), *a);
        for (std::size_t k = 0; k < subscripts.size() && k < a->dims; ++k)
            if (emitter_.format(*a, k) == "cyclic" && !section_of(index_of(subscripts[k]))) translate(*subscripts[k], *a, k);
    }
    // The same, where indices of distributed arrays stay global.
    void side(clang::Expr const* e) {
        indices_in(e);
        if (auto const* const root = subscripts_of(e).root; !unit_.array(root)) quietly(const_cast<clang::Expr*>(root));
    }
    void indices_in(clang::Expr const* e) {
        for (auto const* const s : subscripts_of(e).subscripts)
            if (auto const* const section = section_of(index_of(s)))
                for (auto const* const part : section->arguments()) quietly(const_cast<clang::Expr*>(part));
            else
                quietly(const_cast<clang::Expr*>(index_of(s)));
    }
    // The numbers of other images.
    void numbers_in(clang::Stmt const* s) {
        if (auto const other = image_of(unit_, s); other.call)
            for (unsigned k = 1; k < other.call->getNumArgs(); ++k) quietly(const_cast<clang::Expr*>(other.call->getArg(k)));
        for (auto const* const child : s->children())
            if (child) numbers_in(child);
    }
    void bounds_in(clang::Stmt* s) {
        if (auto* const e = clang::dyn_cast<clang::Expr>(s))
            if (auto* const section = section_of(e))
                for (auto const* const part : section->arguments()) quietly(const_cast<clang::Expr*>(part));
        for (auto* const child : s->children())
            if (child) bounds_in(child);
    }
    // Elements that a clause names.
    void elements_in(clang::Stmt* s) {
        if (clang::isa<clang::ArraySubscriptExpr>(s)) return uses_in(s);
        for (auto* const child : s->children())
            if (child) elements_in(child);
    }
    void uses_in(clang::Stmt* s) {
        if (clang::isa<clang::DeclRefExpr>(s) || clang::isa<clang::MemberExpr>(s))
            if (auto const* const a = unit_.array(clang::cast<clang::Expr>(s));
                a && !a->variable->isLocalVarDeclOrParm() && function_)
                unit_.uses[function_].insert({a->variable->getCanonicalDecl(), a->view_of(clang::cast<clang::Expr>(s))});
        for (auto* const child : s->children())
            if (child) uses_in(child);
    }
    // sizeof of the array, of a row or of an element: as it was declared.
    bool sized(aligned_array const& a) {
        std::size_t dim = 0;
        clang::Stmt const* inner = above_.back();
        for (auto k = above_.size() - 1; k-- > 0; inner = above_[k]) {
            auto const* const subscript = clang::dyn_cast<clang::ArraySubscriptExpr>(above_[k]);
            auto const* const star = clang::dyn_cast<clang::UnaryOperator>(above_[k]);
            if ((subscript && base_of(subscript) == inner) || (star && star->getOpcode() == clang::UO_Deref)) {
                ++dim;
            } else if (auto const* const size = clang::dyn_cast<clang::UnaryExprOrTypeTraitExpr>(above_[k])) {
                if (size->getKind() != clang::UETT_SizeOf || dim > a.dims || (dim == 0 && a.pointer)) return false;
                std::string type = emitter_.element(a);
                for (auto const extents = emitter_.extents(a); dim < a.dims; ++dim) type += "[" + extents[dim] + "]";
                (void)unit_.rename(size->getSourceRange(), "sizeof(" + type + ")", "a distributed array");
                return true;
            } else if (!clang::isa<clang::ImplicitCastExpr>(above_[k]) && !clang::isa<clang::ParenExpr>(above_[k])) {
                return false;
            }
        }
        return false;
    }
    void indices(clang::Expr* r, aligned_array const& a) {
        if (sized(a)) return;
        clang::Stmt const* inner = r;
        clang::Stmt const* outer = nullptr;
        std::size_t dim = 0, beyond = 0;
        std::vector<clang::ArraySubscriptExpr const*> subscripts;
        decays_ = false;
        for (auto k = above_.size() - 1; k-- > 0;) {
            outer = above_[k];
            auto const* const cast = clang::dyn_cast<clang::ImplicitCastExpr>(outer);
            if (cast || clang::isa<clang::ParenExpr>(outer)) {
                decays_ = decays_ || (cast && cast->getCastKind() == clang::CK_ArrayToPointerDecay);
                inner = outer;
                continue;
            }
            auto const* const subscript = clang::dyn_cast<clang::ArraySubscriptExpr>(outer);
            if (!subscript || base_of(subscript) != inner || dim == a.dims) break;
            subscripts.push_back(subscript);
            ++dim;
            inner = outer;
            beyond = k;
        }
        bool const checks = unit_.checked && !quiet_;
        if (checks && dim == a.dims) {
            std::vector<clang::Stmt const*> const around(above_.begin(), above_.begin() + static_cast<std::ptrdiff_t>(beyond));
            return checks_.element(a, subscripts, use_of(unit_, a, inner, around));
        }
        for (std::size_t d = 0; d < dim; ++d) {
            if (checks) checks_.row(a, d, index_of(subscripts[d]));
            if (emitter_.format(a, d) == "cyclic") translate(*subscripts[d], a, d);
        }
        auto const* const region = device_region();
        if (region && is_compute(*region))
            for (std::size_t d = 0; d < dim; ++d)
                if (emitter_.format(a, d) == "cyclic") unit_.cyclic_on_device[region].insert(a.variable->getCanonicalDecl());
        if (dim > 0) viewed(r, a);
        if (dim == 0 && a.pointer) return pointer_given(r, a);
        if (dim > 0) return;
        if (steps(outer)) return stepped(r, a);
        if (region && is_compute(*region))
            return unit_.error(r->getExprLoc(),
                               "'" + a.name() + "' as a whole has no address on the device; write the address of an element: &" +
                                   a.name() + "[i]...");
        auto const local = region && uses(*region, unit_, a) ? "sode_acc_local(" + unit_.place(*region) + ",&" + a.state() + "))"
                                                             : "sode_xmp_local(&" + a.state() + "))";
        if (unit_.is_cxx()) return whole(r, a, outer, local);
        std::string rows;
        for (std::size_t d = 1; d < a.dims; ++d) rows += "[" + emitter_.extents(a)[d] + "]";
        if (clang::dyn_cast_or_null<clang::CallExpr>(outer) &&
            emitter_.pitches(a) != rows) // whose parameter has the rows of the whole
            return void(unit_.rename(r->getSourceRange(), "((void*)" + local, "a distributed array"));
        auto const type = a.dims == 1 ? emitter_.element(a) + "*" : emitter_.element(a) + "(*)" + emitter_.pitches(a);
        (void)unit_.rename(r->getSourceRange(), "((" + type + ")" + local, "a distributed array");
    }
    // What an element is an element of.
    void viewed(clang::Expr const* r, aligned_array const& a) {
        if (a.view_of(r) != a.name()) (void)unit_.rename(r->getSourceRange(), a.view_of(r), "a distributed array");
        if (auto const as = translated_.insert(r->getExprLoc()).second ? emitter_.cut_pointer(a) : ""; !as.empty())
            (void)unit_.rename(r->getSourceRange(), as, "a pointer to rows that nodes share");
    }
    // As an argument the name is the local part, as that of an array is. Elsewhere the pointer has global indices.
    void pointer_given(clang::Expr* r, aligned_array const& a) {
        auto k = above_.size() - 1;
        while (k > 0 && (clang::isa<clang::CastExpr>(above_[k - 1]) || clang::isa<clang::ParenExpr>(above_[k - 1]))) --k;
        if (k == 0 || !clang::isa<clang::CallExpr>(above_[k - 1])) return;
        (void)unit_.rename(r->getSourceRange(), "((__typeof__(" + unit_.text(r) + "))sode_xmp_local(&" + a.state() + "))",
                           "a pointer to a distributed array");
    }
    // a + i, *a: pointers that a program computes from the name.
    static bool steps(clang::Stmt const* outer) {
        if (auto const* const u = clang::dyn_cast_or_null<clang::UnaryOperator>(outer)) return u->getOpcode() == clang::UO_Deref;
        auto const* const b = clang::dyn_cast_or_null<clang::BinaryOperator>(outer);
        return b && (b->getOpcode() == clang::BO_Add || b->getOpcode() == clang::BO_Sub);
    }
    // Indices are global there, too, and no access is checked.
    void stepped(clang::Expr* r, aligned_array const& a) {
        if (emitter_.format(a, 0) == "cyclic")
            return unit_.error(r->getExprLoc(), "'" + a.name() +
                                                    "' is cyclic in its first dimension, so a pointer cannot step from one index " +
                                                    "to the next; write " + a.name() + "[i]");
        if (a.view_of(r) != a.name()) (void)unit_.rename(r->getSourceRange(), a.view_of(r), "a distributed array");
    }
    // C++'s functions are found by the types of arrays, so that these stay what was declared.
    void whole(clang::Expr* r, aligned_array const& a, clang::Stmt const* outer, std::string const& local) {
        auto const extents = emitter_.extents(a);
        std::string rows;
        for (std::size_t d = 1; d < a.dims; ++d) rows += "[" + extents[d] + "]";
        bool const given = clang::dyn_cast_or_null<clang::CallExpr>(outer) != nullptr;
        if (outer && clang::isa<clang::CXXForRangeStmt>(outer))
            return unit_.error(r->getExprLoc(),
                               "a range-based for loop cannot visit '" + a.name() +
                                   "', because each node has only a part of the array; write a loop over the indices");
        if (a.dims > 1 && !given && emitter_.pitches(a) != rows)
            return unit_.error(r->getExprLoc(), "the rows of '" + a.name() +
                                                    "' have another length in memory than its type says; pass '" + a.name() +
                                                    "' to a function whose parameter is aligned, or access single elements");
        bool const by_reference = given && !decays_;
        auto const type = emitter_.element(a) + (by_reference ? "(*)[" + extents[0] + "]" : a.dims == 1 ? "*" : "(*)") + rows;
        (void)unit_.rename(r->getSourceRange(), (by_reference ? "(*(" : "((") + type + ")" + local, "a distributed array");
    }
    // In C++ a constructor may name it before its body.
    bool in_body(clang::Expr const* r) const {
        auto const* const body = function_->getBody();
        auto const at = unit_.files.getExpansionLoc(r->getBeginLoc());
        return !body || (!unit_.files.isBeforeInTranslationUnit(at, unit_.files.getExpansionLoc(body->getBeginLoc())) &&
                         !unit_.files.isBeforeInTranslationUnit(unit_.files.getExpansionLoc(body->getEndLoc()), at));
    }
    void translate(clang::ArraySubscriptExpr const& subscript, aligned_array const& a, std::size_t dim) {
        auto const* const index = index_of(&subscript);
        auto const written = unit_.in_place(index->getSourceRange(), "the index of a cyclic dimension");
        if (!written || !translated_.insert(written->getBegin()).second) return; // a macro has its argument several times
        if (auto const counted = emitter_.positions_.find(&subscript); counted != emitter_.positions_.end())
            return unit_.edits.replace(*written, counted->second);
        unit_.edits.wrap(*written, emitter::position_call(a, dim), ")");
    }

    emitter& emitter_;
    unit& unit_;
    checked_references checks_;
    std::set<clang::SourceLocation> translated_, assigned_;
    std::map<clang::CallExpr const*, image_use> assigned_as_; // images on left sides
    std::vector<clang::Stmt const*> above_;
    bool quiet_ = false;  // no reference is checked
    bool decays_ = false; // what indices() looks at becomes a pointer
};

void emitter::references() {
    reference_visitor visitor{*this};
    visitor.TraverseDecl(unit_.ast.getTranslationUnitDecl());
    visitor.finish();
}

} // namespace sode::compiler
