// SPDX-License-Identifier: Apache-2.0
#include "plan/describe.hpp"

#include <fmt/format.h>

namespace sode {
namespace {

std::string term(std::int64_t factor, std::string_view unit) {
    if (factor == 0) return "";
    std::string const sign = factor < 0 ? " - " : " + ";
    auto const size = factor < 0 ? -factor : factor;
    return unit.empty() ? sign + std::to_string(size) : sign + (size == 1 ? "" : std::to_string(size)) + std::string{unit};
}

std::string place(buffer const& b, std::int64_t offset, std::int64_t per_iteration) {
    return describe(b) + term(offset, "") + term(per_iteration, "i");
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

std::string epochs(std::int64_t step, std::int64_t constant, std::int64_t per_iteration) {
    auto const text = term(step, "e") + term(constant, "") + term(per_iteration, "i");
    if (text.empty()) return "0";
    return text[1] == '-' ? "-" + text.substr(3) : text.substr(3);
}

std::string describe(buffer const& b) {
    switch (b.role) {
    case buffer_role::array: return fmt::format("array {} of rank {}", b.ordinal, b.host) + term(b.offset, "");
    case buffer_role::stage: return fmt::format("stage of rank {}", b.host) + term(b.offset, "");
    case buffer_role::payload: return fmt::format("payload {} of rank {}", b.ordinal, b.host);
    case buffer_role::constant: return "constant" + term(b.offset, "");
    case buffer_role::scratch: break;
    }
    return "scratch" + term(b.offset, "");
}

std::string describe(counter const& c) {
    return fmt::format("{} {}{} of rank {}", to_string(c.kind), c.index,
                       c.instances == parity::epoch ? "/" + std::to_string(c.index + 1) : "", c.host);
}

std::string describe(plan const& p, descriptor const& d, descriptor const* loop) {
    std::string text{to_string(d.op)};
    if (d.op == operation::loop) return text + fmt::format(" {} times", d.argument);
    if (moves_data(d.op))
        text += fmt::format(" {} B: {} <- {}", p.programs[d.program].bytes,
                            place(p.buffers[d.dst], d.dst_offset, loop ? step_of(*loop, d).dst : 0),
                            place(p.buffers[d.src], d.src_offset, loop ? step_of(*loop, d).src : 0));
    if (d.op == operation::call && d.argument < p.calls.size())
        text +=
            fmt::format(" {}: {} B of {}, of {} B", d.argument, p.calls[d.argument].writes.bytes(),
                        place(p.buffers[d.dst], d.dst_offset, loop ? step_of(*loop, d).dst : 0), p.calls[d.argument].reads.bytes());
    if (d.trigger != 0) {
        auto const& c = p.counters[d.trigger];
        text += fmt::format(", when {} >= {}", describe(c), epochs(c.step, d.threshold, loop ? loop->threshold : 0));
    }
    if (d.signal != 0) {
        auto const& c = p.counters[d.signal];
        bool const flag = c.kind == counter_kind::flag;
        text += fmt::format(", then {} {} {}", describe(c),
                            flag ? "=" : "+=", epochs(flag ? c.step : 0, d.value, loop ? loop->value : 0));
    }
    return text;
}

std::string direction_of(edge_note const& n) {
    std::string text;
    for (std::size_t d = 0; d < n.dims; ++d) {
        if (d > 0) text += ' ';
        text += n.direction[d] < 0 ? '-' : n.direction[d] > 0 ? '+' : '.';
    }
    return text;
}

descriptor const* loop_around(plan const& p, std::size_t at) {
    for (std::size_t i = at; i-- > 0 && p.descriptors[i].stream == p.descriptors[at].stream;) {
        if (p.descriptors[i].op == operation::end_loop) return nullptr;
        if (p.descriptors[i].op == operation::loop) return &p.descriptors[i];
    }
    return nullptr;
}

} // namespace sode
