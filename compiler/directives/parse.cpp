// SPDX-License-Identifier: Apache-2.0
// The words of a directive: brackets, lists and names.
#include "compiler/directives/openacc.hpp"
#include "compiler/directives/parser.hpp"

#include <cctype>
#include <map>
#include <set>
#include <utility>

namespace sode::compiler {

void parser::run() {
    d_.kind = word();
    static std::map<std::string, void (parser::*)()> const kinds{{"nodes", &parser::nodes},
                                                                 {"static_desc", &parser::static_desc},
                                                                 {"template", &parser::spaces},
                                                                 {"distribute", &parser::distribute},
                                                                 {"align", &parser::align},
                                                                 {"shadow", &parser::shadow},
                                                                 {"loop", &parser::loop},
                                                                 {"task", &parser::task},
                                                                 {"tasks", &parser::nothing},
                                                                 {"coarray", &parser::coarray},
                                                                 {"image", &parser::image},
                                                                 {"array", &parser::array},
                                                                 {"barrier", &parser::barrier},
                                                                 {"reflect", &parser::reflect},
                                                                 {"reduction", &parser::reduce},
                                                                 {"bcast", &parser::bcast},
                                                                 {"gmove", &parser::gmove},
                                                                 {"template_fix", &parser::fix},
                                                                 {"wait_async", &parser::wait_async},
                                                                 {"reflect_init", &parser::reflect},
                                                                 {"reflect_do", &parser::reflect},
                                                                 {"post", &parser::post},
                                                                 {"wait", &parser::wait},
                                                                 {"lock", &parser::lock},
                                                                 {"unlock", &parser::lock},
                                                                 {"sync_memory", &parser::nothing},
                                                                 {"reduce_shadow", &parser::reflect}};
    auto const found = kinds.find(d_.kind);
    static std::map<std::string, char const*> const others{
        {"save_desc", "'save_desc' is a directive of XcalableMP Fortran; in C descriptors are kept by 'static_desc'"},
        {"local_alias", "'local_alias' is a directive of XcalableMP Fortran"},
        {"tasklet", "'tasklet' (XcalableMP 2.0) is not supported; use 'task'"},
        {"tasklets", "'tasklets' (XcalableMP 2.0) is not supported; use 'tasks'"},
        {"taskletwait", "'taskletwait' (XcalableMP 2.0) is not supported"},
        {"master_io", "'master_io' is a directive of XcalableMP Fortran"},
        {"global_io", "'global_io' is a directive of XcalableMP Fortran"}};
    if (auto const other = others.find(d_.kind); other != others.end()) return wrong(other->second);
    auto lower = d_.kind;
    for (auto& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    if (found == kinds.end() && kinds.contains(lower))
        return wrong("unknown directive '" + d_.kind + "': C's directives are written in small letters, '" + lower + "'", lower);
    if (d_.kind.empty()) return wrong("a directive of XcalableMP is missing; write its name behind 'xmp'");
    if (found == kinds.end()) {
        auto const meant = nearest(d_.kind, kinds);
        return wrong("unknown directive '" + d_.kind + "'" + question(meant), meant);
    }
    ++at_;
    (this->*found->second)();
    if (!d_.wrong && word() == "profile") return no_profile();
    if (!d_.wrong && (word() == "on_device" || word() == "layout"))
        return wrong(
            "'" + word() +
            "' belongs to the directive of OpenACC that puts the array on devices: acc data copy(a) layout([block]) on_device(d)");
    if (!d_.wrong && !over()) unexpected();
    if (!d_.wrong) no_steps();
}

// What is declared, and widths, have two parts at most.
void parser::no_steps() {
    auto const look = [&](std::vector<dimension> const& dims) {
        for (auto const& dim : dims)
            if (dim.step.given() && !d_.wrong)
                source_.error(d_, dim.step.words.front().getLocation(),
                              "'" + d_.kind + "' has no step here; write " +
                                  (d_.kind == "template" ? "[from:count]" : "[below:above]"));
    };
    look(d_.width);
    if (d_.kind != "nodes" && d_.kind != "template" && d_.kind != "shadow") return;
    for (auto const& r : d_.names) look(r.dims);
}

void parser::wrong(std::string const& message, std::string const& instead) {
    if (!d_.wrong) source_.error(d_, over() ? d_.end : d_.words[at_].getLocation(), message, instead);
}

bool parser::take(char const* w) {
    bool const is = word() == w;
    at_ += is ? 1 : 0;
    return is;
}

bool parser::need(char const* w) {
    if (take(w)) return true;
    wrong(std::string{"expected '"} + w + "' in '" + d_.kind + "'" + (over() ? "" : ", found '" + word() + "'"));
    return false;
}

tokens parser::group(char const* open, char const* close) {
    tokens inside;
    if (!need(open)) return inside;
    for (int depth = 1; !over(); ++at_) {
        auto const w = word();
        if (opens(w)) ++depth;
        if (closes(w) && --depth == 0) {
            need(close);
            return inside;
        }
        inside.push_back(d_.words[at_]);
    }
    wrong(std::string{"missing '"} + close + "' in '" + d_.kind + "'");
    return inside;
}

std::vector<dimension> parser::dimensions(tokens const& list) {
    std::vector<dimension> result;
    if (list.empty()) return result;
    result.emplace_back();
    auto* current = &result.back().lower.words;
    int depth = 0, conditions = 0, colons = 0;
    for (std::size_t i = 0; i < list.size(); ++i) {
        auto const& t = list[i];
        auto const w = source_.spelling(t);
        bool const image = i > 0 && i + 1 < list.size() && source_.spelling(list[i + 1]) == "["; // n:[k]
        depth += opens(w) ? 1 : closes(w) ? -1 : 0;
        if (depth == 0 && w == ",") {
            result.emplace_back();
            current = &result.back().lower.words;
            colons = conditions = 0;
            continue;
        }
        conditions += w == "?" ? 1 : 0;
        if (depth == 0 && w == ":" && conditions == 0 && !image) {
            result.back().colon = true;
            current = ++colons == 1 ? &result.back().upper.words : &result.back().step.words;
            continue;
        }
        conditions -= w == ":" && conditions > 0 && !image ? 1 : 0;
        current->push_back(t);
    }
    for (auto& d : result)
        if (d.lower.words.size() == 1 && source_.spelling(d.lower.words[0]) == "*") {
            d.star = true;
            d.star_at = d.lower.words[0].getLocation();
            d.lower.words.clear();
        }
    return result;
}

void parser::brackets(reference& r) {
    if (word() == "(") {
        r.given = true;
        r.dims = dimensions(group("(", ")"));
        std::reverse(r.dims.begin(), r.dims.end());
        return;
    }
    while (word() == "[") {
        r.given = r.square = true;
        auto one = dimensions(group("[", "]"));
        if (one.size() != 1) return wrong("one index is expected between '[' and ']'");
        r.dims.push_back(one.front());
    }
}

// Two colons behind it begin a list: onto p :: t, u
reference parser::named() {
    auto r = name();
    if (d_.wrong) return r;
    if (word() == ".")
        source_.error(d_, d_.words[at_].getLocation(), "'" + d_.kind + "' cannot name a member of a structure; name a variable");
    brackets(r);
    return r;
}

void parser::members(reference& r) {
    while ((word() == "." || word() == "::") && at_ + 1 < d_.words.size() && d_.words[at_ + 1].getIdentifierInfo())
        for (int k = 0; k < 2; ++k) r.members.push_back(d_.words[at_++]);
}

reference parser::name() {
    reference r;
    if (over() || !d_.words[at_].getIdentifierInfo())
        wrong("expected a name in '" + d_.kind + "'");
    else
        r.name = d_.words[at_++];
    return r;
}

reference parser::named_array() {
    auto r = name();
    if (d_.wrong) return r;
    members(r);
    brackets(r);
    return r;
}

void parser::items(tokens const& list) {
    int depth = 0;
    if (!list.empty()) d_.items.emplace_back();
    for (auto const& t : list) {
        auto const w = source_.spelling(t);
        depth += opens(w) ? 1 : closes(w) ? -1 : 0;
        if (depth == 0 && w == ",")
            d_.items.emplace_back();
        else
            d_.items.back().words.push_back(t);
    }
    for (auto const& item : d_.items)
        if (!item.given()) wrong("a variable is missing in '" + d_.kind + "'");
    if (d_.items.empty()) wrong("'" + d_.kind + "' names no variable");
}

void parser::widths(tokens const& list, char const* modifier, char const* clause) {
    tokens rest;
    std::vector<bool> periodic{false};
    for (std::size_t i = 0; i < list.size(); ++i) {
        if (!rest.empty() && source_.spelling(rest.back()) == ":" && source_.spelling(list[i]) == "/")
            return source_.error(d_, list[i].getLocation(),
                                 std::string{"a modifier is for both widths of a dimension; write it before the first: /"} +
                                     modifier + "/a:b");
        if (source_.spelling(list[i]) == "/" && i + 2 < list.size() && source_.spelling(list[i + 2]) == "/" &&
            (rest.empty() || source_.spelling(rest.back()) == ",")) {
            if (source_.spelling(list[i + 1]) != modifier)
                return source_.error(d_, list[i + 1].getLocation(),
                                     "unknown modifier '" + source_.spelling(list[i + 1]) + "' in '" + clause + "' (there is /" +
                                         modifier + "/)");
            periodic.back() = true;
            i += 2;
            continue;
        }
        if (source_.spelling(list[i]) == ",") periodic.push_back(false);
        rest.push_back(list[i]);
    }
    d_.width = dimensions(rest);
    d_.periodic = periodic;
    bool complete = d_.width.size() == periodic.size();
    for (auto const& dim : d_.width) complete = complete && dim.lower.given() && dim.colon == dim.upper.given();
    if (!complete) wrong(std::string{"'"} + clause + "' needs an entry for each dimension");
}

void parser::no_profile() {
    wrong("the clause 'profile' is not supported: set SODE_TRACE=FILE when the program runs, and see what each rank did when");
}

namespace {

std::set<std::string> const& clauses_of(std::string const& kind) {
    static std::set<std::string> const none;
    static std::map<std::string, std::set<std::string>> const all{
        {"loop", {"acc", "expand", "margin", "on", "peel_and_wait", "reduction", "threads"}},
        {"reflect", {"acc", "async", "orthogonal", "width"}},
        {"reflect_init", {"acc", "async", "orthogonal", "width"}},
        {"reflect_do", {"acc", "async"}},
        {"reduce_shadow", {"async", "orthogonal", "width"}},
        {"reduction", {"acc", "async", "on"}},
        {"bcast", {"acc", "async", "from", "on"}},
        {"gmove", {"acc", "async", "in", "out"}},
        {"barrier", {"acc", "on"}},
        {"wait_async", {"acc", "on"}},
        {"array", {"on"}},
        {"task", {"nocomm", "on"}},
        {"lock", {"acquired_lock", "stat"}},
        {"unlock", {"stat"}}};
    auto const found = all.find(kind);
    return found == all.end() ? none : found->second;
}

} // namespace

// " (there are a, b and c)"
std::string parser::choice(std::set<std::string> const& words) {
    std::string all;
    for (auto const& w : words) all += (all.empty() ? "" : w == *words.rbegin() ? " and " : ", ") + w;
    return all.empty() ? "" : " (there " + std::string{words.size() == 1 ? "is " : "are "} + all + ")";
}

void parser::unknown_clause() {
    if (word() == "profile") return no_profile();
    auto const& known = clauses_of(d_.kind);
    auto const meant = nearest(word(), known);
    wrong("unknown clause '" + word() + "' of '" + d_.kind + "'" + (meant.empty() ? choice(known) : question(meant)), meant);
}

// Behind all that was understood.
void parser::unexpected() {
    auto const& known = clauses_of(d_.kind);
    auto const meant = nearest(word(), known);
    bool const knows = meant.empty() || meant == word(); // but not there
    auto const hint = !knows ? question(meant) : known.empty() ? "; leave it out" : choice(known);
    wrong("unexpected '" + word() + "' in '" + d_.kind + "'" + hint, knows ? "" : meant);
}

void parser::once(bool again, char const* clause) {
    if (again) wrong(std::string{"'"} + clause + "' appears twice in '" + d_.kind + "'");
}

void parser::on_clause() {
    once(d_.has_on, "on");
    d_.has_on = true;
    d_.on = named();
}

void parser::on_set() {
    if (word() != "*") return on_clause();
    once(d_.has_on, "on");
    d_.has_on = true;
    d_.on.name = d_.words[at_++];
    d_.on.stars = take("*") ? 2 : 1;
}

void parser::async() {
    once(d_.async.given(), "async");
    d_.async.words = group("(", ")");
    if (!d_.async.given()) wrong("'async' needs a number in brackets");
}

bool parser::accelerated() {
    if (!take("acc")) return false;
    d_.accelerated = true;
    return true;
}

void parse(source const& s, directive& d) {
    if (d.openacc) return parse_openacc(s, d);
    parser{s, d}.run();
}

} // namespace sode::compiler
