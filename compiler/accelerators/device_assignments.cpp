// SPDX-License-Identifier: Apache-2.0
// Coarrays on devices: what clauses of OpenACC call them, and assignments between devices of images.
#include "compiler/accelerators/device_assignments.hpp"

#include "compiler/arrays/coarrays.hpp"
#include "compiler/arrays/sections.hpp"

namespace sode::compiler {
namespace {

clang::ValueDecl const* variable_of(clang::Expr const* e) {
    auto const* const r = clang::dyn_cast<clang::DeclRefExpr>(e->IgnoreParenImpCasts());
    return r ? clang::cast<clang::ValueDecl>(r->getDecl()->getCanonicalDecl()) : nullptr;
}

std::string pointer_to(clang::ValueDecl const* coarray) {
    auto const object = coarray_pointer(coarray); // (*x)
    return object.substr(2, object.size() - 3);
}

} // namespace

clang::VarDecl const* coarray_of(unit const& u, clang::Expr const* e) {
    auto const* const v = e ? variable_of(subscripts_of(e).root) : nullptr;
    return v && u.is_coarray(v) ? clang::cast<clang::VarDecl>(v) : nullptr;
}

std::string coarray_in_clause(clang::ValueDecl const* coarray) {
    return pointer_to(coarray) + "[0:1]";
}

bool used_by_address(unit const& u, clang::Expr const* e) {
    auto const* const v = e ? variable_of(e) : nullptr;
    for (auto const& d : u.directives.directives)
        for (auto const& c : d->clauses)
            for (auto const& argument : c.arguments)
                if (v && c.name == "use_device" && argument.parsed && variable_of(argument.parsed) == v) return true;
    return false;
}

std::string coarray_in_clause(unit const& u, std::string const& clause, clang::Expr const* e) {
    auto const* const coarray = coarray_of(u, e);
    if (clause == "use_device") return pointer_to(coarray);
    auto text = coarray_in_clause(coarray);
    for (auto const* const s : subscripts_of(e).subscripts) {
        auto const* const section = section_of(index_of(s));
        auto const part = [&](unsigned k) { return left_out(u, section->getArg(k)) ? "" : u.text(section->getArg(k)); };
        text += section ? "[" + part(0) + ":" + part(1) + "]" : "[" + u.text(index_of(s)) + ":1]";
    }
    return text;
}

device_assignment::device_assignment(unit& u, std::vector<directive const*> const& around) : unit_(u) {
    for (auto const* const d : around) {
        std::string when = "1";
        for (auto const& c : d->clauses)
            if (c.name == "if") when = "__sode_i" + std::to_string(d->number); // which the directive becomes
        for (auto const& c : d->clauses)
            if (c.name == "if_present") may_be_absent_ = true;
        for (auto const& c : d->clauses)
            for (auto const& argument : c.arguments)
                if (auto const* const v = c.name == "use_device" && argument.parsed ? variable_of(argument.parsed) : nullptr)
                    named_[v] = when;
    }
}

// "": it is on the host.
std::string device_assignment::on_device(clang::Expr const* e) const {
    auto const* const v = variable_of(subscripts_of(e).root);
    auto const found = v ? named_.find(v) : named_.end();
    return found == named_.end() ? "" : found->second;
}

// Which images it names, and what of this image's device.
void device_assignment::look(clang::Stmt const* s) {
    if (!s) return;
    if (auto const other = image_of(unit_, s); other.call) {
        if (place_.empty()) place_ = image_place(unit_, other);
        far_ = far_ || !on_device(other.what).empty();
        for (unsigned k = 1; k < other.call->getNumArgs(); ++k) look(other.call->getArg(k));
        for (auto const* const each : subscripts_of(other.what).subscripts) look(index_of(each));
        return;
    }
    if (auto const* const r = clang::dyn_cast<clang::DeclRefExpr>(s); r && !near_ && !on_device(r).empty()) near_ = r;
    for (auto const* const child : s->children()) look(child);
}

std::string device_assignment::length(clang::ArraySubscriptExpr const* s, clang::CallExpr const* section,
                                      std::string const& row) const {
    if (!left_out(unit_, section->getArg(1))) return "(" + unit_.text(section->getArg(1)) + ")";
    if (base_of(s)->IgnoreParenImpCasts()->getType()->isPointerType())
        unit_.error(section->getBeginLoc(), "the number of elements is missing; write [from:count]");
    return "sode_xmp_count((int64_t)(sizeof(" + row + ")/sizeof(*(" + row + ")))," + section_part(unit_, section, 0) + "," +
           section_part(unit_, section, 2) + ")";
}

// An element or a section of a variable; nothing: it is something else, or its indices need the device.
std::optional<device_assignment::side> device_assignment::side_of(clang::Expr const* e) const {
    e = e->IgnoreParenImpCasts();
    auto const other = image_of(unit_, e);
    auto const [subscripts, root] = subscripts_of(other.call ? other.what : e);
    auto const* const v = variable_of(root);
    if (!v || unit_.array(v) || e->getType()->isDependentType()) return {};
    side s;
    s.type = unit_.ast.getCanonicalType(e->getType()).getUnqualifiedType();
    s.on_device = on_device(root);
    if (other.call) s.image = image_arguments(unit_, other);
    auto row = written(unit_, root);
    s.first = row;
    for (auto const* const each : subscripts) {
        auto const* const section = section_of(index_of(each));
        if (section) {
            s.counts.push_back(length(each, section, row));
            s.strides.push_back("(int64_t)sizeof(" + row + "[0])*" + section_part(unit_, section, 2));
        }
        s.first += "[" + (section ? section_part(unit_, section, 0) : written(unit_, index_of(each), image_use::read)) + "]";
        row += "[0]";
    }
    return s;
}

std::string device_assignment::written_side(char const* name, side const& s) {
    auto const numbers = [](std::vector<std::string> const& list) {
        std::string all;
        for (auto const& each : list) all += (all.empty() ? "(int64_t)(" : ",(int64_t)(") + each + ")";
        return "{" + (all.empty() ? "0" : all) + "}";
    };
    // What image_arguments() begins ends with the bracket behind the element.
    return std::string{"sode_acc_side const "} + name + "={" + (s.image.empty() ? "-1,&(" : s.image) + s.first + ")," +
           (s.on_device.empty() ? "0" : s.on_device) + ",sizeof(" + s.first + ")," + std::to_string(s.counts.size()) + "," +
           numbers(s.counts) + "," + numbers(s.strides) + "};";
}

bool device_assignment::write(binary const& statement, bool valued) {
    look(statement.left);
    look(statement.right);
    if (place_.empty() || (!far_ && !near_)) return false;
    auto const to = statement.op == clang::BO_Assign ? side_of(statement.left) : std::nullopt;
    auto const from = to ? side_of(statement.right) : std::nullopt;
    bool const copies = to && from && to->type == from->type && to->counts.size() == from->counts.size() && !valued;
    auto const index_there = [&](clang::Expr const* e) {
        e = e->IgnoreParenImpCasts();
        auto const other = image_of(unit_, e);
        device_assignment indices{unit_, {}};
        indices.named_ = named_;
        for (auto const* const each : subscripts_of(other.call ? other.what : e).subscripts) indices.look(index_of(each));
        return indices.near_ != nullptr;
    };
    if (!copies || index_there(statement.left) || index_there(statement.right)) {
        if (!near_) return false; // the host has the other side
        auto const name = near_->getDecl()->getNameAsString();
        unit_.error(near_->getLocation(),
                    "'" + name + "' is on the device here, so the assignment can only copy elements: x[..]:[k] = " + name +
                        "[..], or " + name + "[..] = x[..]:[k], with equal types and the same number of sections");
        return true;
    }
    if (may_be_absent_)
        unit_.error(
            statement.at,
            "'if_present' leaves open whether the data are on the device, and this assignment must know; remove 'if_present'");
    if (unit_.failed()) return true;
    auto const lines = line_breaks_of(unit_.original(statement.whole));
    (void)unit_.edit(statement.whole->getSourceRange(),
                     "({" + written_side("__sode_to", *to) + written_side("__sode_from", *from) + "sode_acc_assign(" + place_ +
                         ",&__sode_to,&__sode_from);})" + lines,
                     "an assignment between devices");
    return true;
}

} // namespace sode::compiler
