// SPDX-License-Identifier: Apache-2.0
#include "plan/describe.hpp"
#include "plan/dump_formats.hpp"

#include <fmt/format.h>

#include <map>
#include <tuple>

namespace sode::internal {
namespace {

using line = std::tuple<std::int32_t, std::uint32_t>; // host and index
line line_of(counter const& c) {
    return {c.host, c.index};
}

std::string quoted(std::string_view text) {
    std::string result = "\"";
    for (char c : text) {
        if (c == '"' || c == '\\') result += '\\';
        result += c;
    }
    return result + '"';
}

std::string node(plan const& p, std::size_t i) {
    return fmt::format("r{}d{}", p.rank, i);
}

// Colours of the cost: what moves bytes, what waits, what tells.
std::string_view fill_of(descriptor const& d) {
    switch (d.op) {
    case operation::wait:
    case operation::credit: return "#fde2c8";
    case operation::signal: return "#d6ecd2";
    case operation::end:
    case operation::loop:
    case operation::end_loop: return "#eeeeee";
    default: return "#d5e3f3";
    }
}

void draw_stream(plan const& p, std::size_t s, std::string& text) {
    text += fmt::format("    subgraph cluster_r{}s{} {{\n      label={}\n", p.rank, s,
                        quoted(fmt::format("stream {}{}", s, describe(p.streams[s]))));
    for (std::size_t i = p.streams[s].first; i < p.descriptors.size(); ++i) {
        auto const& d = p.descriptors[i];
        auto label = describe(p, d);
        for (auto at = label.find(", "); at != std::string::npos; at = label.find(", ", at)) label.replace(at, 2, "\n");
        text += fmt::format("      {} [label={} fillcolor=\"{}\"]\n", node(p, i), quoted(label), fill_of(d));
        if (i > p.streams[s].first) text += fmt::format("      {} -> {} [color=\"#999999\"]\n", node(p, i - 1), node(p, i));
        if (d.op == operation::end) break;
    }
    text += "    }\n";
}

} // namespace

std::string dump_dot(std::span<plan const> plans) {
    std::string text = "digraph plan {\n  node [shape=box style=filled fontname=\"sans-serif\" fontsize=10]\n  compound=true\n";
    std::multimap<line, std::string> signallers;
    for (auto const& p : plans) {
        text +=
            fmt::format("  subgraph cluster_r{} {{\n    label={}\n", p.rank, quoted(fmt::format("{}: rank {}", p.name, p.rank)));
        for (std::size_t s = 0; s < p.streams.size(); ++s) draw_stream(p, s, text);
        text += "  }\n";
        for (std::size_t i = 0; i < p.descriptors.size(); ++i)
            if (auto const c = p.descriptors[i].signal; c != 0) signallers.emplace(line_of(p.counters[c]), node(p, i));
    }
    for (auto const& p : plans)
        for (std::size_t i = 0; i < p.descriptors.size(); ++i) {
            auto const c = p.descriptors[i].trigger;
            if (c == 0) continue;
            auto const& k = p.counters[c];
            auto const style = k.kind == counter_kind::flag ? "solid" : "dashed";
            auto const [first, last] = signallers.equal_range(line_of(k));
            for (auto from = first; from != last; ++from)
                text += fmt::format("  {} -> {} [style={} constraint=false color=\"#1f5fa8\"]\n", from->second, node(p, i), style);
            if (first != last) continue;
            // Nobody among the plans given signals it: a rank that is not drawn does.
            auto const outside = fmt::format("outside_{}_{}", k.host, k.index);
            text += fmt::format("  {} [shape=plaintext style=\"\" label={}]\n", outside, quoted(describe(k)));
            text += fmt::format("  {} -> {} [style={} color=\"#1f5fa8\"]\n", outside, node(p, i), style);
        }
    return text + "}\n";
}

} // namespace sode::internal
