// SPDX-License-Identifier: Apache-2.0
#include "channel/device_costs.hpp"
#include "channel/moves.hpp"
#include "channel/ways.hpp"

namespace sode::internal {
namespace {

/// The source's device packs into pinned memory that both hosts share, the target's device unpacks it from there: where a device
/// reaches no other's memory. No host touches the bytes.
class device_stage_way final : public way { // NOLINT(cppcoreguidelines-virtual-class-destructor)
public:
    constexpr device_stage_way() noexcept : way("device-stage", found_in::stage) {}

    [[nodiscard]] bool can(edge_features const& e) const noexcept override {
        return e.on_device && e.apart != distance::other_machine;
    }
    [[nodiscard]] expense cost(edge_features const& e, profile const& p) const noexcept override {
        double const each =
            device_cost::kernel + static_cast<double>(e.bytes) * (device_cost::byte_of(e, p.devices.byte) + p.devices.host_byte);
        return {.source = each, .target = each, .latency = p.devices.word};
    }
    [[nodiscard]] way const* instead(edge_features const& e) const noexcept override {
        return e.apart == distance::other_machine ? nullptr : &ways::stage;
    }

    void give(way_site const& s, edge_span edges) const override {
        gather(s.build, s.stream, edges, stage_of(edges.front()->source, s.own_stage));
    }
    void take(way_site const& s, edge_span edges) const override {
        int const peer = edges.front()->source;
        scatter(s.build, s.stream, edges, stage_of(peer, s.peer_stage), peer);
    }
};

constinit device_stage_way const device_stage_object;

} // namespace

namespace ways {
way const& device_stage = device_stage_object;
}

} // namespace sode::internal
