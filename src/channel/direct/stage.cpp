// SPDX-License-Identifier: Apache-2.0
#include "channel/moves.hpp"
#include "channel/ways.hpp"

namespace sode::internal {
namespace {

/// The source packs into a stage that all ranks of its machine can load, the target unpacks it.
class stage_way final : public way { // NOLINT(cppcoreguidelines-virtual-class-destructor)
public:
    constexpr stage_way() noexcept : way("stage", found_in::stage) {}

    [[nodiscard]] bool can(edge_features const& e) const noexcept override {
        return !e.on_device && e.apart != distance::other_machine;
    }
    [[nodiscard]] expense cost(edge_features const& e, profile const& p) const noexcept override {
        auto const& c = p.of(e.apart).memory;
        double const gather = edge_cost::gather(e, p);
        return {.source = gather, .target = gather + static_cast<double>(e.bytes) * c.stage_byte, .latency = c.flag};
    }

    [[nodiscard]] way const* instead(edge_features const& e) const noexcept override {
        return e.on_device && e.apart != distance::other_machine ? &ways::device_stage : nullptr;
    }

    void give(way_site const& s, edge_span edges) const override {
        gather(s.build, s.stream, edges, stage_of(edges.front()->source, s.own_stage));
    }
    void take(way_site const& s, edge_span edges) const override {
        int const peer = edges.front()->source;
        scatter(s.build, s.stream, edges, stage_of(peer, s.peer_stage), peer);
    }
};

constinit stage_way const stage_object;

} // namespace

namespace ways {
way const& stage = stage_object;
}

} // namespace sode::internal
