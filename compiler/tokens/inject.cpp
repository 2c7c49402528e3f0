// SPDX-License-Identifier: Apache-2.0
#include "compiler/tokens/injector.hpp"

#include "compiler/directives/openacc.hpp"
#include <utility>

namespace sode::compiler {

void injector::run(tokens const& all) {
    for (std::size_t i = 0; i < all.size(); ++i) {
        auto const& t = all[i];
        if (t.is(clang::tok::l_brace)) scopes_.push_back(scope_of(all, i));
        if (t.is(clang::tok::r_brace) && !scopes_.empty()) scopes_.pop_back();
        if (t.is(clang::tok::annot_pragma_captured) && stands_before_body(all, i))
            early_.push_back(static_cast<directive*>(t.getAnnotationValue()));
        else if (t.is(clang::tok::annot_pragma_captured))
            replace(*static_cast<directive*>(t.getAnnotationValue()));
        else if (t.is(clang::tok::l_brace) && !early_.empty()) {
            out_.copy(t);
            for (auto* const d : std::exchange(early_, {})) {
                d->body_of = t.getLocation();
                replace(*d);
            }
        } else if (t.isAnnotation()) // another pragma, for the parser
            out_.copy(t);
        else if (auto const beyond = coarray(all, i); beyond > i)
            i = beyond;
        else if (auto const behind = section(all, i); behind > i)
            i = behind;
        else if (auto const close = open_extent(all, i); close > i)
            i = close;
        else if (auto const after = descriptor(all, i); after > i)
            i = after;
        else if (t.is(clang::tok::comma) && comma_of_ref_ == i + 1) {
            out_.copy(t);
            out_.put("&", all[i + 1].getLocation());
        } else if (auto const behind = atomic(all, i); behind > i)
            i = behind;
        else if (auto const behind_whole = whole_array(all, i); behind_whole > i)
            i = behind_whole;
        else
            out_.copy(t);
    }
}

// A directive about parameters, between a function's head and its body. In C's old style declarations stand there, too.
bool injector::stands_before_body(tokens const& all, std::size_t i) const {
    if (!at_file_scope()) return false;
    while (i < all.size() && all[i].is(clang::tok::annot_pragma_captured)) ++i;
    return i < all.size() && all[i].is(clang::tok::l_brace);
}

injector::scope injector::scope_of(tokens const& all, std::size_t i) const {
    if (in_function()) return scope::function;
    while (at_file_scope() && i > 0 && all[i - 1].is(clang::tok::annot_pragma_captured)) --i;             // about parameters
    if (!is_cxx() && at_file_scope() && i > 0 && all[i - 1].is(clang::tok::semi)) return scope::function; // int f(n) int n; {
    if (i > 0 && all[i - 1].is(clang::tok::equal)) return scope::other;
    bool parameters = false, record = false;
    for (auto j = i; j-- > 0;) {
        auto const& t = all[j];
        // Members that a constructor initializes, `: a{1}, b{2} {`.
        if (t.is(clang::tok::r_brace) && all[j + 1].isOneOf(clang::tok::comma, clang::tok::l_brace)) {
            j = opening(all, j, clang::tok::l_brace, clang::tok::r_brace);
            continue;
        }
        if (t.isOneOf(clang::tok::semi, clang::tok::l_brace, clang::tok::r_brace, clang::tok::annot_pragma_captured)) break;
        if (t.is(clang::tok::r_paren)) {
            j = opening(all, j, clang::tok::l_paren, clang::tok::r_paren);
            bool const of_type =
                j > 0 && all[j - 1].isOneOf(clang::tok::kw___attribute, clang::tok::kw_alignas, clang::tok::kw_decltype,
                                            clang::tok::l_paren); // __attribute__((..))
            parameters = parameters || !of_type;
            continue;
        }
        record = record ||
                 (!parameters && t.isOneOf(clang::tok::kw_struct, clang::tok::kw_union, clang::tok::kw_enum, clang::tok::kw_class));
        if (record) break;
        if (t.is(clang::tok::kw_namespace) || (t.is(clang::tok::kw_extern) && all[j + 1].is(clang::tok::string_literal)))
            return scope::name_space;
    }
    return parameters ? scope::function : record ? scope::record : scope::other;
}

std::size_t injector::opening(tokens const& all, std::size_t close, clang::tok::TokenKind open, clang::tok::TokenKind shut) {
    for (int depth = 1; depth > 0 && close > 0;) {
        --close;
        depth += all[close].is(shut) ? 1 : all[close].is(open) ? -1 : 0;
    }
    return close;
}

void injector::slot(directive& d, expression& e) {
    if (!e.given()) return;
    d.slots.push_back(&e);
    auto const at = e.words.front().getLocation();
    out_.put("__sode_e ( " + std::to_string(d.number) + " , " + std::to_string(d.slots.size() - 1) + " , (", at);
    expression_of(e.words);
    out_.put(") ) ;", e.words.back().getLocation());
}

void injector::slots(directive& d, std::vector<dimension>& dims) {
    for (auto& dim : dims)
        for (auto* e : {&dim.lower, &dim.upper, &dim.step}) slot(d, *e);
}

void injector::known(directive& d, clang::Token const& name) {
    bool const nodes = is_nodes(name);
    auto const at = name.getLocation();
    out_.put("__sode_n ( " + std::to_string(d.number) + " ,", at);
    out_.name(nodes ? nodes_prefix : template_prefix, name);
    out_.put(") ;", at);
}

bool injector::is_nodes(clang::Token const& name) const {
    return nodes_.contains(name.getIdentifierInfo()) && !templates_.contains(name.getIdentifierInfo());
}

void injector::dummies(std::vector<dimension> const& dims) {
    for (auto const& dim : dims)
        if (dim.lower.words.size() == 1 && dim.lower.words[0].getIdentifierInfo()) {
            out_.put("long", dim.lower.words[0].getLocation());
            out_.copy(dim.lower.words[0]);
            out_.put("= 0 ;", dim.lower.words[0].getLocation());
        }
}

void injector::replace(directive& d) {
    separate(source_, d);
    if (!d.wrong) parse(source_, d);
    if (d.wrong || is_left_alone(d)) return;
    write(d);
    for (auto& next : std::exchange(d.more, {})) { // the first name is known to the others
        auto& all = source_.directives;
        auto& rider = *all.emplace_back(std::make_unique<directive>());
        rider.number = static_cast<unsigned>(all.size() - 1);
        rider.hash = d.hash;
        rider.end = d.end;
        rider.kind = d.kind;
        rider.names = {next.name};
        rider.on = next.of;
        rider.has_on = next.has_of;
        rider.executing = next.executing;
        rider.rides = true;
        rider.kept = d.kept;
        d.riders.push_back(&rider);
        write(rider);
    }
    for (auto* const next : d.parts) replace(*next);
}

void injector::write(directive& d) {
    auto const here = d.hash;
    bool const prefix = d.kind == "loop" || d.kind == "task" || d.kind == "gmove" || d.kind == "array" || d.kind == "tasks" ||
                        d.kind == "image" || (d.openacc && has_body(d));
    bool const declares = d.kind == "nodes" || d.kind == "template" || d.kind == "distribute" || d.kind == "align" ||
                          d.kind == "shadow" || d.kind == "coarray" || d.kind == "static_desc" || d.kind == "acc declare" ||
                          d.kind == "acc routine" || d.kind == "acc devices";
    if (!declares && !in_function())
        return source_.error(d, here, "'" + d.kind + "' must be inside a function; move it to where it is to be executed");
    if (!scopes_.empty() && scopes_.back() != scope::function && scopes_.back() != scope::name_space)
        return source_.error(d, here,
                             "'" + d.kind +
                                 "' is not allowed inside a type or an initializer; write it behind the declaration of a variable");
    // A `while` and not an `if`, which would take an `else` that is another's.
    if (prefix)
        out_.put("while ( ( {", here);
    else if (in_function())
        out_.put("{", here);
    else {
        out_.put("_Static_assert ( sizeof ( ^ ( void", here);
        out_.put(") {", here.getLocWithOffset(1)); // equal begin and end would mean that nobody wrote the signature
    }
    out_.put("__sode_h ( " + std::to_string(d.number) + " ) ;", here);
    expressions(d);
    if (prefix)
        out_.put("1 ; } ) )", here);
    else if (in_function())
        out_.put("}", here);
    else
        out_.put("} ) , \"\" ) ;", here);
    if (d.kind == "nodes" || d.kind == "template") declare(d);
}

void injector::declare(directive& d) {
    for (auto const& r : d.names) {
        (d.kind == "nodes" ? nodes_ : templates_).insert(r.name.getIdentifierInfo());
        out_.put("enum {", d.hash);
        out_.name(d.kind == "nodes" ? nodes_prefix : template_prefix, r.name);
        out_.put("= " + std::to_string(d.number) + " } ;", d.hash);
    }
}

void injector::expressions(directive& d) {
    auto& k = d.kind;
    if (k == "nodes" || k == "template") {
        slots(d, d.names.front().dims);
        slots(d, d.costs);
        if (d.has_on) of(d, d.on);
    } else if (k == "distribute") {
        for (auto& r : d.names) {
            slots(d, r.dims);
            known(d, r.name);
        }
        known(d, d.on.name);
    } else if (k == "align") {
        known(d, d.on.name);
        for (auto& r : d.names) array(d, r);
        out_.put("{", d.hash);
        dummies(d.names.front().dims);
        slots(d, d.on.dims);
        out_.put("}", d.hash);
    } else if (k == "static_desc") {
        for (auto& r : d.names)
            if (nodes_.contains(r.name.getIdentifierInfo()) || templates_.contains(r.name.getIdentifierInfo()))
                known(d, r.name);
            else
                array(d, r);
    } else if (k == "coarray") {
        for (auto& r : d.names) array(d, r);
        if (d.has_on) known(d, d.on.name);
    } else if (k == "shadow") {
        for (auto& r : d.names) array(d, r);
        slots(d, d.names.front().dims);
    } else if (k == "loop") {
        for (auto& item : d.items) slot(d, item);
        slots(d, d.width);
        slot(d, d.async);
        known(d, d.on.name);
        out_.put("{", d.hash);
        for (auto const& t : d.indices) {
            out_.put("long", d.hash);
            out_.copy(t);
            out_.put("= 0 ;", d.hash);
        }
        slots(d, d.on.dims);
        out_.put("}", d.hash);
    } else if (k == "template_fix") {
        known(d, d.names.front().name);
        slots(d, d.names.front().dims);
        slots(d, d.on.dims);
    } else if (d.openacc) {
        for (auto& clause : d.clauses)
            for (auto& argument : clause.arguments) slot(d, argument);
    } else {
        slot(d, d.async);
        for (auto& item : d.items) slot(d, item);
        slot(d, d.acquired);
        slot(d, d.status);
        slots(d, d.width);
        if (d.has_on) of(d, d.on);
        if (d.has_from) of(d, d.from);
    }
}

void injector::of(directive& d, reference& r) {
    if (r.stars > 0) return;
    known(d, r.name);
    slots(d, r.dims);
}

void injector::array(directive& d, reference const& r) {
    out_.put("__sode_a ( " + std::to_string(d.number) + " ,", r.name.getLocation());
    out_.copy(r.name);
    out_.copy(r.members);
    out_.put(") ;", r.name.getLocation());
}

void inject(source& s) {
    injector{s}.run(s.lexed);
}

} // namespace sode::compiler
