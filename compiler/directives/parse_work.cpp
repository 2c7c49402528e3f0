// SPDX-License-Identifier: Apache-2.0
// Words of what a program does: loops, tasks, communication.
#include "compiler/directives/parser.hpp"

#include <cctype>
#include <utility>

namespace sode::compiler {

void parser::loop() {
    if (word() == "(") index_list();
    if (!need("on")) return;
    on_clause();
    while (!over() && !d_.wrong)
        if (take("reduction"))
            reduce();
        else if (accelerated()) {
        } else if (word() == "expand" || word() == "margin" || word() == "peel_and_wait")
            window();
        else if (take("threads"))
            threads();
        else
            unknown_clause();
    if (d_.accelerated && d_.operations.empty() && !d_.wrong) {
        --at_;
        wrong("'acc' of a loop belongs to its reduction, and this loop has none; leave it out");
    }
    if (d_.indices.empty()) // those of the reference, as they come
        for (auto const& dim : d_.on.dims)
            for (auto const& t : dim.lower.words)
                if (t.getIdentifierInfo()) {
                    d_.indices.push_back(t);
                    break;
                }
}

void parser::threads() {
    if (d_.threads) return wrong("a loop may have only one clause 'threads'; leave the second one out");
    d_.threads = true;
    if (word() == "[" || word() == "(") d_.thread_clauses = word() == "[" ? group("[", "]") : group("(", ")");
    while (!d_.wrong && (word() == "num_threads" || word() == "private" || word() == "firstprivate" || word() == "lastprivate")) {
        auto const first = at_++;
        group("(", ")");
        d_.thread_clauses.insert(d_.thread_clauses.end(), d_.words.begin() + static_cast<std::ptrdiff_t>(first),
                                 d_.words.begin() + static_cast<std::ptrdiff_t>(at_));
    }
}

void parser::window() {
    if (!d_.window.empty()) return wrong("a loop may have only one of expand, margin and peel_and_wait; write a loop for each");
    d_.window = word();
    ++at_;
    auto list = group("(", ")");
    if (d_.wrong) return;
    if (d_.window == "peel_and_wait") {
        int depth = 0;
        std::size_t k = 0;
        for (; k < list.size(); ++k) {
            auto const w = source_.spelling(list[k]);
            depth += opens(w) ? 1 : closes(w) ? -1 : 0;
            if (depth == 0 && w == ",") break;
            d_.async.words.push_back(list[k]);
        }
        if (!d_.async.given() || k == list.size())
            return wrong("'peel_and_wait' needs a number and a width for each dimension; write peel_and_wait(1, -1, -1)");
        list.erase(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(k) + 1);
    }
    widths(list, "unbound", d_.window.c_str());
    if (d_.wrong) return;
    if (d_.width.size() != d_.on.dims.size())
        return wrong("'" + d_.window + "' needs a width for each dimension that 'on' names; write 0 where it needs none");
    if (!d_.on.square) {
        std::reverse(d_.width.begin(), d_.width.end());
        std::reverse(d_.periodic.begin(), d_.periodic.end());
    }
}

void parser::index_list() {
    for (auto const& dim : dimensions(group("(", ")"))) {
        if (dim.lower.words.size() != 1 || !dim.lower.words[0].getIdentifierInfo())
            return wrong("'loop' must list the variables of its loops");
        d_.indices.push_back(dim.lower.words[0]);
    }
}

void parser::array() {
    if (need("on")) on_clause();
}

void parser::post() {
    if (!need("(")) return;
    on_clause();
    if (!d_.wrong && need(",")) tag();
}

void parser::tag() {
    d_.items.emplace_back();
    for (int depth = 1; !over(); ++at_) {
        auto const w = word();
        depth += opens(w) ? 1 : closes(w) ? -1 : 0;
        if (depth == 0) break;
        if (depth == 1 && w == ",") return wrong("'" + d_.kind + "' may have only one tag; write another '" + d_.kind + "'");
        d_.items.back().words.push_back(d_.words[at_]);
    }
    if (!d_.items.back().given()) return wrong("a tag is missing in '" + d_.kind + "'");
    need(")");
}

void parser::wait() {
    if (!take("(")) return;
    on_clause();
    if (d_.wrong) return;
    if (take(","))
        tag();
    else
        need(")");
}

void parser::lock() {
    items(group("(", ")"));
    if (d_.items.size() > 1) return wrong("'" + d_.kind + "' must name exactly one variable");
    while (!d_.wrong && (word() == "stat" || (word() == "acquired_lock" && d_.kind == "lock"))) {
        auto const clause = word();
        auto& variable = clause == "stat" ? d_.status : d_.acquired;
        once(variable.given(), clause.c_str());
        ++at_;
        variable.words = group("(", ")");
        if (!variable.given()) wrong("'" + clause + "' needs a variable in brackets");
    }
}

void parser::image() {
    if (!need("(")) return;
    on_clause();
    if (!d_.wrong && d_.on.given)
        return wrong("'image' must name a whole node array; declare a part as one of its own: q[2] = p[0:2]");
    if (!d_.wrong) need(")");
}

void parser::task() {
    if (need("on")) on_set();
    d_.alone = !d_.wrong && take("nocomm");
}

void parser::barrier() {
    accelerated();
    if (take("on")) on_set();
    if (!d_.wrong) accelerated();
}

void parser::reduce() {
    static std::map<std::string, char const*> const operations{
        {"+", "SODE_SUM"},        {"-", "SODE_SUM"},       {"*", "SODE_PRODUCT"},    {"max", "SODE_MAX"},    {"min", "SODE_MIN"},
        {"&", "SODE_BAND"},       {"|", "SODE_BOR"},       {"^", "SODE_BXOR"},       {"&&", "SODE_LAND"},    {"||", "SODE_LOR"},
        {"firstmax", "SODE_MAX"}, {"lastmax", "SODE_MAX"}, {"firstmin", "SODE_MIN"}, {"lastmin", "SODE_MIN"}};
    auto list = group("(", ")");
    if (d_.wrong) return;
    std::string name = list.empty() ? "" : source_.spelling(list.front());
    std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    auto const found = operations.find(name);
    static std::map<std::string, char const*> const meant{{"sum", "+"},     {"add", "+"}, {"plus", "+"},      {"prod", "*"},
                                                          {"product", "*"}, {"mul", "*"}, {"maximum", "max"}, {"minimum", "min"},
                                                          {"and", "&&"},    {"or", "||"}};
    auto const hint = meant.find(name);
    if (found == operations.end() && hint != meant.end())
        return source_.error(d_, list.front().getLocation(),
                             "unknown operation '" + name + "' of a reduction" + question(hint->second), hint->second);
    if (found == operations.end())
        return source_.error(d_, list.empty() ? d_.end : list.front().getLocation(),
                             "unknown operation '" + name +
                                 "' of a reduction (there are + - * max min & | ^ && ||, and firstmax firstmin lastmax lastmin)");
    if (list.size() < 2 || source_.spelling(list[1]) != ":") return wrong("expected ':' after the operation of a reduction");
    list.erase(list.begin(), list.begin() + 2);
    auto const before = d_.items.size();
    if (name.starts_with("first") || name.starts_with("last") ||
        (name.starts_with("m") && list.size() > 2 && source_.spelling(list.back()) == "/"))
        located(list);
    else
        items(list);
    for (auto k = before; k < d_.items.size(); ++k)
        d_.operations.push_back({found->second, name.starts_with("last"), 0}); // locations among them
    if (d_.operations.size() > before) d_.operations[before].locations = std::exchange(locations_, 0);
    while (d_.kind == "reduction" && !d_.wrong && !over())
        if (take("on"))
            on_set();
        else if (take("async"))
            async();
        else if (!accelerated())
            unknown_clause();
    if (d_.async.given() && std::ranges::any_of(d_.operations, [](auto const& o) { return o.locations > 0; }))
        wrong("'async' is not supported for locations; leave it out, or reduce the value alone");
    if (d_.accelerated && std::ranges::any_of(d_.operations, [](auto const& o) { return o.locations > 0; }))
        wrong("'acc' is not for reductions with locations; bring the value to the host first (acc update host)");
}

void parser::gmove() {
    if (word() == "in" || word() == "out") d_.reach = word(), ++at_;
    while (!d_.wrong && !over())
        if (take("async"))
            async();
        else if (accelerated()) {
            if (!take("(")) continue;
            if (over() || !d_.words[at_].getIdentifierInfo()) return wrong("'acc' must name the side that is on the device");
            d_.device_side = d_.words[at_++];
            need(")");
        } else
            unknown_clause();
}

void parser::located(tokens const& list) {
    tokens value, where;
    int slashes = 0;
    for (auto const& t : list) {
        if (source_.spelling(t) == "/")
            ++slashes;
        else
            (slashes == 0 ? value : where).push_back(t);
    }
    if (slashes != 2 || where.empty()) return wrong("expected variable/location, .../");
    items(value);
    auto const first = d_.items.size();
    items(where);
    locations_ = static_cast<int>(d_.items.size() - first);
}

void parser::bcast() {
    items(group("(", ")"));
    while (!over() && !d_.wrong)
        if (take("from")) {
            once(d_.has_from, "from");
            d_.has_from = true;
            d_.from = named();
        } else if (take("on"))
            on_set();
        else if (take("async"))
            async();
        else if (!accelerated())
            unknown_clause();
}

void parser::reflect() {
    items(group("(", ")"));
    while (!over() && !d_.wrong)
        if (d_.kind == "reflect_do" && (word() == "width" || word() == "orthogonal"))
            wrong("'" + word() + "' belongs to 'reflect_init'; write it there");
        else if (word() == "width") {
            once(!d_.width.empty(), "width");
            ++at_;
            widths(group("(", ")"), "periodic", "width");
        } else if (word() == "orthogonal") {
            once(d_.orthogonal, "orthogonal");
            ++at_;
            d_.orthogonal = true;
        } else if (take("async"))
            async();
        else if (d_.kind == "reduce_shadow" || !accelerated())
            unknown_clause();
}

void parser::wait_async() {
    items(group("(", ")"));
    if (!d_.wrong) accelerated();
    if (!d_.wrong && take("on")) on_set();
    if (!d_.wrong) accelerated();
}

} // namespace sode::compiler
