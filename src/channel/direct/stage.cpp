// SPDX-License-Identifier: Apache-2.0
#include "channel/direct/stage.hpp"

#include "channel/twins.hpp"

#include <algorithm>

namespace sode::direct {
namespace {

// The part of the stage that the edges use.
struct window {
    std::int64_t first = 0;
    std::int64_t bytes = 0;
};
window window_of(std::span<edge const> edges) {
    window w{edges.front().stage_offset, 0};
    for (auto const& e : edges) {
        w.first = std::min(w.first, e.stage_offset);
        w.bytes = std::max(w.bytes, e.stage_offset + e.bytes);
    }
    w.bytes -= w.first;
    return w;
}
} // namespace

void emit_pack(plan_builder& b, std::uint16_t stream, std::span<edge const> edges, std::int64_t stage_bytes) {
    if (edges.empty()) return;
    bool const wide = edges.front().how == method::stage_wide;
    auto const w = window_of(edges);
    auto const stage = b.add(stage_of(edges.front().source, stage_bytes));
    auto const target = wide ? b.add(private_place(b, w.bytes)) : stage;
    std::int64_t const moved_by = wide ? -w.first : 0;
    std::vector<array_copy> list;
    for (auto const& e : edges) list.push_back({compile(e.source_layout, contiguous(e.stage_offset + moved_by, e.bytes)), e.from});
    for (auto& h : with_twins_fused(std::move(list))) b.copy(stream, operation::pack, target, b.add(h.array), std::move(h.program));
    if (wide) b.copy(stream, operation::copy, stage, target, compile(contiguous(0, w.bytes), contiguous(w.first, w.bytes)));
}

void emit_unpack(plan_builder& b, std::uint16_t stream, std::span<edge const> edges, std::int64_t stage_bytes) {
    if (edges.empty()) return;
    int const peer = edges.front().source;
    bool const wide = edges.front().how == method::stage_wide;
    auto const w = window_of(edges);
    auto const stage = b.add(stage_of(peer, stage_bytes));
    auto const source = wide ? b.add(private_place(b, w.bytes)) : stage;
    std::int64_t const moved_by = wide ? -w.first : 0;
    if (wide) b.copy(stream, operation::copy, source, stage, compile(contiguous(w.first, w.bytes), contiguous(0, w.bytes)), peer);
    std::vector<array_copy> list;
    for (auto const& e : edges) list.push_back({compile(contiguous(e.stage_offset + moved_by, e.bytes), e.target_layout), e.to});
    for (auto& h : with_twins_fused(std::move(list)))
        b.copy(stream, operation::unpack, b.add(h.array), source, std::move(h.program), peer);
}

} // namespace sode::direct
