// SPDX-License-Identifier: Apache-2.0
// Words of nodes, template, distribute, align, shadow and coarray.
#include "compiler/directives/parser.hpp"

namespace sode::compiler {

void parser::declared() {
    reference shape;
    bool const behind_colons = colons(); // nodes :: p(4)
    if (!behind_colons && (word() == "[" || word() == "(")) brackets(shape);
    if (!shape.given) {
        d_.names.push_back(named());
        if (!d_.names.back().given) wrong("'" + d_.kind + "' needs extents after its name");
        return;
    }
    names_behind(shape);
}

bool parser::colons() {
    return take(":") ? need(":") : take("::"); // C has no ::
}

void parser::names_behind(reference const& shape) {
    if (!colons() && !need("::")) return;
    do {
        reference r = shape;
        if (over() || !d_.words[at_].getIdentifierInfo()) return wrong("expected a name after '::'");
        r.name = d_.words[at_++];
        if (d_.kind == "align" || d_.kind == "shadow") members(r);
        d_.names.push_back(r);
    } while (take(","));
}

void parser::static_desc() {
    if (word() == ":") { // :: a, b
        names_behind({});
    } else {
        do {
            reference r;
            if (over() || !d_.words[at_].getIdentifierInfo()) return wrong("expected a name in 'static_desc'");
            r.name = d_.words[at_++];
            d_.names.push_back(r);
        } while (take(","));
    }
}

void parser::nodes() {
    declared();
    if (!d_.wrong && take("=")) same_as(d_.on, d_.has_on, d_.executing);
    while (!d_.wrong && take(",")) {
        auto& next = another();
        if (!d_.wrong && take("=")) same_as(next.of, next.has_of, next.executing);
    }
    if (!d_.wrong && take("mapping")) mapping();
}

void parser::mapping() {
    if (d_.has_on || d_.executing == 1) return wrong("'mapping' is for all nodes of the program; a part of them keeps its order");
    if (!d_.more.empty()) return wrong("'mapping' is for one name; write a directive for each");
    reference costs;
    brackets(costs);
    if (d_.wrong) return;
    auto const& words = costs.dims.empty() ? tokens{} : costs.dims.front().lower.words;
    auto const word = costs.dims.size() == 1 && words.size() == 1 ? source_.spelling(words.front()) : "";
    if (word == "auto" || word == "order") {
        d_.mapping = word;
        return;
    }
    auto const dims = d_.names.empty() ? 0 : d_.names.front().dims.size();
    bool complete = costs.dims.size() == dims;
    for (auto const& c : costs.dims) complete = complete && c.lower.given() && !c.colon;
    if (!complete)
        return wrong("write mapping(auto), mapping(order), or mapping[1][4]: the relative cost between machines of a face across "
                     "each dimension");
    d_.mapping = "costs";
    d_.costs = costs.dims;
}

void parser::spaces() {
    declared();
    for (std::size_t k = 1; k < d_.names.size(); ++k)
        d_.more.emplace_back().name = d_.names[k]; // each may be distributed otherwise
    if (!d_.names.empty()) d_.names.resize(1);
    while (!d_.wrong && take(",")) another();
}

declaration& parser::another() {
    auto& next = d_.more.emplace_back();
    next.name = named();
    if (!d_.wrong && !next.name.given) wrong("'" + d_.kind + "' needs extents after its name");
    return next;
}

void parser::same_as(reference& of, bool& has_of, int& executing) {
    if (take("*")) {
        executing = take("*") ? 2 : 1;
        return;
    }
    has_of = true;
    of = named();
}

void parser::distribute() {
    reference shape;
    bool const several = word() == "[" || word() == "("; // [block] onto p :: t, u
    if (several)
        brackets(shape);
    else
        d_.names.push_back(named());
    for (auto& dim : several ? shape.dims : d_.names.front().dims) format(dim);
    if (need("onto")) d_.on = named();
    if (several && !d_.wrong) names_behind(shape);
}

void parser::format(dimension& dim) {
    if (dim.star) return;
    if (dim.lower.words.empty()) return wrong("a dimension has no format");
    auto const what = dim.lower.words.front();
    dim.format = source_.spelling(what);
    if (dim.format != "block" && dim.format != "cyclic" && dim.format != "gblock")
        return source_.error(d_, what.getLocation(),
                             "unknown format '" + dim.format + "' (there are block, block(n), cyclic, cyclic(n), gblock(m) and *)");
    auto& words = dim.lower.words;
    words.erase(words.begin());
    if (words.size() >= 2 && source_.spelling(words.front()) == "(") {
        words.erase(words.begin());
        words.pop_back();
    }
    if (dim.format == "gblock" && words.size() == 1 && source_.spelling(words.front()) == "*") {
        dim.colon = true; // said later
        words.clear();
    } else if (dim.format == "gblock" && words.empty())
        source_.error(d_, what.getLocation(), "gblock needs an array of widths");
}

void parser::align() {
    reference shape;
    if (word() == "[" || word() == "(")
        brackets(shape);
    else
        d_.names.push_back(named_array());
    if (need("with")) d_.on = named();
    if (d_.wrong) return;
    if (d_.names.empty()) names_behind(shape);
    if (d_.wrong) return;
    // `:` is aligned with `:` as if both were an index: one after the other in the order of C, which is the written one backwards
    // in round brackets.
    std::vector<clang::Token> indices;
    auto const name = [&](dimension& dim, std::size_t k) {
        if (!dim.colon || dim.lower.given() || dim.upper.given()) return false;
        if (k == indices.size()) indices.push_back(source_.made_up("__sode_i" + std::to_string(k), d_.on.name.getLocation()));
        dim.colon = false;
        dim.lower.words = {indices[k]};
        return true;
    };
    auto const colons = [&](reference& r) {
        std::size_t count = 0;
        for (auto& dim : r.dims) count += name(dim, count) ? 1 : 0;
        return count;
    };
    for (auto& r : d_.names) colons(r);
    auto const own = indices.size();
    auto const with = colons(d_.on);
    if (with != own)
        source_.error(d_, d_.on.name.getLocation(),
                      "'align' has " + std::to_string(own) + " ':' for the array and " + std::to_string(with) +
                          " for the template");
}

void parser::shadow() {
    reference shape;
    if (word() != "[" && word() != "(") {
        d_.names.push_back(named_array());
        return;
    }
    brackets(shape);
    names_behind(shape);
}

void parser::fix() {
    if (word() == "(") brackets(d_.on); // the formats
    while (word() == "[") {             // [block][cyclic], or [block, cyclic] as in the specification
        auto const some = dimensions(group("[", "]"));
        if (some.empty()) return wrong("a dimension has no format");
        d_.on.dims.insert(d_.on.dims.end(), some.begin(), some.end());
    }
    for (auto& dim : d_.on.dims) format(dim);
    d_.names.push_back(named());
    if (!d_.wrong && !d_.names.back().given && d_.on.dims.empty()) wrong("'template_fix' must give a size or formats");
}

void parser::coarray() {
    if (word() == "on" && at_ + 1 < d_.words.size() && d_.words[at_ + 1].getIdentifierInfo()) {
        ++at_;
        on_clause();
        if (!d_.wrong && d_.on.given)
            return wrong("'coarray on' must name a whole node array; declare a part as one of its own: q[2] = p[0:2]");
        return names_behind({});
    }
    do {
        reference r;
        if (over() || !d_.words[at_].getIdentifierInfo()) return wrong("expected a name in 'coarray'");
        r.name = d_.words[at_++];
        d_.names.push_back(r);
    } while (take(","));
    if (!need(":")) return;
    while (!d_.wrong && word() == "[") {
        d_.codimensions.push_back(group("[", "]"));
        auto& last = d_.codimensions.back();
        if (last.size() == 1 && source_.spelling(last.front()) == "*") last.clear();
    }
    auto const& all = d_.codimensions;
    if (d_.wrong) return;
    if (all.empty() || (!all.front().empty() && !all.back().empty()))
        return wrong("the codimension * must be the first or the last; write x:[2][*]");
    if (std::ranges::count_if(all, [](tokens const& t) { return t.empty(); }) > 1)
        wrong("exactly one codimension of a coarray must be *");
}

} // namespace sode::compiler
