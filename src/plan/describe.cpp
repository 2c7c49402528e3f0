// SPDX-License-Identifier: Apache-2.0
#include "plan/describe.hpp"

#include "plan/combiners.hpp"

#include <fmt/format.h>

#include <cstdlib>

namespace sode::internal {
namespace {

std::string term(std::int64_t factor, std::string_view unit) {
    if (factor == 0) return "";
    std::string const sign = factor < 0 ? " - " : " + ";
    auto const size = factor < 0 ? -factor : factor;
    return unit.empty() ? sign + std::to_string(size) : sign + (size == 1 ? "" : std::to_string(size)) + std::string{unit};
}

/// Calls f(strides, name of the iteration) for each loop that moves the descriptor, innermost first.
template <class F> void for_each_loop(plan const& p, descriptor const& d, F f) {
    constexpr std::string_view names = "ijklmnop";
    static_assert(names.size() == most_loops);
    std::size_t level = 0;
    for (auto index = d.strides; index != 0 && index < p.strides.size() && level < names.size(); index = p.strides[index].outer)
        f(p.strides[index], names.substr(level++, 1));
}

std::string term(stride const& s, std::string_view iteration) {
    if (s.slots == 0) return term(s.bytes, iteration);
    return term(s.bytes, s.phase == 0 ? fmt::format("({} mod {})", iteration, s.slots)
                                      : fmt::format("(({} + {}) mod {})", iteration, s.phase, s.slots));
}

std::string place(plan const& p, descriptor const& d, std::uint32_t buffer, std::int64_t offset, stride loop_strides::*side) {
    auto text = describe(p.buffers[buffer]) + term(offset, "");
    for_each_loop(p, d, [&](loop_strides const& s, std::string_view iteration) { text += term(s.*side, iteration); });
    return text;
}

std::string number(plan const& p, descriptor const& d, std::int64_t step, std::int64_t constant,
                   std::int32_t loop_strides::*field) {
    auto text = term(step, "e") + term(constant, "");
    for_each_loop(p, d, [&](loop_strides const& s, std::string_view iteration) { text += term(s.*field, iteration); });
    if (text.empty()) return "0";
    return text[1] == '-' ? "-" + text.substr(3) : text.substr(3);
}

/// The lines of all instances: "3", "3/4", "3 to 6".
template <class Entry> std::string line_numbers(Entry const& e, std::uint32_t first) {
    auto const n = instances_of(e);
    return n < 2 ? fmt::format("{}", first) : fmt::format("{}{}{}", first, n == 2 ? "/" : " to ", std::uint64_t{first} + n - 1);
}

std::string said_slots(buffer const& b) {
    return b.instances == parity::epoch && b.slots != 2 ? fmt::format(" ({} slots)", b.slots) : "";
}

} // namespace

std::string_view to_string(parity p) {
    switch (p) {
    case parity::none: return "none";
    case parity::epoch: return "epoch";
    case parity::array: return "array";
    }
    return "unknown";
}

std::string_view to_string(buffer_role r) {
    switch (r) {
    case buffer_role::array: return "array";
    case buffer_role::stage: return "stage";
    case buffer_role::payload: return "payload";
    case buffer_role::scratch: return "scratch";
    case buffer_role::constant: return "constant";
    }
    return "unknown";
}

std::string_view to_string(counter_kind k) {
    return k == counter_kind::flag ? "flag" : "sum";
}

namespace {

std::string without_kind(buffer const& b) {
    switch (b.role) {
    case buffer_role::array: return fmt::format("array {} of rank {}", b.ordinal, b.host) + term(b.offset, "");
    case buffer_role::stage: return fmt::format("stage of rank {}", b.host) + term(b.offset, "") + said_slots(b);
    case buffer_role::payload: return fmt::format("payload {} of rank {}", line_numbers(b, b.ordinal), b.host);
    case buffer_role::constant: return "constant" + term(b.offset, "");
    case buffer_role::scratch: break;
    }
    return "scratch" + term(b.offset, "") + said_slots(b);
}

std::string said_kind(memory_kind kind) {
    return kind == memory_kind::host ? "" : fmt::format(" ({})", to_string(kind));
}

} // namespace

std::string describe(buffer const& b) {
    return without_kind(b) + said_kind(b.memory);
}

std::string describe(counter const& c) {
    return fmt::format("{} {} of rank {}{}", to_string(c.kind), line_numbers(c, c.index), c.host, said_kind(c.memory));
}

std::string describe(plan const& p, descriptor const& d) {
    std::string text{to_string(d.op)};
    if (d.op == operation::loop) return text + fmt::format(" {} times", d.argument);
    auto const target = [&] { return place(p, d, d.dst, d.dst_offset, &loop_strides::dst); };
    if (moves_data(d.op)) {
        text += fmt::format(" {} B", p.programs[d.program].bytes);
        if (d.op == operation::reduce) text += fmt::format(" by {}", describe_combiner(p, d.argument));
        text += fmt::format(": {} <- ", target());
        if (d.operand != 0 && d.operand < p.operands.size()) {
            auto const& first = p.operands[d.operand];
            text += place(p, d, first.buffer, first.offset, &loop_strides::operand) + ", ";
        }
        text += place(p, d, d.src, d.src_offset, &loop_strides::src);
    }
    if (d.op == operation::landing)
        text += fmt::format(" {} B: {}", p.programs[d.program].bytes, place(p, d, d.src, d.src_offset, &loop_strides::src));
    if (is_put(d.op)) text += fmt::format(" ({} {} of rank {})", d.op == operation::put ? "landing" : "put", d.argument, d.peer);
    if (d.op == operation::call && d.argument < p.calls.size())
        text += fmt::format(" {}: {} B of {}, of {} B", d.argument, p.calls[d.argument].writes.bytes(), target(),
                            p.calls[d.argument].reads.bytes());
    if (d.trigger != 0) {
        auto const& c = p.counters[d.trigger];
        text += fmt::format(", when {} >= {}", describe(c), number(p, d, c.step, d.threshold, &loop_strides::threshold));
    }
    if (d.signal != 0) {
        auto const& c = p.counters[d.signal];
        bool const flag = c.kind == counter_kind::flag;
        text += fmt::format(", then {} {} {}", describe(c),
                            flag ? "=" : "+=", number(p, d, flag ? c.step : 0, d.value, &loop_strides::value));
    }
    return text;
}

std::string describe(stream const& s) {
    std::string text;
    if (s.peer >= 0) text = fmt::format("rank {}", s.peer);
    if (s.nic != 0) text += fmt::format("{}interface {}", text.empty() ? "" : ", ", s.nic);
    if (s.runs_on != executor{}) text += (text.empty() ? "" : ", ") + describe(s.runs_on);
    if (s.choice != 0) text += fmt::format("{}way {} of choice {}", text.empty() ? "" : ", ", s.way, s.choice);
    return text.empty() ? text : " (" + text + ")";
}

std::string direction_of(edge_note const& n) {
    std::string text;
    for (std::size_t d = 0; d < n.dims; ++d) {
        if (d > 0) text += ' ';
        text += n.direction[d] < 0 ? '-' : n.direction[d] > 0 ? '+' : '.';
        if (int const blocks = std::abs(n.direction[d]); blocks > 1) text += std::to_string(blocks);
    }
    return text;
}

} // namespace sode::internal
