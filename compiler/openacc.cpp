// SPDX-License-Identifier: Apache-2.0
// The words of OpenACC's directives: which clauses there are, and what stands in their brackets.
#include "openacc.hpp"

#include "parser.hpp"

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
                                               "if", "reduction", "private", "firstprivate", "default"});
    static words const loop{"collapse", "gang", "worker",      "vector", "seq",     "independent",
                            "auto",     "tile", "device_type", "dtype",  "private", "reduction"};
    static std::map<std::string, words> const all{
        {"parallel", compute},
        {"kernels", compute},
        {"serial", compute},
        {"parallel loop", joined(compute, loop)},
        {"kernels loop", joined(compute, loop)},
        {"serial loop", joined(compute, loop)},
        {"data", joined(data, {"if", "default"})},
        {"enter data",
         {"if", "async", "wait", "copyin", "create", "attach", "pcopyin", "pcreate", "present_or_copyin", "present_or_create"}},
        {"exit data", {"if", "async", "wait", "copyout", "delete", "detach", "finalize"}},
        {"host_data", {"use_device", "if", "if_present"}},
        {"loop", loop},
        {"update", {"async", "wait", "device_type", "dtype", "if", "if_present", "self", "host", "device"}},
        {"declare", {"copy", "copyin", "copyout", "create", "present", "deviceptr", "device_resident", "link"}},
        {"barrier_device", {}},
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

// What XcalableACC adds for several devices of one node.
bool is_of_device_sets(std::string const& word) {
    return word == "devices" || word == "on_device" || word == "layout" || word == "shadow" || word == "reflect";
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
        if (is_of_device_sets(kind)) return device_sets(first);
        if (found == clauses_of().end())
            return say(first,
                       kind.empty() ? "a directive of OpenACC is missing" : "unknown directive 'acc " + kind + "'" + nearest(kind));
        if (is_raw(kind)) return;
        while (!d_.wrong && at_ < d_.words.size()) clause(found->second);
    }

private:
    [[nodiscard]] std::string word() const { return at_ < d_.words.size() ? source_.spelling(d_.words[at_]) : ""; }
    void say(std::size_t at, std::string const& message) {
        source_.error(d_, at < d_.words.size() ? d_.words[at].getLocation() : d_.end, message);
    }
    void device_sets(std::size_t at) {
        say(at, "'" + source_.spelling(d_.words[at]) +
                    "' is about several devices of one node, and sode cc gives each node one; run a node for each device");
    }
    static std::string nearest(std::string const& kind) {
        for (auto const& [name, clauses] : clauses_of())
            if (parser::close<std::map<std::string, words>>(kind, name)) return "; did you mean 'acc " + name + "'?";
        return "";
    }
    static std::string nearest(std::string const& word, words const& known) {
        for (auto const& name : known)
            if (parser::close<std::map<std::string, words>>(word, name)) return "; did you mean '" + name + "'?";
        return "";
    }

    void clause(words const& known) {
        if (word() == ",") ++at_;
        auto const where = at_;
        auto const name = word();
        if (is_of_device_sets(name) && !known.contains(name)) return device_sets(where);
        if (!known.contains(name)) return say(where, "unknown clause '" + name + "' of '" + d_.kind + "'" + nearest(name, known));
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
            return say(where, "'" + name + "' needs something in brackets");
        d_.clauses.push_back(std::move(c));
    }

    void list(openacc_clause& c) {
        auto const open = at_++;
        tokens inside;
        for (int depth = 1;; ++at_) {
            if (at_ == d_.words.size()) return say(open, "missing ')' in '" + d_.kind + "'");
            auto const w = word();
            if (w == "(" || w == "[" || w == "{") ++depth;
            if ((w == ")" || w == "]" || w == "}") && --depth == 0) break;
            inside.push_back(d_.words[at_]);
        }
        ++at_;
        static words const raw{"gang", "worker", "vector", "tile", "device_type", "dtype", "default"};
        if (raw.contains(c.name)) {
            c.raw = inside;
            return;
        }
        if (c.name == "reduction") {
            std::size_t colon = 0;
            while (colon < inside.size() && source_.spelling(inside[colon]) != ":") ++colon;
            if (colon == inside.size() || colon == 0) return say(open, "'reduction' has the form operation : variables");
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
            if (!a.given()) return say(open, "something is missing in '" + c.name + "'");
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
    return is_openacc(d) && is_raw(d.kind.substr(4));
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
    static words const others{"private",    "firstprivate", "reduction", "deviceptr", "attach",          "detach",
                              "use_device", "self",         "host",      "device",    "device_resident", "link"};
    return !data_clause(clause).empty() || others.contains(clause);
}

void parse_openacc(source const& s, directive& d) {
    openacc_parser{s, d}.run();
}

} // namespace sode::compiler
