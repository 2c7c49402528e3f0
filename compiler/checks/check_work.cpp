// SPDX-License-Identifier: Apache-2.0
// What reductions, `array`, `gmove` and `tasks` say that cannot be.
#include "compiler/arrays/sections.hpp"
#include "compiler/unit/unit.hpp"

#include <algorithm>
#include <functional>
#include <string_view>

namespace sode::compiler {
namespace {

bool calls(clang::Stmt const* s) {
    if (!s) return false;
    if (auto const* const call = clang::dyn_cast<clang::CallExpr>(s); call && !name_called(call).starts_with("__sode_"))
        return true;
    return std::any_of(s->child_begin(), s->child_end(), calls);
}

std::ptrdiff_t sections_in(clang::Stmt const* s) {
    if (!s) return 0;
    auto const* const call = clang::dyn_cast<clang::CallExpr>(s);
    std::ptrdiff_t count = call && name_called(call) == "__sode_section" ? 1 : 0;
    for (auto const* const child : s->children()) count += sections_in(child);
    return count;
}

// What the subscripts stand behind is a variable, a member, or what a pointer points to.
bool is_variable(clang::Expr const* e) {
    auto const* const root = subscripts_of(e).root->IgnoreParenImpCasts();
    auto const* const star = clang::dyn_cast<clang::UnaryOperator>(root);
    return clang::isa<clang::DeclRefExpr>(root) || clang::isa<clang::MemberExpr>(root) ||
           (star && star->getOpcode() == clang::UO_Deref);
}

bool synchronises_images(std::string_view function) {
    return function == "xmp_sync_all" || function == "xmp_sync_image" || function == "xmp_sync_images" ||
           function == "xmp_sync_images_all";
}

// An aligned array with sections in a statement, for which `other` holds; null: none.
aligned_array const* array_where(unit const& u, clang::Stmt const* s, std::function<bool(aligned_array const&)> const& other) {
    if (!s) return nullptr;
    if (auto const* const e = clang::dyn_cast<clang::Expr>(s)) {
        auto const [subscripts, root] = subscripts_of(e);
        auto const* const a = subscripts.empty() ? nullptr : u.array(root);
        bool const whole = a && std::ranges::any_of(subscripts, [](auto const* i) { return section_of(index_of(i)) != nullptr; });
        if (whole && other(*a)) return a;
    }
    for (auto const* const child : s->children())
        if (auto const* const found = array_where(u, child, other)) return found;
    return nullptr;
}

// Whether two templates lie in the same way, as far as the directives show.
bool lie_alike(unit const& u, directive const* a, directive const* b) {
    if (a == b) return true;
    auto const *const one = u.distribution(a), *const two = u.distribution(b);
    if (!one || !two || u.directives.spelling(one->on.name) != u.directives.spelling(two->on.name)) return false;
    auto const formats = [&](directive const* d) {
        std::string all;
        for (auto const& dim : d->names.front().dims)
            if (!dim.star) all += dim.format + "(" + (dim.lower.given() ? u.text(dim.lower) : "") + ")";
        return all;
    };
    return formats(one) == formats(two);
}

} // namespace

// Complex numbers have no order, and floating-point numbers no bits.
void unit::check_operations(directive const& d) const {
    for (std::size_t k = 0; k < d.operations.size() && k < d.items.size(); ++k) {
        auto const& item = d.items[k];
        std::string_view const op = d.operations[k].operation;
        if (!item.parsed || item.parsed->getType()->isDependentType()) continue;
        auto const of =
            ast.getBaseElementType(array(item.parsed) ? declared_type(array(item.parsed)->variable) : item.parsed->getType());
        bool const bits = op == "SODE_BAND" || op == "SODE_BOR" || op == "SODE_BXOR", order = op == "SODE_MAX" || op == "SODE_MIN";
        if ((bits && (of->isRealFloatingType() || of->isAnyComplexType())) || (order && of->isAnyComplexType()))
            error(item.words.front().getLocation(), "'" + text(item) + "' is of the type '" + of.getAsString() +
                                                        "', which this operation cannot combine; it combines integers");
        k += static_cast<std::size_t>(d.operations[k].locations);
    }
}

void unit::check_array(directive const& d) const {
    auto const* const t = named(d, 0);
    if (t && t->kind != "template")
        return error(d.on.name.getLocation(),
                     "'on' of 'array' must name a template, but this is a node set; name the template of the array");
    auto const assignment = binary_of(d.body);
    if (!assignment || !clang::BinaryOperator::isAssignmentOp(assignment->op) || !has_section(assignment->left))
        return error(d.hash, "'array' must be followed by an assignment of array sections, a[:] = b[:] + 1;");
    if (!t || !d.on.given) return;
    auto const ranges = std::ranges::count_if(d.on.dims, [](auto const& dim) { return dim.colon; });
    auto const sections = sections_in(assignment->left);
    if (ranges > sections)
        error(d.on.name.getLocation(), "'array' is on " + std::to_string(ranges) +
                                           " ranges of the template, and the assignment has " + std::to_string(sections) +
                                           " sections; write an index, or *, where the assignment has no section");
    auto const* const a = array_where(*this, assignment->whole, [&](auto const& each) { return !lie_alike(*this, each.along, t); });
    if (!a) return;
    error(d.on.name.getLocation(), "'" + a->name() + "' is mapped differently from template '" + directives.spelling(d.on.name) +
                                       "', so the node that executes an assignment may not have its element; use gmove");
    note(a->variable->getLocation(), "declared here");
}

void unit::check_gmove(directive const& d) const {
    auto const assignment = binary_of(d.body);
    if (!assignment || assignment->op != clang::BO_Assign) return; // which is said when it is written
    if (is_variable(assignment->right)) return;
    if (has_section(assignment->right) || names_array(assignment->right))
        error(assignment->right->getExprLoc(),
              "gmove copies and does not compute; its right side must be an array, a section or a variable");
    else if (calls(assignment->right))
        error(assignment->right->getExprLoc(), "gmove copies and calls no function: store the result in a variable first");
}

bool unit::names_array(clang::Stmt const* s) const {
    if (!s) return false;
    if (auto const* const e = clang::dyn_cast<clang::Expr>(s); e && array(e)) return true;
    return std::any_of(s->child_begin(), s->child_end(), [&](clang::Stmt const* child) { return names_array(child); });
}

void unit::check_tasks(directive const& d) const {
    auto const* const block = clang::dyn_cast_or_null<clang::CompoundStmt>(d.body);
    if (!block) return error(d.hash, "'tasks' must be followed by a block of tasks, { ... }");
    for (auto const* const s : block->body()) {
        auto const* const w = clang::dyn_cast<clang::WhileStmt>(s);
        auto const found = w ? prefixed.find(w) : prefixed.end();
        if (clang::isa<clang::NullStmt>(s) || (found != prefixed.end() && found->second->kind == "task")) continue;
        error(s->getBeginLoc(), "'tasks' may contain only tasks: all of them may run at the same time");
        return note(d.hash, "by this directive");
    }
}

// `image(p)` is about the numbers of images in a call that synchronises them.
void unit::check_image(directive const& d) const {
    auto const* const p = named(d, 0);
    if (p && p->kind != "nodes") return error(d.on.name.getLocation(), "'image' must name nodes, but this is a template");
    auto const* e = clang::dyn_cast_or_null<clang::Expr>(d.body);
    while (auto const* const cast = e ? clang::dyn_cast<clang::CastExpr>(e->IgnoreParens()) : nullptr) e = cast->getSubExpr();
    auto const* const call = e ? clang::dyn_cast<clang::CallExpr>(e->IgnoreParenImpCasts()) : nullptr;
    if (!call || !synchronises_images(name_called(call)))
        error(d.hash, "'image' must be followed by a call of xmp_sync_all(), xmp_sync_image(), xmp_sync_images() or "
                      "xmp_sync_images_all()");
}

// Where success and the status of a lock are stored.
void unit::check_lock(directive const& d) const {
    for (auto const* const e : {&d.acquired, &d.status}) {
        if (!e->parsed || e->parsed->getType()->isDependentType()) continue;
        auto const type = e->parsed->getType();
        if (!e->parsed->isLValue() || type.isConstQualified() || !ast.hasSameUnqualifiedType(type, ast.IntTy))
            error(e->words.front().getLocation(), "'" + text(*e) + "' is not a variable of type int; declare one, and name it");
    }
}

void unit::check_work(directive const& d) const {
    if (d.kind == "image") check_image(d);
    if (d.acquired.given() || d.status.given()) check_lock(d);
    if (!d.operations.empty()) check_operations(d);
    if (d.kind == "array") check_array(d);
    if (d.kind == "gmove") check_gmove(d);
    if (d.kind == "tasks") check_tasks(d);
}

} // namespace sode::compiler
