// SPDX-License-Identifier: Apache-2.0
#include "channel/device_costs.hpp"
#include "channel/ways.hpp"

namespace sode::internal {
namespace {

/// As device-stage, but in segments through a ring: while the target's device unpacks one, the source's packs the next. So both
/// directions of the bus work, and large faces need no pinned memory of their size.
class device_segments_way final : public way { // NOLINT(cppcoreguidelines-virtual-class-destructor)
public:
    constexpr device_segments_way() noexcept : way("device-segments", found_in::ring) {}

    [[nodiscard]] bool can(edge_features const& e) const noexcept override {
        return e.on_device && e.segment > 0 && e.apart != distance::other_machine;
    }
    [[nodiscard]] expense cost(edge_features const& e, profile const& p) const noexcept override {
        return device_cost::in_segments(e, p);
    }
    [[nodiscard]] way const* instead(edge_features const& e) const noexcept override {
        return e.apart == distance::other_machine ? nullptr : &ways::device_stage;
    }

    void give(way_site const& s, edge_span edges) const override {
        auto& b = s.build;
        auto const all = segments_of(edges);
        auto const ring = ring_of(edges);
        auto const place = b.add(s.ring.memory), filled = b.add(s.ring.filled), taken = b.add(s.ring.taken);
        auto const n = static_cast<std::int64_t>(all.size());
        for (std::int64_t k = 0; k < n; ++k) {
            auto& free = b.emit(s.stream, operation::credit);
            free.trigger = taken;
            free.threshold = counted(k - ring.since_last_use(k, n), n);
            free.peer = edges.front()->target;
            auto& last = pack(b, s.stream, all[static_cast<std::size_t>(k)], place, ring.slot_of(k) * ring.slot_bytes);
            last.signal = filled;
            last.value = counted(k, n);
        }
    }
    void take(way_site const& s, edge_span edges) const override {
        auto& b = s.build;
        auto const all = segments_of(edges);
        auto const ring = ring_of(edges);
        auto const place = b.add(s.ring.memory), filled = b.add(s.ring.filled), taken = b.add(s.ring.taken);
        auto const n = static_cast<std::int64_t>(all.size());
        int const peer = edges.front()->source;
        for (std::int64_t k = 0; k < n; ++k) {
            auto& there = b.emit(s.stream, operation::wait);
            there.trigger = filled;
            there.threshold = counted(k, n);
            there.peer = peer;
            auto& last = unpack(b, s.stream, all[static_cast<std::size_t>(k)], place, ring.slot_of(k) * ring.slot_bytes, peer);
            last.signal = taken;
            last.value = counted(k, n);
        }
    }
};

constinit device_segments_way const device_segments_object;

} // namespace

namespace ways {
way const& device_segments = device_segments_object;
}

} // namespace sode::internal
