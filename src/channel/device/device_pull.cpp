// SPDX-License-Identifier: Apache-2.0
#include "channel/device/device_costs.hpp"
#include "channel/moves.hpp"
#include "channel/ways.hpp"

namespace sode::internal {
namespace {

/// The target's device copies box to box out of the memory of the source's device: where devices reach each other, or are one.
class device_pull_way final : public way { // NOLINT(cppcoreguidelines-virtual-class-destructor)
public:
    constexpr device_pull_way() noexcept : way("device-pull", found_in::array) {}

    [[nodiscard]] bool can(edge_features const& e) const noexcept override {
        return e.on_device && e.shared && e.apart != distance::other_machine;
    }
    [[nodiscard]] expense cost(edge_features const& e, profile const& /*p*/) const noexcept override {
        return {.target = device_cost::kernel + static_cast<double>(e.bytes) * device_cost::byte_of(e),
                .latency = device_cost::word * (e.acknowledged ? 2 : 1)};
    }
    [[nodiscard]] way const* instead(edge_features const& e) const noexcept override {
        return e.apart == distance::other_machine ? nullptr : e.on_device ? &ways::device_stage : &ways::pull;
    }

    void take(way_site const& s, edge_span edges) const override { fetch(s.build, s.stream, edges); }
};

constinit device_pull_way const device_pull_object;

} // namespace

namespace ways {
way const& device_pull = device_pull_object;
}

} // namespace sode::internal
