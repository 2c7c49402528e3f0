// SPDX-License-Identifier: Apache-2.0
// What directives say that cannot be.
#include "compiler/loops/for_loops.hpp"
#include "compiler/unit/operators.hpp"
#include "compiler/unit/unit.hpp"

#include <algorithm>
#include <clang/AST/ParentMapContext.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/AST/TypeLoc.h>

namespace sode::compiler {

namespace {

bool has_open_extent(unit const& u, clang::VarDecl const* v) {
    auto location = v->getTypeSourceInfo()->getTypeLoc();
    while (auto const array = location.getAsAdjusted<clang::ArrayTypeLoc>()) {
        auto const* const extent = array.getSizeExpr() ? array.getSizeExpr()->IgnoreImpCasts() : nullptr;
        if (extent && clang::isa<clang::ChooseExpr>(extent)) return true; // what injector::open_extent() wrote
        auto const* const known = clang::dyn_cast_or_null<clang::ConditionalOperator>(extent);
        auto const* const asks = known ? clang::dyn_cast<clang::CallExpr>(known->getCond()->IgnoreParenImpCasts()) : nullptr;
        bool is_known = true;
        if (asks && name_called(asks) == "__builtin_constant_p" && asks->EvaluateAsBooleanCondition(is_known, u.ast) && !is_known)
            return true;
        location = array.getElementLoc();
    }
    return false;
}

// Whether a `for` over this variable is around a statement.
bool in_loop_over(clang::ASTContext& ast, clang::Stmt const* s, clang::IdentifierInfo const* name) {
    auto parents = ast.getParents(*s);
    while (!parents.empty()) {
        if (auto const* const f = parents[0].get<clang::ForStmt>())
            if (auto const* const v = variable_of(f); v && v->getIdentifier() == name) return true;
        parents = ast.getParents(parents[0]);
    }
    return false;
}

// Without a list, an index of a loop around the directive is a number, as in loop (j) on t[i][j].
void leave_out_numbers(clang::ASTContext& ast, directive& d) {
    auto const from_reference = [&](clang::Token const& t) {
        return std::ranges::any_of(d.on.dims, [&](dimension const& dim) {
            return std::ranges::any_of(dim.lower.words, [&](auto const& w) { return w.getLocation() == t.getLocation(); });
        });
    };
    auto const looped = [&](clang::Token const& t) { return loop_over(d.body, t.getIdentifierInfo()) != nullptr; };
    if (std::ranges::none_of(d.indices, looped)) return;
    std::erase_if(d.indices, [&](clang::Token const& t) {
        return from_reference(t) && !looped(t) && in_loop_over(ast, d.body, t.getIdentifierInfo());
    });
}

} // namespace

// Every coarray lies in memory that other images reach: it is declared at file scope.
void unit::check_coarrays() {
    class finder : public clang::RecursiveASTVisitor<finder> {
    public:
        explicit finder(unit& u) : unit_(u) {
            for (auto const& c : u.directives.coarrays) declared_[c.name] = &c;
        }
        bool VisitVarDecl(clang::VarDecl* v) {
            if (auto const found = declared_.find(v->getLocation()); found != declared_.end()) {
                unit_.coarrays[v->getCanonicalDecl()] = *found->second;
                variables_.insert(v->getLocation());
            }
            return true;
        }
        // Members of structures, and expressions.
        void others() const {
            for (auto const& [at, c] : declared_)
                if (!variables_.contains(at))
                    unit_.error(at, "only a variable at file scope can be a coarray; if this is a member, declare a coarray of the "
                                    "structure");
        }

    private:
        unit& unit_;
        std::map<clang::SourceLocation, source::coarray const*> declared_;
        std::set<clang::SourceLocation> variables_;
    };
    finder find{*this};
    find.TraverseDecl(ast.getTranslationUnitDecl());
    find.others();
    for (auto const& d : directives.directives)
        if (d->kind == "coarray" && !d->wrong && !d->has_on)
            for (auto const* const v : arrays_named[d->number])
                if (v) coarrays.try_emplace(v->getCanonicalDecl(), source::coarray{{}, {}, {}, d->codimensions});
    for (auto const& [v, c] : coarrays) {
        auto const name = "'" + v->getNameAsString() + "'";
        if (!v->isFileVarDecl())
            error(v->getLocation(), "coarray " + name + " is declared in a function; declare it at file scope");
        for (auto const* const each : v->redecls())
            if (initialized(each))
                error(each->getLocation(), "coarray " + name + " has an initializer; assign its value when the program runs");
        if (has_open_extent(*this, v))
            error(v->getLocation(), "the extents of coarray " + name +
                                        " are known only at run time; write constants, or make it by xmp_new_coarray()");
        if (array(v)) error(v->getLocation(), name + " is a coarray and a distributed array");
    }
    for (auto const& d : directives.directives)
        if (d->kind == "coarray" && !d->wrong && d->has_on) check_image_nodes(*d);
}

// `coarray on p :: x`
void unit::check_image_nodes(directive const& d) {
    if (d.function) return error(d.hash, "'coarray on' must be at file scope, where the coarray is declared; move it there");
    auto const* const p = named(d, 0);
    if (p && p->kind != "nodes")
        return error(d.on.name.getLocation(),
                     "'coarray on' must name nodes, but this is a template; name the nodes that it is distributed onto");
    auto const& all = arrays_named[d.number];
    for (std::size_t k = 0; k < d.names.size() && k < all.size(); ++k) {
        auto const at = d.names[k].name.getLocation();
        if (!all[k]) continue;
        auto const found = coarrays.find(all[k]->getCanonicalDecl());
        if (found == coarrays.end()) {
            error(at, "'" + directives.spelling(d.names[k].name) + "' is not a coarray; declare it with :[*]");
            note(all[k]->getLocation(), "declared here without a codimension");
        } else if (found->second.on) {
            error(at, "'" + directives.spelling(d.names[k].name) + "' is on two node arrays; leave one of the directives out");
            note(found->second.on->hash, "the first one is here");
        } else {
            found->second.on = &d;
        }
    }
}

// A reference has as many dimensions as what it refers to, or none.
void unit::check_dims(reference const& r, directive const* of) {
    if (!of || !r.given) return;
    for (auto const& dim : r.dims)
        if (auto const count = r.square && dim.colon && dim.upper.given() ? constant(dim.upper) : std::nullopt; count && *count < 0)
            error(dim.upper.words.front().getLocation(),
                  "the count in [from:count] must be 0 or more, and it is " + std::to_string(*count));
    if (r.dims.size() == of->names.front().dims.size()) return;
    error(r.name.getLocation(), "'" + directives.spelling(r.name) + "' has " + std::to_string(of->names.front().dims.size()) +
                                    " dimensions, not " + std::to_string(r.dims.size()));
    note(of->names.front().name.getLocation(), "declared here");
}

void unit::check() {
    for (auto const& d : directives.directives) {
        if (d->wrong) continue;
        if (d->kind == "align") check_align(*d);
    }
    check_mappings();
    check_kept();
    check_habits();
    check_coarrays();
    for (auto const& d : directives.directives)
        if (!d->wrong && d->kind == "shadow") check_shadow(*d);
    for (auto const& d : directives.directives) {
        if (d->wrong) continue;
        if (d->openacc) check_openacc(*d);
        if (d->region) check_region(*d);
        if (!d->items.empty()) check_items(*d);
        check_numbers(*d);
        if (d->kind == "loop" && !d->openacc && d->body) leave_out_numbers(ast, *d);
        check_work(*d);
        std::size_t next = 0; // which name of nodes or a template it is
        if (d->kind == "template_fix") check_dims(d->names.front(), named(*d, next++));
        if (d->has_on && d->on.stars == 0) check_dims(d->on, named(*d, next++));
        if (d->has_from) check_dims(d->from, named(*d, next++));
    }
}

namespace {

// How many dimensions the declaration itself has, beside those of a type that it names.
std::size_t written_dims(clang::VarDecl const* v) {
    auto const bare = [](clang::TypeLoc location) { return location.getUnqualifiedLoc().IgnoreParens(); };
    auto location = bare(v->getTypeSourceInfo()->getTypeLoc());
    if (auto const reference = location.getAs<clang::ReferenceTypeLoc>()) location = bare(reference.getPointeeLoc());
    std::size_t dims = 0;
    if (auto const pointer = location.getAs<clang::PointerTypeLoc>()) {
        location = bare(pointer.getPointeeLoc());
        ++dims;
    }
    while (auto const array = location.getAsAdjusted<clang::ArrayTypeLoc>()) {
        location = bare(array.getElementLoc());
        ++dims;
    }
    return dims;
}

// Whether `template_fix` says something about a template.
bool sized_later(directive const& t, directive const& distributed) {
    return std::ranges::any_of(t.names.front().dims, [](dimension const& d) { return d.colon && !d.lower.given(); }) ||
           std::ranges::any_of(distributed.names.front().dims, [](dimension const& d) { return d.format == "gblock" && d.colon; });
}

} // namespace

void unit::check_align(directive& d) {
    auto* const t = named(d, 0);
    if (!t) return;
    if (t->kind != "template")
        return directives.error(d, d.on.name.getLocation(),
                                "an array must be aligned with a template; declare one and distribute it onto these nodes");
    if (!distribution(t)) {
        d.wrong = true;
        if (distributed_wrongly(t)) return;
        directives.error(d, d.on.name.getLocation(), "template '" + directives.spelling(d.on.name) + "' is not distributed");
        return note(t->names.front().name.getLocation(), "declared here");
    }
    if (d.on.dims.size() != t->names.front().dims.size()) {
        directives.error(d, d.on.name.getLocation(),
                         "template '" + directives.spelling(d.on.name) + "' has " + std::to_string(t->names.front().dims.size()) +
                             " dimensions, not " + std::to_string(d.on.dims.size()));
        return note(t->names.front().name.getLocation(), "declared here");
    }
    for (std::size_t k = 0; k < d.names.size(); ++k) {
        auto const at = d.names[k].name.getLocation();
        auto name = directives.spelling(d.names[k].name);
        for (auto const& t : d.names[k].members) name += directives.spelling(t);
        auto const* const v = arrays_named[d.number][k];
        if (!v) return directives.error(d, at, "'" + name + "' is not a variable");
        if (v->isStaticDataMember())
            return directives.error(d, at,
                                    "'" + name + "' is a static member of a class, and sode cc cannot distribute static members; " +
                                        "declare it in a namespace");
        std::size_t dims = 0;
        auto type = unit::declared_type(v);
        bool const given = clang::isa<clang::ParmVarDecl>(v), points = type->isPointerType(), pointer = points && !given;
        if (points) {
            type = type->getPointeeType();
            ++dims;
        }
        for (; ast.getAsArrayType(type); ++dims) type = ast.getAsArrayType(type)->getElementType();
        if (dims == 0) {
            directives.error(d, at, "'" + name + "' is not an array");
            return note(v->getLocation(), "declared here");
        }
        if (dims != d.names.front().dims.size()) {
            directives.error(d, at,
                             "'" + name + "' has " + std::to_string(dims) + " dimensions, not " +
                                 std::to_string(d.names.front().dims.size()));
            return note(v->getLocation(), "declared here");
        }
        if (!d.function && !pointer && sized_later(*t, *distribution(t))) {
            directives.error(d, at,
                             "'" + name + "' is aligned with template '" + directives.spelling(d.on.name) +
                                 "', which has a size only after 'template_fix'; declare a pointer, and call xmp_malloc() then");
            return note(t->names.front().name.getLocation(), "declared here");
        }
        auto const* const owner = owner_of(v);
        if (d.function && v->hasGlobalStorage() && !v->isStaticLocal())
            return directives.error(d, at, "'" + name + "' is declared at file scope; align it there, too");
        if (auto const* const before = array(v)) {
            directives.error(d, at, "'" + name + "' is aligned twice");
            return note(before->align->hash, "aligned here before");
        }
        if (!type->isDependentType() && !type.isTriviallyCopyableType(ast))
            return directives.error(
                d, at,
                "the elements of '" + name +
                    "' are not trivially copyable: they cannot be sent to other nodes; use numbers, or structures of numbers");
        if (initialized(owner ? owner : v) && !pointer)
            return directives.error(
                d, at,
                "'" + name + "' is aligned and has an initializer (XcalableMP does not allow both); assign its elements in " +
                    "a loop");
        if (owner && !owner->getType()->isRecordType())
            return directives.error(d, at, "only a member of a variable can be aligned, and '" + name + "' is not one");
        auto const scope = v->isFileVarDecl() ? scope_of(v->getDeclContext()) : "";
        auto& a = arrays[v->getCanonicalDecl()];
        a.variable = v->getCanonicalDecl();
        a.owner = owner;
        a.align = &d;
        a.along = t;
        a.dims = dims;
        a.pointer = pointer;
        a.typed = given;
        a.kept = v->isStaticLocal();
        a.hidden = owner ? 0 : dims - written_dims(v);
        a.scope = scope.empty() ? "" : "::" + scope;
        a.align_scope = d.scope.empty() ? "" : "::" + d.scope;
    }
}

void unit::check_shadow(directive& d) {
    for (std::size_t k = 0; k < d.names.size(); ++k) {
        auto const* const v = arrays_named[d.number][k];
        auto const found = v ? arrays.find(v->getCanonicalDecl()) : arrays.end();
        auto const name = directives.spelling(d.names[k].name);
        if (found == arrays.end()) {
            directives.error(d, d.names[k].name.getLocation(),
                             "'" + name + "' has a shadow but is not aligned; align it with a template first");
            if (v) note(v->getLocation(), "declared here without 'align'");
            return;
        }
        if (d.names.front().dims.size() != found->second.dims)
            return directives.error(d, d.names[k].name.getLocation(),
                                    "'" + name + "' has " + std::to_string(found->second.dims) + " dimensions, not " +
                                        std::to_string(d.names.front().dims.size()));
        if (found->second.shadow) {
            directives.error(d, d.names[k].name.getLocation(), "'" + name + "' has two shadows; write one with the larger widths");
            return note(found->second.shadow->hash, "the first one is here");
        }
        found->second.shadow = &d;
    }
}

namespace {

bool coarray_in(unit const& u, clang::Stmt const* s) {
    if (!s) return false;
    if (auto const* const r = clang::dyn_cast<clang::DeclRefExpr>(s); r && u.is_coarray(r->getDecl())) return true;
    for (auto const* const child : s->children())
        if (coarray_in(u, child)) return true;
    return false;
}

} // namespace

void unit::check_items(directive& d) {
    for (auto const& item : d.items) {
        if (!item.parsed) continue;
        auto const at = item.words.front().getLocation();
        auto const* const distributed = array(item.parsed);
        if (d.kind == "wait_async" || d.kind == "post" || d.kind == "wait") continue;
        if (d.kind == "lock" || d.kind == "unlock") {
            if (item.parsed->getType().getUnqualifiedType().getAsString(ast.getPrintingPolicy()) != "xmp_lock_t")
                error(at, "'" + text(item) + "' is not an xmp_lock_t; declare xmp_lock_t l:[*]");
            else if (!coarray_in(*this, item.parsed))
                error(at, "'" + text(item) + "' is not a coarray, so other images cannot lock it; declare xmp_lock_t l:[*]");
            continue;
        }
        if (d.kind.starts_with("reflect") || d.kind == "reduce_shadow") {
            if (!distributed) {
                error(at, "'" + text(item) + "' is not a distributed array");
                if (auto const* const r = clang::dyn_cast<clang::DeclRefExpr>(item.parsed))
                    note(r->getDecl()->getLocation(), "declared here without 'align'");
            } else if (!distributed->shadow) {
                error(at, "'" + text(item) + "' has no shadow; write 'shadow' below its 'align'");
                note(distributed->variable->getLocation(), "declared here");
            } else if (!d.width.empty() && d.width.size() != distributed->dims) {
                error(at, "'" + text(item) + "' has " + std::to_string(distributed->dims) + " dimensions, and 'width' has " +
                              std::to_string(d.width.size()) + " entries; write one for each dimension");
            }
            continue;
        }
        if (distributed && (d.kind == "reduction" || d.kind == "bcast")) {
            if (std::ranges::any_of(d.operations, [](auto const& o) { return o.locations > 0; }))
                error(at, "'" + text(item) + "' is a distributed array: only variables that every node has can receive a location");
        } else if (distributed)
            error(at, "'" + text(item) +
                          "' is a distributed array: no node has all of it; name an element or section that all these nodes have, "
                          "or use gmove");
        else if (auto const of = ast.getBaseElementType(item.parsed->getType());
                 !of->isDependentType() && !of.isTriviallyCopyableType(ast))
            error(at, "'" + text(item) + "' is not trivially copyable: it cannot be sent to other nodes; name its numbers instead");
        else if (item.parsed->getType().isConstQualified())
            error(at, "'" + text(item) + "' is constant, and '" + d.kind + "' stores its result there; name a variable");
        else if (item.parsed->getType()->isPointerType())
            error(at, "'" + text(item) + "' is a pointer: name an array section, p[0:n]");
        else if (!item.parsed->isLValue())
            error(at, "'" + text(item) + "' is not a variable");
    }
}

} // namespace sode::compiler
