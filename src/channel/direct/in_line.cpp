// SPDX-License-Identifier: Apache-2.0
#include "channel/direct/in_line.hpp"

namespace sode::direct {
namespace {

buffer payload_of(std::span<edge const> edges) {
    auto const& flag = edges.front().flag;
    auto const& last = edges.back();
    return {.host = flag.host,
            .role = buffer_role::payload,
            .instances = parity::epoch,
            .ordinal = flag.index,
            .bytes = last.stage_offset + last.bytes};
}

} // namespace

void emit_put(plan_builder& b, std::uint16_t stream, std::span<edge const> edges) {
    if (edges.empty()) return;
    auto const& first = edges.front();
    auto const line = b.add(payload_of(edges));
    for (auto const& e : edges)
        b.copy(stream, operation::inline_put, line, b.add(e.from), compile(e.source_layout, contiguous(e.stage_offset, e.bytes)),
               e.target)
            .signal = &e == &edges.back() ? b.add(first.flag) : 0;
}

void emit_get(plan_builder& b, std::uint16_t stream, std::span<edge const> edges) {
    if (edges.empty()) return;
    auto const& first = edges.front();
    auto const line = b.add(payload_of(edges));
    for (auto const& e : edges)
        b.copy(stream, operation::inline_get, b.add(e.to), line, compile(contiguous(e.stage_offset, e.bytes), e.target_layout),
               e.source)
            .trigger = &e == &edges.front() ? b.add(first.flag) : 0;
}

} // namespace sode::direct
