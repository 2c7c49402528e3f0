// SPDX-License-Identifier: Apache-2.0
// The words of a directive.
#include "source.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

namespace sode::compiler {
namespace {

class parser {
public:
    parser(source const& s, directive& d) : source_(s), d_(d) {}

    void run() {
        d_.kind = word();
        static std::map<std::string, void (parser::*)()> const kinds{{"nodes", &parser::nodes},
                                                                     {"template", &parser::spaces},
                                                                     {"distribute", &parser::distribute},
                                                                     {"align", &parser::align},
                                                                     {"shadow", &parser::shadow},
                                                                     {"loop", &parser::loop},
                                                                     {"task", &parser::task},
                                                                     {"tasks", &parser::nothing},
                                                                     {"coarray", &parser::coarray},
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
        if (found == kinds.end())
            return wrong(d_.kind.empty() ? "a directive of XcalableMP is missing"
                                         : "unknown directive '" + d_.kind + "'" + nearest(kinds));
        ++at_;
        (this->*found->second)();
        if (!d_.wrong && !over()) wrong("unexpected '" + word() + "' in '" + d_.kind + "'");
    }

private:
    [[nodiscard]] bool over() const { return at_ >= d_.words.size(); }
    [[nodiscard]] std::string word() const { return over() ? "" : source_.spelling(d_.words[at_]); }
    void wrong(std::string const& message) {
        if (!d_.wrong) source_.error(d_, over() ? d_.end : d_.words[at_].getLocation(), message);
    }
    bool take(char const* w) {
        bool const is = word() == w;
        at_ += is ? 1 : 0;
        return is;
    }
    bool need(char const* w) {
        if (take(w)) return true;
        wrong(std::string{"expected '"} + w + "' in '" + d_.kind + "'" + (over() ? "" : ", found '" + word() + "'"));
        return false;
    }

    // Known words that differ in two letters at most.
    template <class Map> static bool close(std::string const& a, typename Map::key_type const& b) {
        std::vector<std::size_t> row(b.size() + 1);
        for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
        for (std::size_t i = 1; i <= a.size(); ++i) {
            auto before = row[0]++;
            for (std::size_t j = 1; j <= b.size(); ++j) {
                auto const here = row[j];
                row[j] = std::min({row[j] + 1, row[j - 1] + 1, before + (a[i - 1] == b[j - 1] ? 0U : 1U)});
                before = here;
            }
        }
        return row.back() <= 2;
    }
    template <class Map> std::string nearest(Map const& known) const {
        for (auto const& [name, what] : known)
            if (close<Map>(d_.kind, name)) return "; did you mean '" + name + "'?";
        return "";
    }

    static bool opens(std::string const& w) { return w == "(" || w == "[" || w == "{"; }
    static bool closes(std::string const& w) { return w == ")" || w == "]" || w == "}"; }

    // What lies between two brackets.
    tokens group(char const* open, char const* close) {
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

    // a:b:c, ... Conditional expressions keep their colons.
    std::vector<dimension> dimensions(tokens const& list) {
        std::vector<dimension> result;
        if (list.empty()) return result;
        result.emplace_back();
        auto* current = &result.back().lower.words;
        int depth = 0, conditions = 0, colons = 0;
        for (auto const& t : list) {
            auto const w = source_.spelling(t);
            depth += opens(w) ? 1 : closes(w) ? -1 : 0;
            if (depth == 0 && w == ",") {
                result.emplace_back();
                current = &result.back().lower.words;
                colons = conditions = 0;
                continue;
            }
            conditions += w == "?" ? 1 : 0;
            if (depth == 0 && w == ":" && conditions == 0) {
                result.back().colon = true;
                current = ++colons == 1 ? &result.back().upper.words : &result.back().step.words;
                continue;
            }
            conditions -= w == ":" && conditions > 0 ? 1 : 0;
            current->push_back(t);
        }
        for (auto& d : result)
            if (d.lower.words.size() == 1 && source_.spelling(d.lower.words[0]) == "*") {
                d.star = true;
                d.lower.words.clear();
            }
        return result;
    }

    void brackets(reference& r) {
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
    reference named() {
        reference r;
        if (over() || !d_.words[at_].getIdentifierInfo()) {
            wrong("expected a name in '" + d_.kind + "'");
            return r;
        }
        r.name = d_.words[at_++];
        brackets(r);
        return r;
    }

    void nothing() {}
    void declared() {
        reference shape;
        if (take("[") || take("(")) --at_, brackets(shape);
        if (!shape.given) {
            d_.names.push_back(named());
            if (!d_.names.back().given) wrong("'" + d_.kind + "' needs extents behind its name");
            return;
        }
        names_behind(shape);
    }
    // [..] :: a, b
    void names_behind(reference const& shape) {
        if (take(":")) { // C has no ::
            if (!need(":")) return;
        } else if (!need("::"))
            return;
        do {
            reference r = shape;
            if (over() || !d_.words[at_].getIdentifierInfo()) return wrong("expected a name behind '::'");
            r.name = d_.words[at_++];
            d_.names.push_back(r);
        } while (take(","));
    }
    void nodes() {
        declared();
        if (!d_.wrong && take("=")) same_as(d_.on, d_.has_on, d_.executing);
        while (!d_.wrong && take(",")) {
            auto& next = another();
            if (!d_.wrong && take("=")) same_as(next.of, next.has_of, next.executing);
        }
    }
    void spaces() {
        declared();
        while (!d_.wrong && take(",")) another();
    }
    declaration& another() {
        auto& next = d_.more.emplace_back();
        next.name = named();
        if (!d_.wrong && !next.name.given) wrong("'" + d_.kind + "' needs extents behind its name");
        return next;
    }
    // What stands behind `=`: nodes, * (those that execute) or ** (all of the program).
    void same_as(reference& of, bool& has_of, bool& executing) {
        if (take("*")) {
            executing = !take("*");
            return;
        }
        has_of = true;
        of = named();
    }
    void distribute() {
        d_.names.push_back(named());
        for (auto& r : d_.names)
            for (auto& dim : r.dims) format(dim);
        if (need("onto")) d_.on = named();
    }
    void format(dimension& dim) {
        if (dim.star) return;
        if (dim.lower.words.empty()) return wrong("a dimension has no format");
        auto const what = dim.lower.words.front();
        dim.format = source_.spelling(what);
        if (dim.format != "block" && dim.format != "cyclic" && dim.format != "gblock")
            return source_.error(d_, what.getLocation(),
                                 "unknown format '" + dim.format +
                                     "' (there are block, block(n), cyclic, cyclic(n), gblock(m) and *)");
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
    void align() {
        reference shape;
        if (word() == "[" || word() == "(")
            brackets(shape);
        else
            d_.names.push_back(named());
        if (need("with")) d_.on = named();
        if (d_.names.empty() && !d_.wrong) names_behind(shape);
    }
    void shadow() {
        reference shape;
        if (word() != "[" && word() != "(") {
            d_.names.push_back(named());
            return;
        }
        brackets(shape);
        names_behind(shape);
    }
    void on_clause() {
        d_.has_on = true;
        d_.on = named();
    }
    void loop() {
        if (word() == "(") index_list();
        if (!need("on")) return;
        on_clause();
        while (!over() && !d_.wrong)
            if (take("reduction"))
                reduce();
            else if (word() == "expand" || word() == "margin" || word() == "peel_and_wait")
                window();
            else
                wrong("unknown clause '" + word() + "' of 'loop'");
        if (d_.indices.empty()) // those of the reference, as they come
            for (auto const& dim : d_.on.dims)
                for (auto const& t : dim.lower.words)
                    if (t.getIdentifierInfo()) {
                        d_.indices.push_back(t);
                        break;
                    }
    }
    // expand(/unbound/1:1, 0), margin(-1, -1), peel_and_wait(id, -1, -1)
    void window() {
        if (!d_.window.empty()) return wrong("a loop has one of expand, margin and peel_and_wait");
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
                return wrong("'peel_and_wait' needs a number and a width for each dimension");
            list.erase(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(k) + 1);
        }
        widths(list, "unbound", d_.window.c_str());
        if (d_.wrong) return;
        if (d_.width.size() != d_.on.dims.size())
            return wrong("'" + d_.window + "' has a width for each dimension that 'on' names");
        if (!d_.on.square) {
            std::reverse(d_.width.begin(), d_.width.end());
            std::reverse(d_.periodic.begin(), d_.periodic.end());
        }
    }
    void index_list() {
        for (auto const& dim : dimensions(group("(", ")"))) {
            if (dim.lower.words.size() != 1 || !dim.lower.words[0].getIdentifierInfo())
                return wrong("'loop' lists the variables of its loops");
            d_.indices.push_back(dim.lower.words[0]);
        }
    }
    void array() {
        if (need("on")) on_clause();
    }
    // a, b : [*]
    void coarray() {
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
            return wrong("the codimension * is the first one or the last");
        if (std::ranges::count_if(all, [](tokens const& t) { return t.empty(); }) > 1) wrong("one codimension is *");
    }
    // (p[1], tag)
    void post() {
        if (!need("(")) return;
        on_clause();
        if (!d_.wrong && need(",")) tag();
    }
    void tag() {
        d_.items.emplace_back();
        for (int depth = 1; !over(); ++at_) {
            auto const w = word();
            depth += opens(w) ? 1 : closes(w) ? -1 : 0;
            if (depth == 0) break;
            d_.items.back().words.push_back(d_.words[at_]);
        }
        if (!d_.items.back().given()) return wrong("a tag is missing in '" + d_.kind + "'");
        need(")");
    }
    // nothing, (p[0]) or (p[0], tag)
    void wait() {
        if (!take("(")) return;
        on_clause();
        if (d_.wrong) return;
        if (take(","))
            tag();
        else
            need(")");
    }
    void lock() {
        items(group("(", ")"));
        if (d_.items.size() > 1) wrong("'" + d_.kind + "' names one variable");
    }
    void task() {
        if (need("on")) on_clause();
        d_.alone = !d_.wrong && take("nocomm");
    }
    void barrier() {
        if (take("on")) on_clause();
    }
    void items(tokens const& list) {
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
    void reduce() {
        static std::map<std::string, char const*> const operations{
            {"+", "SODE_SUM"},        {"-", "SODE_SUM"},      {"*", "SODE_PRODUCT"},    {"max", "SODE_MAX"},
            {"min", "SODE_MIN"},      {"&", "SODE_BAND"},     {"|", "SODE_BOR"},        {"^", "SODE_BXOR"},
            {"&&", "SODE_LAND"},      {"||", "SODE_LOR"},     {"firstmax", "SODE_MAX"}, {"lastmax", "SODE_MAX"},
            {"firstmin", "SODE_MIN"}, {"lastmin", "SODE_MIN"}};
        auto list = group("(", ")");
        if (d_.wrong) return;
        std::string name = list.empty() ? "" : source_.spelling(list.front());
        std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
        auto const found = operations.find(name);
        if (found == operations.end())
            return source_.error(
                d_, list.empty() ? d_.end : list.front().getLocation(),
                "unknown operation '" + name +
                    "' of a reduction (there are + - * max min & | ^ && ||, and firstmax firstmin lastmax lastmin)");
        if (list.size() < 2 || source_.spelling(list[1]) != ":") return wrong("expected ':' behind the operation of a reduction");
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
                on_clause();
            else if (take("async"))
                async();
            else
                wrong("unknown clause '" + word() + "' of 'reduction'");
        if (d_.async.given() && std::ranges::any_of(d_.operations, [](auto const& o) { return o.locations > 0; }))
            wrong("'async' is not supported for locations");
    }
    void gmove() {
        if (!take("in")) take("out"); // where all that is moved lies on the executing nodes, these say nothing more
        if (!d_.wrong && take("async")) async();
    }
    // v/ix, iy/: one value, and variables that say where it is
    void located(tokens const& list) {
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
    void bcast() {
        items(group("(", ")"));
        while (!over() && !d_.wrong)
            if (take("from")) {
                d_.has_from = true;
                d_.from = named();
            } else if (take("on"))
                on_clause();
            else if (take("async"))
                async();
            else
                wrong("unknown clause '" + word() + "' of 'bcast'");
    }
    void reflect() {
        items(group("(", ")"));
        while (!over() && !d_.wrong)
            if (take("width"))
                widths(group("(", ")"), "periodic", "width");
            else if (take("orthogonal"))
                d_.orthogonal = true;
            else if (take("async"))
                async();
            else
                wrong("unknown clause '" + word() + "' of 'reflect'");
    }
    void async() {
        d_.async.words = group("(", ")");
        if (!d_.async.given()) wrong("'async' needs a number in brackets");
    }
    void wait_async() {
        items(group("(", ")"));
        if (!d_.wrong && take("on")) on_clause();
    }
    // [block] t[n], or t[n]
    void fix() {
        if (word() == "[" || word() == "(") {
            brackets(d_.on); // the formats
            for (auto& dim : d_.on.dims) format(dim);
        }
        d_.names.push_back(named());
        if (!d_.wrong && !d_.names.back().given && d_.on.dims.empty()) wrong("'template_fix' says neither a size nor formats");
    }
    // /periodic/1:1, 0
    void widths(tokens const& list, char const* modifier, char const* clause) {
        tokens rest;
        std::vector<bool> periodic{false};
        for (std::size_t i = 0; i < list.size(); ++i) {
            if (source_.spelling(list[i]) == "/" && i + 2 < list.size() && source_.spelling(list[i + 1]) == modifier) {
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
        if (!complete) wrong(std::string{"'"} + clause + "' has an entry for each dimension");
    }

    source const& source_;
    directive& d_;
    std::size_t at_ = 0;
    int locations_ = 0;
};

} // namespace

void parse(source const& s, directive& d) {
    parser{s, d}.run();
}

} // namespace sode::compiler
