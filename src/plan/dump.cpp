// SPDX-License-Identifier: Apache-2.0
#include "plan/dump.hpp"

#include "plan/describe.hpp"
#include "plan/dump_formats.hpp"

#include <sode/error.hpp>

#include <fmt/format.h>

namespace sode::internal {

std::string dump_text(plan const& p) {
    auto text = fmt::format("{}: rank {} of {}, {} streams, {} descriptors, {} counter lines, {} B stage, {} B scratch{}\n", p.name,
                            p.rank, p.ranks, p.streams.size(), p.descriptors.size(), p.own_lines, p.own_stage, p.own_scratch,
                            p.alternates ? ", halves must alternate" : "");
    for (std::size_t s = 0; s < p.streams.size(); ++s) {
        text += fmt::format("stream {}{}\n", s, describe(p.streams[s]));
        std::size_t indent = 0;
        for (std::size_t i = p.streams[s].first; i < p.descriptors.size(); ++i) {
            auto const& d = p.descriptors[i];
            if (d.op == operation::end_loop && indent > 0) indent -= 2;
            text += fmt::format("  {:4}  {:{}}{}\n", i, "", indent, describe(p, d));
            if (d.op == operation::loop) indent += 2;
            if (d.op == operation::end) break;
        }
    }
    return text;
}

dump_format dump_format_of(std::string_view name) {
    if (name == "text") return dump_format::text;
    if (name == "json") return dump_format::json;
    if (name == "dot") return dump_format::dot;
    if (name == "goal") return dump_format::goal;
    throw error{error_kind::usage, fmt::format("cannot dump a plan as \"{}\"", name), "there are four formats",
                "use text, json, dot or goal"};
}

std::string dump(plan const& p, dump_format format) {
    switch (format) {
    case dump_format::text: return dump_text(p);
    case dump_format::json: return dump_json(p);
    case dump_format::dot: return dump_dot({&p, 1});
    case dump_format::goal: return dump_goal({&p, 1});
    }
    return {};
}

std::string dump(std::span<plan const> plans, dump_format format) {
    if (format == dump_format::dot) return dump_dot(plans);
    if (format == dump_format::goal) return dump_goal(plans);
    bool const json = format == dump_format::json;
    std::string text = json ? "[" : "";
    for (std::size_t i = 0; i < plans.size(); ++i) {
        if (i > 0) text += json ? ",\n" : "\n";
        text += dump(plans[i], format);
    }
    return json ? text + "]" : text;
}

} // namespace sode::internal
