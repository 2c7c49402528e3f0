// SPDX-License-Identifier: Apache-2.0
#include "compiler/arrays/checked.hpp"

#include "compiler/unit/operators.hpp"

#include <algorithm>
#include <clang/Lex/Lexer.h>
#include <utility>

namespace sode::compiler {

clang::CallExpr const* section_of(clang::Expr const* index) {
    auto const* const call = clang::dyn_cast<clang::CallExpr>(index->IgnoreParenImpCasts());
    return call && name_called(call) == "__sode_section" ? call : nullptr;
}

void refuse_section(unit& u, clang::CallExpr const* section, std::vector<clang::Stmt const*> const& above) {
    auto const parent = std::find_if(above.rbegin(), above.rend(),
                                     [section](auto const* s) { return s != section && !clang::isa<clang::ImplicitCastExpr>(s); });
    auto const* const by = parent == above.rend() ? nullptr : clang::dyn_cast<clang::CXXOperatorCallExpr>(*parent);
    if (by && by->getOperator() == clang::OO_Subscript)
        return u.error(section->getBeginLoc(), "'" + u.original(by->getArg(0)) +
                                                   "' is an object of a class, and a section is one of an array or a pointer; "
                                                   "declare a pointer to its first element, and name that");
    u.error(section->getBeginLoc(), "an array section does not stand here; it stands in assignments, gmove, reduction and bcast");
}

bool has_section(clang::Stmt const* s) {
    if (!s) return false;
    if (auto const* const e = clang::dyn_cast<clang::Expr>(s); e && section_of(e)) return true;
    return std::any_of(s->child_begin(), s->child_end(), [](clang::Stmt const* child) { return has_section(child); });
}

bool left_out(unit const& u, clang::Expr const* part) {
    auto const at = part->getBeginLoc(); // of words that stand for it, whose place is the bracket's
    auto const is_bracket = [&](clang::SourceLocation place) { return *u.files.getCharacterData(place) == '['; };
    return is_bracket(at) || (at.isMacroID() && is_bracket(u.files.getImmediateExpansionRange(at).getBegin()));
}

std::string section_part(unit const& u, clang::CallExpr const* section, unsigned k) {
    auto const* const e = section->getArg(k);
    return left_out(u, e) ? k == 0 ? "0" : "1" : "(" + u.text(e) + ")";
}

subscripted subscripts_of(clang::Expr const* e) {
    subscripted result{{}, e};
    while (auto const* const s = clang::dyn_cast<clang::ArraySubscriptExpr>(result.root->IgnoreParenImpCasts())) {
        result.subscripts.insert(result.subscripts.begin(), s);
        result.root = base_of(s);
    }
    return result;
}

// Those of x[..].y[..], too; `images`: and those of x[..]:[k].y[..].
subscripted section_assignment::subscripts_in(clang::Expr const* e, bool images) const {
    subscripted result{{}, e};
    for (;;) {
        if (auto const other = images ? image_of(unit_, result.root) : other_image{}; other.call) {
            result.root = other.what;
            continue;
        }
        auto const* const inner = result.root->IgnoreParenImpCasts();
        auto const* const m = clang::dyn_cast<clang::MemberExpr>(inner);
        if (auto const* const s = clang::dyn_cast<clang::ArraySubscriptExpr>(inner)) {
            result.subscripts.insert(result.subscripts.begin(), s);
            result.root = base_of(s);
        } else if (m && !m->isArrow() && !unit_.array(m)) {
            result.root = m->getBase();
        } else {
            return result;
        }
    }
}

std::string section_assignment::length(clang::ArraySubscriptExpr const* s, clang::CallExpr const* section, aligned_array const* a,
                                       std::size_t dim) const {
    if (!left_out(unit_, section->getArg(1))) return "(" + unit_.text(section->getArg(1)) + ")";
    if (a && dim < a->dims)
        return "sode_xmp_count(" + emitter_.extents(*a)[dim] + "," + part(section, 0) + "," + part(section, 2) + ")";
    auto const* const of = base_of(s)->IgnoreParenImpCasts();
    if (auto const* const constant = unit_.ast.getAsConstantArrayType(base_of(s)->IgnoreParenImpCasts()->getType()))
        return "sode_xmp_count(" + std::to_string(constant->getSize().getZExtValue()) + "," + part(section, 0) + "," +
               part(section, 2) + ")";
    auto const [before, root] = subscripts_of(of);
    if (of->getType()->isPointerType() || has_section(root)) {
        unit_.error(section->getBeginLoc(), "the number of elements is missing; write [from:count]");
        return "0";
    }
    auto base = written(unit_, root); // all rows are as long as the first
    for (std::size_t k = 0; k < before.size(); ++k) base += "[0]";
    return "sode_xmp_count((int64_t)(sizeof(" + base + ")/sizeof(*(" + base + ")))," + part(section, 0) + "," + part(section, 2) +
           ")";
}

// What of a section is wrong whatever the array.
void section_assignment::check_numbers(clang::CallExpr const& section) const {
    for (unsigned k = 0; k < 3; ++k) {
        auto const* const e = section.getArg(k)->IgnoreParenImpCasts();
        auto const type = e->getType();
        if (!left_out(unit_, section.getArg(k)) && !type->isDependentType() && !type->isIntegralOrUnscopedEnumerationType())
            return unit_.error(e->getBeginLoc(),
                               "'" + unit_.original(e) + "' is not an integer, and the numbers of a section must be integers");
    }
    if (constant_part(section, 2, 1) == 0)
        unit_.error(section.getBeginLoc(), "the step of this section is 0; sections are [from:count:step]");
    if (auto const count = constant_part(section, 1, 1); count && *count < 0)
        unit_.error(section.getBeginLoc(),
                    "this section has " + std::to_string(*count) + " elements; sections are [from:count:step]");
}

// Whether a section is in the array, if the compiler knows both.
void section_assignment::check_range(clang::ArraySubscriptExpr const& s, clang::CallExpr const& section) const {
    auto const* const all = unit_.ast.getAsConstantArrayType(base_of(&s)->IgnoreParenImpCasts()->getType());
    auto const count = constant_length(s, section), from = constant_part(section, 0, 0), by = constant_part(section, 2, 1);
    if (!all || all->getSize().ule(1) || !count || *count < 1 || !from || !by) return;
    auto const extent = static_cast<std::int64_t>(all->getSize().getZExtValue());
    for (auto const at : {*from, *from + (*count - 1) * *by})
        if (at < 0 || at >= extent)
            return unit_.warning(section.getBeginLoc(), "this section contains element " + std::to_string(at) +
                                                            ", and the array has elements 0 to " + std::to_string(extent - 1) +
                                                            "; sections are [from:count:step]");
}

std::optional<std::int64_t> section_assignment::constant_part(clang::CallExpr const& section, unsigned k,
                                                              std::int64_t otherwise) const {
    auto const* const e = section.getArg(k);
    if (left_out(unit_, e)) return otherwise;
    if (e->isValueDependent()) return {};
    auto const value = e->getIntegerConstantExpr(unit_.ast);
    return value ? std::optional{value->getExtValue()} : std::nullopt;
}

// Of a section, if the compiler knows it.
std::optional<std::int64_t> section_assignment::constant_length(clang::ArraySubscriptExpr const& s,
                                                                clang::CallExpr const& section) const {
    if (!left_out(unit_, section.getArg(1))) return constant_part(section, 1, 0);
    auto const* const all = unit_.ast.getAsConstantArrayType(base_of(&s)->IgnoreParenImpCasts()->getType());
    auto const from = constant_part(section, 0, 0), by = constant_part(section, 2, 1);
    if (!all || !from || !by || *by == 0) return {};
    auto const extent = static_cast<std::int64_t>(all->getSize().getZExtValue());
    return *by > 0 ? std::max<std::int64_t>(0, (extent - *from + *by - 1) / *by) : *from / -*by + 1;
}

// x[..][..]: its sections follow the loops, from the left.
void section_assignment::chain(clang::ArraySubscriptExpr const* last, std::vector<piece>& pieces) {
    auto const [subscripts, root] = subscripts_in(last);
    auto const* const a = unit_.array(root);
    auto const before = sections_in(root); // x[..]:[k] has come before .y[..]
    std::size_t at = before;
    std::string element; // of a program that is checked
    bool const checked = a && unit_.checked && subscripts.size() == a->dims;
    for (std::size_t dim = 0; dim < subscripts.size(); ++dim) {
        auto const* const section = section_of(index_of(subscripts[dim]));
        std::string index;
        if (section) {
            if (at == loops_)
                return unit_.error(
                    section->getBeginLoc(),
                    "this side has more sections than the left side of the assignment; write an index instead of a section");
            if (a && !on_ && dim < a->dims && emitter_.format(*a, dim) != "*")
                return unit_.error(section->getBeginLoc(),
                                   "this dimension of '" + a->name() +
                                       "' is split among nodes; sections of it are assigned below 'array' or 'gmove'");
            check_numbers(*section);
            auto const here = constant_length(*subscripts[dim], *section), wanted = lengths_[at];
            if (here && wanted && *here != *wanted)
                return unit_.error(section->getBeginLoc(), "this section has " + std::to_string(*here) +
                                                               " elements, and the section on the left side has " +
                                                               std::to_string(*wanted) + "; sections are [from:count:step]");
            check_range(*subscripts[dim], *section);
            index = part(section, 0) + "+" + steps_[at++] + "*" + part(section, 2);
        } else {
            index = rendered(index_of(subscripts[dim]));
        }
        if (checked) {
            element += (dim > 0 ? between_indices : "") + index;
            continue;
        }
        if (auto const counted = emitter_.positions_.find(subscripts[dim]); counted != emitter_.positions_.end())
            index = counted->second;
        else if (a && dim < a->dims && emitter_.format(*a, dim) == "cyclic")
            index = "sode_xmp_place(&" + a->state() + "," + std::to_string(dim) + "," + index + ")";
        else if (!section)
            continue;
        auto const index_range = index_of(subscripts[dim])->getSourceRange();
        auto const close = unit_.files.getFileOffset(subscripts[dim]->getRBracketLoc());
        auto open =
            unit_.files.getFileOffset(unit_.files.getExpansionLoc(index_range.getBegin())); // a section begins at its bracket
        if (!section) --open;
        pieces.push_back({open, close + 1, "[" + index + "]"});
    }
    if (auto const all = at + behind_; all != 0 && all != loops_)
        unit_.error(last->getBeginLoc(), "this side has " + std::to_string(all) +
                                             " sections, and the left side of the assignment has " + std::to_string(loops_));
    if (checked) {
        auto const range = last->getSourceRange();
        pieces.push_back({unit_.files.getFileOffset(unit_.files.getExpansionLoc(range.getBegin())),
                          unit_.files.getFileOffset(unit_.files.getExpansionLoc(range.getEnd())) + 1,
                          before_element(unit_, *a, last->getBeginLoc(), use_) + element + behind_element});
        return;
    }
    auto const outer = std::exchange(behind_, before > 0 ? behind_ + at - before : 0);
    collect(root, pieces);
    behind_ = outer;
}

// Of the x[..] in x[..]:[k].
std::size_t section_assignment::sections_in(clang::Expr const* e) const {
    auto const other = image_of(unit_, e);
    if (!other.call) return 0;
    auto const subscripts = subscripts_in(other.what, true).subscripts;
    return static_cast<std::size_t>(std::ranges::count_if(subscripts, [](auto const* s) { return section_of(index_of(s)); }));
}

void section_assignment::collect(clang::Stmt const* s, std::vector<piece>& pieces) {
    if (!s) return;
    if (auto const* const subscript = clang::dyn_cast<clang::ArraySubscriptExpr>(s)) return chain(subscript, pieces);
    if (other_images(s, pieces)) return;
    if (auto const* const call = clang::dyn_cast<clang::CallExpr>(s)) stores_in_sections(*call, pieces);
    if (clang::isa<clang::DeclRefExpr>(s) || clang::isa<clang::MemberExpr>(s))
        if (auto const* const a = unit_.array(clang::cast<clang::Expr>(s))) {
            auto const* const r = clang::cast<clang::Expr>(s);
            auto const as = a->pointer ? emitter_.cut_pointer(*a) : a->view_of(r);
            auto const end = clang::Lexer::getLocForEndOfToken(r->getEndLoc(), 0, unit_.files, unit_.ast.getLangOpts());
            if (!as.empty() && as != a->name())
                pieces.push_back({unit_.files.getFileOffset(r->getBeginLoc()), unit_.files.getFileOffset(end), as});
        }
    bool const before = maybe_;
    auto const* const logical = clang::dyn_cast<clang::BinaryOperator>(s);
    maybe_ = maybe_ || clang::isa<clang::AbstractConditionalOperator>(s) || (logical && logical->isLogicalOp());
    for (auto const* const child : s->children()) collect(child, pieces);
    maybe_ = before;
}

// frexp(x[:], e[:]) stores at the address of each element.
void section_assignment::stores_in_sections(clang::CallExpr const& call, std::vector<piece>& pieces) const {
    auto const* const f = call.getDirectCallee();
    for (unsigned k = 0; f && k < std::min(call.getNumArgs(), f->getNumParams()); ++k) {
        auto const* const e = call.getArg(k)->IgnoreParenImpCasts();
        if (!f->getParamDecl(k)->getType()->isPointerType() || !e->getType()->isArithmeticType() || !has_section(e)) continue;
        auto const at = unit_.files.getFileOffset(unit_.files.getExpansionLoc(e->getBeginLoc()));
        pieces.push_back({at, at, "&"});
    }
}

// What images of other machines have is got in one request, before the loop that computes. Where it may be that an element is not
// looked at, it is got when it is.
bool section_assignment::other_images(clang::Stmt const* s, std::vector<piece>& pieces) {
    auto const other = image_of(unit_, s);
    auto const use = !left_side_ ? image_use::read : use_ == 3 ? image_use::change : image_use::write;
    auto const inside = [&](clang::Stmt const* what) {
        bool const before = std::exchange(left_side_, false); // its indices are read
        collect(what, pieces);
        left_side_ = before;
    };
    if (!other.call || left_side_ || maybe_ || other.what->getType()->isArrayType())
        return coarray_pieces(unit_, s, use, pieces, inside);
    auto const name = "__sode_q" + std::to_string(wanted_++), type = image_type(unit_, other), what = rendered(other.what);
    auto const begin = unit_.files.getFileOffset(other.where->begin), end = unit_.files.getFileOffset(other.where->end) + 1;
    if (!has_section(other.what)) { // it is the same for all elements
        rooms_ += type + " const " + name + "=" + before_image(unit_, other, image_use::read) + what +
                  behind_image(image_use::read) + ";";
        pieces.push_back({begin, end, name});
        return true;
    }
    rooms_ += type + "*const " + name + "=(" + type + "*)sode_xmp_room(__sode_k*sizeof(" + type + "));";
    image_wanted_ = image_place(unit_, other);
    want_ += "sode_xmp_want(" + image_place(unit_, other) + ",&__sode_w," + image_arguments(unit_, other) + what + "),sizeof(" +
             type + ")," + name + "+__sode_m);";
    forget_ += "sode_xmp_room_free(" + name + ");";
    pieces.push_back({begin, end, name + "[__sode_m]"});
    return true;
}

std::string section_assignment::rendered(clang::Expr const* e) {
    std::vector<piece> pieces;
    collect(e, pieces);
    return patched(unit_, e, std::move(pieces), "an array section");
}

// A loop for each section of the left side.
void section_assignment::left() {
    auto const [subscripts, root] = subscripts_in(statement_.left, true);
    auto const* const a = unit_.array(root);
    if (on_ && !a)
        return unit_.error(root->getBeginLoc(),
                           "the left side of an assignment below 'array' must be a distributed array; leave 'array' out");
    for (std::size_t dim = 0; dim < subscripts.size(); ++dim) {
        auto const* const section = section_of(index_of(subscripts[dim]));
        auto const id = std::to_string(dim);
        int const target = on_ && a && dim < a->dims ? emitter_.target(*a, dim) : -1;
        std::string share, offset;
        if (target >= 0) {
            share = "&__sode_s" + id;
            offset = emitter_.offset(*a, dim);
            head_ += "sode_xmp_share const __sode_s" + id + "=sode_xmp_template_share(" + unit_.place(*on_) + ",__sode_t_" +
                     unit_.directives.spelling(a->align->on.name) + "," + std::to_string(target) + ");";
        }
        if (!section) {
            if (target >= 0)
                guard_ += (guard_.empty() ? "if(" : "&&") + std::string{"sode_xmp_has("} + share + ",(" +
                          unit_.text(index_of(subscripts[dim])) + ")+" + offset + ")";
            continue;
        }
        lengths_.push_back(constant_length(*subscripts[dim], *section));
        auto const i = "__sode_i" + id;
        head_ += "int64_t const __sode_n" + id + "=" + length(subscripts[dim], section, a, dim) + ";";
        auto const place = static_cast<std::size_t>(target);
        if (target >= 0 && place < on_->on.dims.size() && on_->on.dims[place].colon && on_->on.dims[place].upper.given())
            head_ += "sode_xmp_array_extent(" + unit_.place(*on_) + "," + std::to_string(loops_ + 1) + "," +
                     list("sode_range", {emitter_.range(on_->on, on_->on.dims[place], false)}) + ",__sode_n" + id + ");";
        if (target < 0) {
            nest_ += "for(int64_t " + i + "=0;" + i + "<__sode_n" + id + ";" + i + "++)";
            steps_.push_back(i);
        } else { // over the array's own indices
            auto const from = "__sode_f" + id, step = "__sode_t" + id, end = "__sode_e" + id;
            auto const low = "__sode_l" + id, by = "__sode_b" + id; // upward in any case
            head_ += "int64_t const " + from + "=" + part(section, 0) + "," + step + "=" + part(section, 2) + "," + low + "=" +
                     step + "<0?" + from + "+(__sode_n" + id + "-1)*" + step + ":" + from + "," + by + "=" + step + "<0?-" + step +
                     ":" + step + ",__sode_o" + id + "=" + offset + "," + end + "=sode_xmp_end(" + share + "," + low +
                     "+(__sode_n" + id + "-1)*" + by + "+1," + by + ",__sode_o" + id + ");";
            auto const rest = "," + end + "," + by + ",__sode_o" + id + ")";
            nest_ += "for(int64_t " + i + "=sode_xmp_first(" + share + "," + low + rest + ";" + i + "<" + end + ";" + i +
                     "=sode_xmp_next(" + share + "," + i + rest + ")";
            steps_.push_back("((" + i + "-" + from + ")/" + step + ")");
        }
        ++loops_;
    }
    if (!guard_.empty()) guard_ += ")";
    if (loops_ == 0)
        unit_.error(statement_.left->getBeginLoc(), "a section is assigned to one element; write a section on the left side too");
}

// What is on the right is computed before anything is changed: sections may overlap.
void section_assignment::write() {
    left();
    if (unit_.failed()) return;
    auto const from = rendered(statement_.right);
    use_ = clang::BinaryOperator::isCompoundAssignmentOp(statement_.op) ? 3 : 2;
    left_side_ = maybe_ = true;
    auto to = rendered(statement_.left);
    auto const assigned = image_assignment_of(unit_, statement_.whole);
    bool const told = unit_.checked && on_;                         // what was written
    auto one = written(unit_, subscripts_of(statement_.left).root); // an element, outside of the loops
    for (std::size_t k = 0; k < subscripts_of(statement_.left).subscripts.size(); ++k) one += "[0]";
    bool const whole = assigned && assigned->use != image_use::part;
    auto const type = whole                                ? image_type(unit_, assigned->to)
                      : statement_.left->isTypeDependent() ? "::sode::xmp::type_of<decltype(" + one + ")>"
                                                           : unit_.spelled(statement_.left->getType());
    auto const op = unit_.text(clang::SourceRange{statement_.at, statement_.at});
    auto const lines = line_breaks_of(unit_.original(statement_.whole));
    if (unit_.failed()) return;
    auto const place = assigned ? image_place(unit_, assigned->to) : "";
    auto store = to + op + "__sode_v[__sode_m++];";
    if (assigned)
        store = "sode_xmp_puts_begin();" + nest_ + before_assignment(unit_, *assigned, false) + to + op + "__sode_v[__sode_m++]" +
                behind_assignment(unit_, *assigned, false) + ";sode_xmp_puts_end(" + place + ");";
    else
        store = nest_ + store;
    auto fetch = rooms_;
    if (!want_.empty())
        fetch += "struct sode_xmp_wishes*__sode_w=0;" + nest_ + "{" + want_ + "__sode_m++;}sode_xmp_get_wanted(" + image_wanted_ +
                 ",&__sode_w);__sode_m=0;";
    (void)unit_.edit(statement_.whole->getSourceRange(),
                     (told ? "({sode_xmp_check_begin(0);" : "({") + head_ + guard_ + "{size_t __sode_m=0;" + nest_ + "__sode_m++;" +
                         type + "*const __sode_v=(" + type + "*)sode_xmp_room(__sode_m*sizeof(" + type + "));" +
                         (want_.empty() ? "" : "size_t const __sode_k=__sode_m;") + "__sode_m=0;" + fetch + nest_ +
                         "{__sode_v[__sode_m]=" + from + ";__sode_m++;}__sode_m=0;" + store + forget_ +
                         "sode_xmp_room_free(__sode_v);}" + (told ? "sode_xmp_check_end(" + unit_.place(*on_) + ",0);})" : "})") +
                         lines,
                     "an assignment of sections");
}

} // namespace sode::compiler
