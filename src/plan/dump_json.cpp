// SPDX-License-Identifier: Apache-2.0
#include "layout/copy_rows.hpp"
#include "plan/describe.hpp"
#include "plan/dump_formats.hpp"

#include <nlohmann/json.hpp>

namespace sode::internal {
namespace {

using json = nlohmann::ordered_json;

json to_json(layout const& l) {
    json j = {{"offset", l.offset}, {"block", l.block}};
    for (auto const& p : l.list) j["list"].push_back({p.offset, p.bytes});
    for (layout const& p : l.parts) j["parts"].push_back(to_json(p));
    for (auto const& loop : l.loops) j["loops"].push_back({{"count", loop.count}, {"stride", loop.stride}});
    return j;
}

json to_json(copy_program const& p) {
    json j = {{"bytes", p.bytes}, {"src_offset", p.src_offset}, {"dst_offset", p.dst_offset}};
    if (is_list(p))
        for_each_entry(p, [&](index_t src, index_t dst, index_t bytes) { j["segments"].push_back({src, dst, bytes}); });
    else
        j["block"] = p.block;
    for (std::size_t l = 0; l < p.loop_count; ++l) {
        auto const& loop = p.loops[l];
        j["loops"].push_back({{"count", loop.count}, {"src_stride", loop.src_stride}, {"dst_stride", loop.dst_stride}});
    }
    if (p.twin) j["twin"] = {{"src", p.twin_src}, {"dst", p.twin_dst}};
    return j;
}

json to_json(buffer const& b) {
    return {{"host", b.host},           {"role", to_string(b.role)}, {"instances", to_string(b.instances)},
            {"slots", instances_of(b)}, {"group", b.group},          {"ordinal", b.ordinal},
            {"offset", b.offset},       {"bytes", b.bytes},          {"memory", to_string(b.memory)}};
}

json to_json(counter const& c) {
    return {{"host", c.host},
            {"writer", c.writer},
            {"index", c.index},
            {"kind", to_string(c.kind)},
            {"instances", to_string(c.instances)},
            {"slots", instances_of(c)},
            {"step", c.step},
            {"memory", to_string(c.memory)}};
}

json to_json(stride const& s) {
    return {{"bytes", s.bytes}, {"slots", s.slots}, {"phase", s.phase}};
}

json to_json(loop_strides const& s) {
    return {{"src", to_json(s.src)},    {"dst", to_json(s.dst)}, {"operand", to_json(s.operand)},
            {"threshold", s.threshold}, {"value", s.value},      {"outer", s.outer}};
}

json to_json(stream const& s) {
    return {
        {"first", s.first},   {"peer", s.peer}, {"executor", {{"kind", to_string(s.runs_on.kind)}, {"number", s.runs_on.number}}},
        {"choice", s.choice}, {"way", s.way},   {"nic", s.nic}};
}

json to_json(plan_choice const& c) {
    return {{"key", c.key}, {"ways", c.ways}};
}

json to_json(descriptor const& d, std::uint32_t stream) {
    return {{"op", to_string(d.op)},
            {"stream", stream},
            {"trigger", d.trigger},
            {"threshold", d.threshold},
            {"signal", d.signal},
            {"value", d.value},
            {"program", d.program},
            {"src", d.src},
            {"src_offset", d.src_offset},
            {"dst", d.dst},
            {"dst_offset", d.dst_offset},
            {"argument", d.argument},
            {"peer", d.peer},
            {"strides", d.strides},
            {"operand", d.operand}};
}

json to_json(delivery const& d) {
    return {{"source_rank", d.source_rank},   {"source_array", d.source_array}, {"source", to_json(d.source)},
            {"target_array", d.target_array}, {"target", to_json(d.target)},    {"negated", d.negated},
            {"constant", d.constant},         {"combiner", d.combiner}};
}

json to_json(operand const& o) {
    return {{"buffer", o.buffer}, {"offset", o.offset}};
}

// A name may be in any encoding.
json to_json(user_operator const& o) {
    return {{"name", o.name}, {"element_bytes", o.element_bytes}, {"commutes", o.commutes}};
}

json to_json(call_site const& c) {
    return {{"array", c.array}, {"reads", to_json(c.reads)}, {"writes", to_json(c.writes)}};
}

// Bytes: what they mean is the arrays' affair.
json to_json(std::byte b) {
    return static_cast<unsigned>(b);
}

json to_json(borrowed const& b) {
    return {{"array", b.array}, {"bytes", to_json(b.bytes)}};
}

json to_json(expense const& e) {
    return {{"source", e.source}, {"target", e.target}, {"link", e.link}, {"latency", e.latency}, {"beside", e.beside}};
}

json to_json(edge_note const& n) {
    json direction = json::array();
    for (std::size_t d = 0; d < n.dims; ++d) direction.push_back(n.direction[d]);
    return {{"peer", n.peer},
            {"direction", direction},
            {"field", n.field},
            {"pattern", to_string(n.kind)},
            {"rows", n.rows},
            {"row_bytes", n.row_bytes},
            {"chosen", n.chosen},
            {"expected_us", n.expected.microseconds()},
            {"expected_ns", to_json(n.expected)},
            {"runner_up", n.runner_up},
            {"runner_up_us", n.instead.microseconds()},
            {"forced", n.forced},
            {"outside", n.outside}};
}

template <class Entry> json to_array(std::vector<Entry> const& table) {
    json j = json::array();
    for (auto const& e : table) j.push_back(to_json(e));
    return j;
}

json to_json(own_part const& o) {
    return {{"lines", o.lines}, {"stage", o.stage}, {"scratch", o.scratch}};
}

json descriptors_of(plan const& p) {
    json j = json::array();
    auto const streams = streams_of(p);
    for (std::size_t i = 0; i < streams.size(); ++i) j.push_back(to_json(p.descriptors[i], streams[i]));
    return j;
}

} // namespace

std::string dump_json(plan const& p) {
    json const j = {{"name", p.name},
                    {"rank", p.rank},
                    {"ranks", p.ranks},
                    {"own_lines", p.own_lines},
                    {"own_stage", p.own_stage},
                    {"own_scratch", p.own_scratch},
                    {"own_pinned", to_json(p.own_pinned)},
                    {"own_device", to_json(p.own_device)},
                    {"groups", p.groups},
                    {"alternates", p.alternates},
                    {"buffers", to_array(p.buffers)},
                    {"counters", to_array(p.counters)},
                    {"programs", to_array(p.programs)},
                    {"strides", to_array(p.strides)},
                    {"streams", to_array(p.streams)},
                    {"choices", to_array(p.choices)},
                    {"descriptors", descriptors_of(p)},
                    {"deliveries", to_array(p.deliveries)},
                    {"loans", to_array(p.loans)},
                    {"calls", to_array(p.calls)},
                    {"operands", to_array(p.operands)},
                    {"operators", to_array(p.operators)},
                    {"constants", to_array(p.constants)},
                    {"notes", to_array(p.notes)}};
    // Names are the user's, in whatever encoding; JSON is UTF-8.
    return j.dump(1, ' ', false, json::error_handler_t::replace);
}

} // namespace sode::internal
