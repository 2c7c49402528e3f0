// SPDX-License-Identifier: Apache-2.0
#include "channel/segments.hpp"

#include "cost/pipeline.hpp"
#include "layout/layout_algebra.hpp"

#include <algorithm>
#include <span>

namespace sode::internal {
namespace {

std::int64_t segment_bytes(edge_span edges) noexcept {
    std::int64_t most = 0;
    for (auto const* e : edges) most = std::max(most, e->features.segment);
    return most;
}

/// Appends the bytes at which a nest is cut, behind `begin`: the ends of its pieces of at most `most` bytes.
void cut(std::span<layout::loop const> loops, std::int64_t bytes, std::int64_t begin, std::int64_t most,
         std::vector<std::int64_t>& ends) {
    if (bytes <= most) return ends.push_back(begin + bytes);
    std::int64_t const each = loops.empty() ? 1 : bytes / loops.front().count;
    if (each > most) {
        for (std::int64_t i = 0; i < loops.front().count; ++i) cut(loops.subspan(1), each, begin + i * each, most, ends);
        return;
    }
    std::int64_t const piece = most / each * each;
    for (std::int64_t at = piece; at < bytes; at += piece) ends.push_back(begin + at);
    ends.push_back(begin + bytes);
}

std::vector<std::int64_t> ends_of(edge const& e, std::int64_t most) {
    // The end with more loops has the shorter rows; what is one row at the other end may be cut anywhere.
    auto const& l = e.target_layout.loops.size() >= e.source_layout.loops.size() ? e.target_layout : e.source_layout;
    std::vector<std::int64_t> ends;
    cut(l.is_nest() ? std::span<layout::loop const>{l.loops} : std::span<layout::loop const>{}, e.features.bytes, 0, most, ends);
    return ends;
}

} // namespace

segment_ring ring_of(edge_span edges) noexcept {
    auto const most = segment_bytes(edges);
    std::int64_t all = 0;
    for (auto const* e : edges) all += e->features.bytes;
    return {stage_room(most), std::clamp<std::int64_t>((all + most - 1) / most, 1, ring_slots)};
}

std::vector<segment> segments_of(edge_span edges) {
    auto const most = segment_bytes(edges);
    std::vector<segment> all;
    for (auto const* e : edges) {
        std::int64_t begin = 0;
        for (auto const end : ends_of(*e, most)) {
            if (all.empty() || all.back().bytes + end - begin > most) all.emplace_back();
            auto& s = all.back();
            s.parts.push_back({e, slice(e->source_layout, begin, end), slice(e->target_layout, begin, end), end - begin});
            s.bytes += end - begin;
            begin = end;
        }
    }
    return all;
}

descriptor& pack(plan_builder& b, std::uint32_t stream, segment const& s, std::uint32_t place, std::int64_t at) {
    descriptor* last = nullptr;
    for (auto const& part : s.parts) {
        auto const array = b.add(part.whole->from);
        last = &b.copy(stream, operation::pack, place, array, compile(part.source, contiguous(at, part.bytes)));
        at += part.bytes;
    }
    return *last;
}

descriptor& unpack(plan_builder& b, std::uint32_t stream, segment const& s, std::uint32_t place, std::int64_t at, int peer) {
    descriptor* last = nullptr;
    for (auto const& part : s.parts) {
        auto const array = b.add(part.whole->to);
        last = &b.copy(stream, operation::unpack, array, place, compile(contiguous(at, part.bytes), part.target), peer);
        at += part.bytes;
    }
    return *last;
}

} // namespace sode::internal
