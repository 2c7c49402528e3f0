// SPDX-License-Identifier: Apache-2.0
// What nodes, template, distribute, align, shadow and template_fix say that cannot be.
#include "compiler/unit/operators.hpp"
#include "compiler/unit/unit.hpp"

#include <algorithm>

namespace sode::compiler {
namespace {

std::string format_of(unit const& u, dimension const& d) {
    if (d.star) return "*";
    auto const argument = d.colon ? "*" : u.text(d.lower);
    return d.format + (argument.empty() ? "" : "(" + argument + ")");
}

// Two formats that are the same in any program: the widths of gblock may be said by either, and other widths when it runs.
bool same_format(unit const& u, dimension const& a, dimension const& b) {
    if (a.star || b.star) return a.star && b.star;
    if (a.format != b.format) return false;
    if (a.format == "gblock") return true;
    if (a.lower.given() != b.lower.given()) return false;
    auto const one = u.constant(a.lower), other = u.constant(b.lower);
    return !one || !other || *one == *other;
}

} // namespace

// The formats of template_fix are those of distribute, but for the widths of gblock.
void unit::check_fix(directive const& d) const {
    auto const* const t = named(d, 0);
    auto const* const cut = distribution(t);
    auto const name = "'" + directives.spelling(d.names.front().name) + "'";
    if (!t) return;
    if (t->kind != "template")
        return error(d.names.front().name.getLocation(), name + " are nodes; 'template_fix' needs a template");
    if (!cut) {
        error(d.names.front().name.getLocation(), "template " + name + " is not distributed");
        return note(t->names.front().name.getLocation(), "declared here");
    }
    auto const& formats = cut->names.front().dims;
    auto const& extents = t->names.front().dims;
    bool const open = std::ranges::any_of(extents, [](auto const& e) { return e.colon && !e.lower.given(); });
    bool const later = std::ranges::any_of(formats, [](auto const& f) { return f.colon; });
    if (!open && !later) {
        error(d.names.front().name.getLocation(),
              "template " + name + " has a size and formats already; declare it as t[:] if template_fix gives its size");
        return note(t->names.front().name.getLocation(), "declared here; a template that is fixed later is declared with ':'");
    }
    for (auto const& e : d.names.front().dims)
        if (e.star || (e.colon && !e.lower.given()))
            return error(d.names.front().name.getLocation(),
                         "'template_fix' must give the size of each dimension; write a number in place of ':'");
    if (d.on.dims.empty()) return;
    if (d.on.dims.size() != formats.size()) {
        error(d.names.front().name.getLocation(), "template " + name + " has " + std::to_string(formats.size()) +
                                                      " dimensions, and 'template_fix' has " + std::to_string(d.on.dims.size()) +
                                                      " formats");
        return note(cut->hash, "distributed here");
    }
    for (std::size_t k = 0; k < formats.size(); ++k)
        if (!same_format(*this, d.on.dims[k], formats[k])) {
            error(d.names.front().name.getLocation(), "template " + name + " is distributed as " + format_of(*this, formats[k]) +
                                                          ", and fixed as " + format_of(*this, d.on.dims[k]));
            return note(cut->hash, "distributed here; 'template_fix' repeats the formats, and adds the widths of gblock(*)");
        }
}

namespace {

bool is_integer(clang::QualType type) {
    return type->isDependentType() || type->isIntegralOrUnscopedEnumerationType();
}

} // namespace

// Every number of a directive is an integer.
void unit::check_numbers(directive const& d) const {
    auto const number = [&](expression const& e, char const* what) {
        if (e.parsed && !is_integer(e.parsed->getType()))
            error(e.words.front().getLocation(), "'" + text(e) + "' is not an integer, and " + what + " must be one");
    };
    auto const all = [&](std::vector<dimension> const& dims, char const* what) {
        for (auto const& dim : dims)
            for (auto const* const e : {&dim.lower, &dim.upper, &dim.step})
                if (dim.format != "gblock") number(*e, what);
    };
    for (auto const& r : d.names)
        all(r.dims, d.kind == "shadow" ? "a width" : d.kind == "distribute" ? "the width of a format" : "an extent");
    all(d.on.dims, d.kind == "template_fix" ? "the width of a format" : "an index");
    all(d.from.dims, "an index");
    all(d.width, "a width");
    number(d.async, "the number of 'async'");
    for (auto const& c : d.costs)
        if (c.lower.parsed && !c.lower.parsed->getType()->isDependentType() && !c.lower.parsed->getType()->isRealType())
            error(c.lower.words.front().getLocation(), "'" + text(c.lower) + "' is not a number (a cost must be one)");
    if (d.kind == "wait_async" || d.kind == "post" || d.kind == "wait")
        for (auto const& item : d.items) number(item, d.kind == "wait_async" ? "the number of 'async'" : "a tag");
}

// An array of integers, or a pointer to some.
void unit::check_widths(dimension const& f) const {
    if (f.format != "gblock" || !f.lower.parsed) return;
    auto const type = f.lower.parsed->IgnoreParenImpCasts()->getType();
    auto const* const list = ast.getAsArrayType(type);
    auto const element = list ? list->getElementType() : type->isPointerType() ? type->getPointeeType() : clang::QualType{};
    if (!type->isDependentType() && (element.isNull() || !is_integer(element)))
        error(f.lower.words.front().getLocation(),
              "'" + text(f.lower) + "' is not an array of integers; gblock takes a width for each node");
}

// The dimension that varies slowest takes all nodes that the others leave: the first one in the order of C. Dimensions with the
// extent 1 do not vary. If the first one is `*`, others may be, too (an extension): they share the nodes.
void unit::check_star(reference const& r) const {
    auto const varies = std::ranges::find_if(r.dims, [&](auto const& dim) { return dim.star || constant(dim.lower) != 1; });
    if (varies == r.dims.end() || varies->star) return;
    auto const star = std::find_if(varies, r.dims.end(), [](auto const& dim) { return dim.star; });
    if (star == r.dims.end()) return;
    error(star->star_at, std::string{"'*' must be the "} + (r.square ? "first" : "last") + " extent of nodes in " +
                             (r.square ? "square" : "round") + " brackets, the one that varies slowest");
    note(r.name.getLocation(), "write '" + directives.spelling(r.name) + (r.square ? "[*][n]'" : "(n,*)'"));
}

void unit::check_extents(directive const& d) const {
    for (auto const& r : d.names) {
        if (d.kind == "nodes") check_star(r);
        std::size_t open = 0;
        for (auto const& dim : r.dims) {
            auto const lower = constant(dim.lower), upper = constant(dim.upper);
            auto const at = dim.lower.given() ? dim.lower.words.front().getLocation() : r.name.getLocation();
            open += dim.colon && !dim.lower.given() ? 1 : 0;
            if (d.kind == "nodes") {
                if (dim.colon) error(r.name.getLocation(), "the extents of nodes must be numbers or '*'");
                if (lower && *lower < 1)
                    error(at, "nodes have the extent " + std::to_string(*lower) + ", and each extent must be 1 or more");
                continue;
            }
            if (dim.star)
                error(r.name.getLocation(), "the extents of a template must be numbers, or ':' for all of them; '*' is for nodes");
            bool const ends = lower && (!dim.colon ? *lower < 0 : upper && (r.square ? *upper < 0 : *upper < *lower - 1));
            if (ends) error(at, "the upper bound of a template is below its lower bound; write t(lower:upper)");
        }
        if (open != 0 && open != r.dims.size())
            error(r.name.getLocation(),
                  "':' must be given for all extents of a template, or for none; template_fix then gives all sizes");
    }
}

void unit::check_distribute(directive const& d) const {
    auto const* const onto = named(d, d.names.size());
    for (std::size_t k = 0; k < d.names.size(); ++k) {
        auto const& r = d.names[k];
        auto const* const t = named(d, k);
        if (t && t->kind != "template")
            return error(r.name.getLocation(), "'" + directives.spelling(r.name) + "' are nodes; 'distribute' needs a template");
        if (t && t->names.front().dims.size() != r.dims.size()) {
            error(r.name.getLocation(), "template '" + directives.spelling(r.name) + "' has " +
                                            std::to_string(t->names.front().dims.size()) + " dimensions, and 'distribute' has " +
                                            std::to_string(r.dims.size()) + " formats");
            return note(t->names.front().name.getLocation(), "declared here");
        }
        std::size_t split = 0;
        for (auto const& f : r.dims) {
            split += f.star ? 0 : 1;
            check_widths(f);
            if (auto const width = constant(f.lower); width && f.format != "gblock" && *width < 1)
                error(f.lower.words.front().getLocation(), "a block has " + std::to_string(*width) + " elements; write 1 or more");
        }
        if (!onto) continue;
        if (onto->kind != "nodes")
            return error(d.on.name.getLocation(),
                         "'" + directives.spelling(d.on.name) + "' is a template; a template is distributed onto nodes");
        if (auto const dims = onto->names.front().dims.size(); t && split != dims) {
            error(r.name.getLocation(), "template '" + directives.spelling(r.name) + "' is split in " + std::to_string(split) +
                                            " dimensions, and nodes '" + directives.spelling(d.on.name) + "' have " +
                                            std::to_string(dims));
            note(onto->names.front().name.getLocation(), "declared here; write '*' for dimensions that are not split");
        }
    }
}

// What a dimension of the template follows: one index of the array, and something added to it.
void unit::check_targets(directive const& d) const {
    std::set<clang::IdentifierInfo const*> seen;
    for (auto const& dim : d.on.dims) {
        if (dim.star || !dim.lower.parsed) continue;
        auto const at = dim.lower.words.front().getLocation();
        clang::IdentifierInfo const* index = nullptr;
        for (auto const& own : d.names.front().dims) {
            auto const* const name = own.lower.words.size() == 1 ? own.lower.words[0].getIdentifierInfo() : nullptr;
            if (!name || !mentions(dim.lower.parsed, name)) continue;
            if (index)
                return error(at, "two indices of the array are aligned with one dimension of the template; give each index a "
                                 "dimension of its own");
            index = name;
        }
        if (!index)
            return error(at, "'" + text(dim.lower) + "' follows no index of the array; write '*' for copies along this dimension");
        if (!follows(dim.lower.parsed, index))
            return error(
                at, "an array must be aligned with an index, or an index + or - a constant; write t[i], t[i + 1], or t[i - 1]");
        if (!seen.insert(index).second)
            return error(at, "index '" + index->getName().str() +
                                 "' of the array is aligned with two dimensions of the template; write * for one of them");
    }
}

void unit::check_mappings() {
    for (auto const& d : directives.directives) {
        if (d->wrong) continue;
        if (d->kind == "nodes" || d->kind == "template") check_extents(*d);
        if (d->kind == "nodes" && d->has_on && d->on.stars == 0 &&
            directives.spelling(d->on.name) == directives.spelling(d->names.front().name))
            error(d->on.name.getLocation(), "nodes '" + directives.spelling(d->on.name) + "' are declared as a part of '" +
                                                directives.spelling(d->on.name) + "'; give them another name");
        if (auto const* const of = d->kind == "nodes" && d->has_on ? named(*d, 0) : nullptr; of && of->kind != "nodes")
            error(d->on.name.getLocation(),
                  "'" + directives.spelling(d->on.name) + "' is a template; a node set is a part of nodes");
        if (d->kind == "distribute") check_distribute(*d);
        if (d->kind == "align") check_targets(*d);
        if (d->kind == "template_fix") check_fix(*d);
        if (d->kind == "shadow")
            for (auto const& dim : d->names.front().dims)
                for (auto const* const e : {&dim.lower, &dim.upper})
                    if (auto const width = constant(*e); width && *width < 0)
                        error(e->words.front().getLocation(),
                              "a shadow has " + std::to_string(*width) + " layers; write 0 or more");
    }
}

} // namespace sode::compiler
