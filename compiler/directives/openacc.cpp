// SPDX-License-Identifier: Apache-2.0
// The words of OpenACC's directives: which clauses there are, and what stands in their brackets.
#include "compiler/directives/openacc.hpp"

#include "compiler/directives/parser.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace sode::compiler {
namespace {

using words = std::set<std::string>;

words joined(words a, words const& b) {
    a.insert(b.begin(), b.end());
    return a;
}

std::map<std::string, words> const& clauses_of() {
    static words const data{"copy",
                            "copyin",
                            "copyout",
                            "create",
                            "no_create",
                            "present",
                            "deviceptr",
                            "attach",
                            "pcopy",
                            "pcopyin",
                            "pcopyout",
                            "pcreate",
                            "present_or_copy",
                            "present_or_copyin",
                            "present_or_copyout",
                            "present_or_create"};
    static words const compute = joined(data, {"async", "wait", "num_gangs", "num_workers", "vector_length", "device_type", "dtype",
                                               "if", "reduction", "private", "firstprivate", "default", "on_device"});
    static words const loop{"collapse", "gang", "worker",      "vector", "seq",     "independent",
                            "auto",     "tile", "device_type", "dtype",  "private", "reduction"};
    static std::map<std::string, words> const all{
        {"parallel", compute},
        {"kernels", compute},
        {"serial", compute},
        {"parallel loop", joined(joined(compute, loop), {"layout"})},
        {"kernels loop", joined(joined(compute, loop), {"layout"})},
        {"serial loop", joined(joined(compute, loop), {"layout"})},
        {"data", joined(data, {"if", "default", "on_device", "layout", "shadow"})},
        {"enter data",
         {"if", "async", "wait", "copyin", "create", "attach", "pcopyin", "pcreate", "present_or_copyin", "present_or_create",
          "on_device", "layout", "shadow"}},
        {"exit data", {"if", "async", "wait", "copyout", "delete", "detach", "finalize", "on_device"}},
        {"host_data", {"use_device", "if", "if_present"}},
        {"loop", loop},
        {"update", {"async", "wait", "device_type", "dtype", "if", "if_present", "self", "host", "device", "on_device"}},
        {"declare",
         {"copy", "copyin", "copyout", "create", "present", "deviceptr", "device_resident", "link", "on_device", "layout",
          "shadow"}},
        {"barrier_device", {"on_device"}},
        {"reflect", {}},
        {"wait", {}},
        {"cache", {}},
        {"atomic", {}},
        {"routine", {}},
        {"init", {}},
        {"shutdown", {}},
        {"set", {}}};
    return all;
}

// Passed on word by word.
bool is_raw(std::string const& kind) {
    return kind == "wait" || kind == "cache" || kind == "atomic" || kind == "routine" || kind == "init" || kind == "shutdown" ||
           kind == "set";
}

// Why a word of device sets does not stand here; "": it is none of them.
std::string misplaced(std::string const& word, std::string const& kind) {
    if (word == "on_device" && kind == "acc host_data")
        return "'on_device' is not supported in 'acc host_data': an address belongs to one device; copy the array to one device";
    if (word == "on_device" && kind == "acc loop")
        return "'on_device' is not supported in 'acc loop'; write it at the construct around this loop";
    if (word == "layout" && kind == "acc loop")
        return "'layout' is not supported in 'acc loop'; write one directive: acc parallel loop layout(...)";
    if (word == "on_device" || word == "layout" || word == "shadow")
        return "'" + word + "' is not allowed in '" + kind + "'; write it at 'acc data' or 'acc enter data'";
    return "";
}

class openacc_parser {
public:
    openacc_parser(source const& s, directive& d) : source_(s), d_(d) {}

    void run() {
        std::string kind = word();
        auto const first = at_;
        ++at_;
        for (auto const* const second : {"loop", "data"})
            if (word() == second && clauses_of().contains(kind + " " + second)) {
                kind += std::string{" "} + second;
                ++at_;
            }
        d_.kind = "acc " + kind;
        auto const found = clauses_of().find(kind);
        if (kind == "device" || kind == "devices") return devices();
        if (kind == "reflect") return arrays();
        if (kind.empty()) return say(first, "a directive of OpenACC is missing; write its name behind 'acc'");
        if (found == clauses_of().end()) {
            auto const meant = parser::nearest(kind, clauses_of());
            return say(first, "unknown directive 'acc " + kind + "'" + parser::question(meant.empty() ? "" : "acc " + meant),
                       meant);
        }
        if (kind == "wait") return wait();
        if (is_raw(kind)) return;
        while (!d_.wrong && at_ < d_.words.size()) clause(found->second);
    }

private:
    [[nodiscard]] std::string word() const { return at_ < d_.words.size() ? source_.spelling(d_.words[at_]) : ""; }
    void say(std::size_t at, std::string const& message, std::string const& instead = "") {
        source_.error(d_, at < d_.words.size() ? d_.words[at].getLocation() : d_.end, message, instead);
    }
    [[nodiscard]] bool over() const { return at_ >= d_.words.size(); }
    // d[*], d[2], d[2] = nvidia, d[2] = nvidia[2:2]
    void devices() {
        d_.kind = "acc devices";
        if (over() || !d_.words[at_].getIdentifierInfo()) return say(at_, "'acc devices' must declare a name: d[*], or d[2]");
        openacc_clause name{"name", d_.words[at_++], false, {}, {}}, count{"count", name.where, true, {}, {}};
        bool const round = word() == "(";
        if (!round && word() != "[") return say(at_, "'acc devices' must say how many devices there are: d[*], or d[2]");
        auto inside = group();
        if (d_.wrong) return;
        if (inside.empty()) return say(at_, "'acc devices' must say how many devices there are: d[*], or d[2]");
        if (source_.spelling(inside.front()) != "*" || inside.size() > 1) {
            count.arguments.emplace_back();
            count.arguments.back().words = inside;
        }
        d_.clauses = {name, count};
        if (over()) return;
        if (word() != "=") return say(at_, "expected '=' in 'acc devices', found '" + word() + "'");
        ++at_;
        static words const kinds{"nvidia", "radeon", "default", "not_host"};
        auto const kind = word().starts_with("acc_device_") ? word().substr(11) : word();
        bool const others = std::ranges::any_of(source_.directives, [&](auto const& e) {
            return e->kind == "acc devices" && !e->wrong && e.get() != &d_ && source_.spelling(e->clauses.front().where) == word();
        });
        if (!kinds.contains(kind) && !others)
            return say(over() ? at_ - 1 : at_,
                       "'" + word() +
                           "' is not a kind of devices, and not a set that is declared above; the kinds are nvidia, "
                           "radeon, default and not_host");
        d_.clauses.push_back({others ? "of" : "kind", d_.words[at_++], true, {}, {}});
        if (over()) return;
        auto const open = at_;
        auto const numbers = device_range(source_, {d_.words.begin() + static_cast<std::ptrdiff_t>(at_), d_.words.end()});
        if (word() == "(" || word() == "[") (void)group();
        if (d_.wrong) return;
        if (!over()) return say(at_, "'" + word() + "' is unexpected in 'acc devices'; leave it out");
        if (!numbers) return say(open, "devices of a kind have the form nvidia[number], nvidia[from:count] or nvidia(first:last)");
        openacc_clause range{"range", d_.words[open], true, {}, {}};
        if (!numbers->all) range.arguments.emplace_back().words = numbers->lower;
        if (numbers->colon) range.arguments.emplace_back().words = numbers->upper;
        if (numbers->round) range.raw = {d_.words[open]}; // counted from 1
        d_.clauses.push_back(range);
    }
    // What is between two brackets.
    tokens group() {
        auto const open = at_++;
        tokens inside;
        for (int depth = 1;; ++at_) {
            if (over()) {
                say(open,
                    "missing '" + std::string{source_.spelling(d_.words[open]) == "(" ? ")" : "]"} + "' in '" + d_.kind + "'");
                return {};
            }
            auto const w = word();
            if (w == "(" || w == "[" || w == "{") ++depth;
            if ((w == ")" || w == "]" || w == "}") && --depth == 0) break;
            inside.push_back(d_.words[at_]);
        }
        ++at_;
        return inside;
    }
    // acc reflect(a, b)
    void arrays() {
        if (word() != "(") return say(at_, "'acc reflect' must name arrays in brackets");
        openacc_clause c{"reflect", d_.words[at_], true, {}, {}};
        list(c);
        if (d_.wrong) return;
        if (c.arguments.empty()) return say(at_ - 1, "'acc reflect' must name arrays in brackets");
        d_.clauses.push_back(c);
        if (!over()) say(at_, "'" + word() + "' is not allowed in 'acc reflect'; leave it out");
    }
    // Without on_device it is the compiler's affair.
    void wait() {
        auto const begin = at_;
        while (!over() && word() != "on_device") ++at_;
        if (over()) return;
        openacc_clause queues{"queues", d_.words[at_], false, {}, {}};
        queues.raw.assign(d_.words.begin() + static_cast<std::ptrdiff_t>(begin),
                          d_.words.begin() + static_cast<std::ptrdiff_t>(at_));
        clause({"on_device"});
        if (!d_.wrong && !over()) return say(at_, "'on_device' must be the last clause of 'acc wait'");
        d_.clauses.push_back(queues);
    }
    void clause(words const& known) {
        if (word() == ",") ++at_;
        auto const where = at_;
        auto const name = word();
        if (auto const why = misplaced(name, d_.kind); !known.contains(name) && !why.empty()) return say(where, why);
        if (!known.contains(name)) {
            auto const meant = parser::nearest(name, known);
            auto const hint = meant.empty() ? parser::choice(known) : parser::question(meant);
            return say(where, "unknown clause '" + name + "' of '" + d_.kind + "'" + hint, meant);
        }
        openacc_clause c{name, d_.words[at_], false, {}, {}};
        ++at_;
        if (word() == "(") {
            c.brackets = true;
            list(c);
        }
        if (d_.wrong) return;
        static words const bare{"seq",    "independent", "auto", "gang",     "worker",
                                "vector", "async",       "wait", "finalize", "if_present"};
        if (!bare.contains(name) && (!c.brackets || (c.arguments.empty() && c.raw.empty())))
            return say(where, "'" + name + "' needs an argument in brackets");
        d_.clauses.push_back(std::move(c));
    }

    void list(openacc_clause& c) {
        auto const open = at_;
        auto inside = group();
        if (d_.wrong) return;
        static words const raw{"gang", "worker", "vector", "tile", "device_type", "dtype", "default", "on_device", "shadow"};
        if (raw.contains(c.name) || (c.name == "layout" && !d_.kind.ends_with(" loop"))) {
            c.raw = inside;
            return;
        }
        if (c.name == "layout" && !inside.empty()) { // a[i][*]: the array, and its indices
            c.arguments.emplace_back();
            c.arguments.back().words.push_back(inside.front());
            c.raw.assign(inside.begin() + 1, inside.end());
            return;
        }
        if (c.name == "reduction") {
            std::size_t colon = 0;
            while (colon < inside.size() && source_.spelling(inside[colon]) != ":") ++colon;
            if (colon == inside.size() || colon == 0) return say(open, "'reduction' must have the form operation : variables");
            auto const behind = inside.begin() + static_cast<std::ptrdiff_t>(colon) + 1;
            c.raw.assign(inside.begin(), behind);
            inside.erase(inside.begin(), behind);
        }
        int depth = 0;
        if (!inside.empty()) c.arguments.emplace_back();
        for (auto const& t : inside) {
            auto const w = source_.spelling(t);
            depth += w == "(" || w == "[" || w == "{" ? 1 : w == ")" || w == "]" || w == "}" ? -1 : 0;
            if (depth == 0 && w == ",")
                c.arguments.emplace_back();
            else
                c.arguments.back().words.push_back(t);
        }
        for (auto const& a : c.arguments)
            if (!a.given()) return say(open, "an argument is missing in '" + c.name + "'; write a variable between the commas");
    }

    source const& source_;
    directive& d_;
    std::size_t at_ = 0;
};

} // namespace

bool is_compute(directive const& d) {
    return d.kind.starts_with("acc parallel") || d.kind.starts_with("acc kernels") || d.kind.starts_with("acc serial");
}

bool is_left_alone(directive const& d) {
    return is_openacc(d) && is_raw(d.kind.substr(4)) && d.clauses.empty();
}

bool has_body(directive const& d) {
    return is_compute(d) || d.kind == "acc data" || d.kind == "acc host_data" || d.kind == "acc loop";
}

std::string data_clause(std::string const& name) {
    static std::map<std::string, std::string> const all{
        {"copy", "copy"},       {"pcopy", "copy"},          {"present_or_copy", "copy"},
        {"copyin", "copyin"},   {"pcopyin", "copyin"},      {"present_or_copyin", "copyin"},
        {"copyout", "copyout"}, {"pcopyout", "copyout"},    {"present_or_copyout", "copyout"},
        {"create", "create"},   {"pcreate", "create"},      {"present_or_create", "create"},
        {"delete", "create"},   {"no_create", "no_create"}, {"present", "present"}};
    auto const found = all.find(name);
    return found == all.end() ? "" : found->second;
}

bool names_variables(std::string const& clause) {
    static words const others{"private", "firstprivate", "reduction", "deviceptr",       "attach", "detach", "use_device",
                              "self",    "host",         "device",    "device_resident", "link",   "reflect"};
    return !data_clause(clause).empty() || others.contains(clause);
}

std::optional<device_numbers> device_range(source const& s, tokens const& words) {
    if (words.size() < 3) return {};
    device_numbers n;
    n.round = words.front().is(clang::tok::l_paren);
    if (!n.round && !words.front().is(clang::tok::l_square)) return {};
    int depth = 0;
    for (std::size_t k = 0; k < words.size(); ++k) {
        auto const w = s.spelling(words[k]);
        depth += w == "(" || w == "[" ? 1 : w == ")" || w == "]" ? -1 : 0;
        if (depth == 0 && k + 1 < words.size()) return {};
        if (k == 0 || depth == 0) continue;
        if (depth == 1 && w == ":") {
            if (n.colon) return {};
            n.colon = true;
        } else {
            (n.colon ? n.upper : n.lower).push_back(words[k]);
        }
    }
    n.all = !n.colon && n.lower.size() == 1 && s.spelling(n.lower.front()) == "*";
    if (n.lower.empty() || (n.colon && n.upper.empty())) return {};
    return n;
}

void parse_openacc(source const& s, directive& d) {
    openacc_parser{s, d}.run();
}

} // namespace sode::compiler
