// SPDX-License-Identifier: Apache-2.0
#include "channel/moves.hpp"
#include "channel/ways.hpp"

#include <algorithm>

namespace sode::internal {
namespace {

// The part of the stage that the edges use.
struct window {
    std::int64_t first = 0;
    std::int64_t bytes = 0;
};
window window_of(edge_span edges) {
    window w{edges.front()->place, 0};
    for (auto const* e : edges) {
        w.first = std::min(w.first, e->place);
        w.bytes = std::max(w.bytes, e->place + e->features.bytes);
    }
    w.bytes -= w.first;
    return w;
}

/// A stage through private buffers on both sides. Element-wise access to a line that a far core owns costs its latency; a wide copy
/// gets the prefetcher. So only wide copies cross (research: 1.6-3 times faster far, up to 25 % slower near). Which of the two
/// copies a side makes is its own affair: the bytes in the stage are those of way "stage".
class stage_wide_way final : public way { // NOLINT(cppcoreguidelines-virtual-class-destructor)
public:
    constexpr stage_wide_way() noexcept : way("stage-wide", found_in::stage) {}

    [[nodiscard]] bool can(edge_features const& e) const noexcept override {
        return !e.on_device && e.apart != distance::other_machine;
    }
    [[nodiscard]] expense cost(edge_features const& e, profile const& p) const noexcept override {
        auto const& c = p.of(e.apart).memory;
        auto const bytes = static_cast<double>(e.bytes);
        double const packed = edge_cost::gather(e, p) + bytes * edge_cost::local_byte(e, p);
        return {.source = packed, .target = packed + bytes * c.stream_byte, .latency = c.flag};
    }

    void give(way_site const& s, edge_span edges) const override {
        auto const w = window_of(edges);
        auto const stage = s.build.add(stage_of(edges.front()->source, s.own_stage));
        auto const packed = private_place(s.build, w.bytes);
        gather(s.build, s.stream, edges, packed, w.first);
        s.build.copy(s.stream, operation::copy, stage, s.build.add(packed),
                     compile(contiguous(0, w.bytes), contiguous(w.first, w.bytes)));
    }
    void take(way_site const& s, edge_span edges) const override {
        int const peer = edges.front()->source;
        auto const w = window_of(edges);
        auto const stage = s.build.add(stage_of(peer, s.peer_stage));
        auto const packed = private_place(s.build, w.bytes);
        s.build.copy(s.stream, operation::copy, s.build.add(packed), stage,
                     compile(contiguous(w.first, w.bytes), contiguous(0, w.bytes)), peer);
        scatter(s.build, s.stream, edges, packed, peer, w.first);
    }
};

constinit stage_wide_way const stage_wide_object;

} // namespace

namespace ways {
way const& stage_wide = stage_wide_object;
}

} // namespace sode::internal
