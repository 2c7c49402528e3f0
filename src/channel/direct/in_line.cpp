// SPDX-License-Identifier: Apache-2.0
#include "channel/direct/in_line.hpp"

namespace sode::direct {
namespace {

buffer payload_of(int source, std::uint32_t line) {
    return {.host = source, .role = buffer_role::payload, .instances = parity::epoch, .ordinal = line, .bytes = payload_bytes};
}

} // namespace

counter in_line_flag(int source, std::uint32_t line) {
    return {.host = source, .writer = source, .index = line, .kind = counter_kind::flag, .instances = parity::epoch, .step = 1};
}

void emit_put(plan_builder& b, std::uint16_t stream, std::span<edge const> edges) {
    if (edges.empty()) return;
    auto const& first = edges.front();
    auto const line = b.add(payload_of(first.source, first.line));
    for (auto const& e : edges)
        b.copy(stream, operation::inline_put, line, b.add(e.from), compile(e.source_layout, contiguous(e.stage_offset, e.bytes)), e.target)
            .signal = &e == &edges.back() ? b.add(in_line_flag(first.source, first.line)) : 0;
}

void emit_get(plan_builder& b, std::uint16_t stream, std::span<edge const> edges) {
    if (edges.empty()) return;
    auto const& first = edges.front();
    auto const line = b.add(payload_of(first.source, first.line));
    for (auto const& e : edges)
        b.copy(stream, operation::inline_get, b.add(e.to), line, compile(contiguous(e.stage_offset, e.bytes), e.target_layout), e.source)
            .trigger = &e == &edges.front() ? b.add(in_line_flag(first.source, first.line)) : 0;
}

} // namespace sode::direct
