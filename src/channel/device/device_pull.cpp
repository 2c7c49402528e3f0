// SPDX-License-Identifier: Apache-2.0
#include "channel/device/between_devices.hpp"
#include "channel/moves.hpp"

namespace sode::internal {
namespace {

/// The target's device copies box to box out of the memory of the source's device: where devices reach each other, or are one.
class device_pull_way final : public between_devices { // NOLINT(cppcoreguidelines-virtual-class-destructor)
public:
    constexpr device_pull_way() noexcept : between_devices("device-pull", found_in::array) {}

    [[nodiscard]] expense cost(edge_features const& e, profile const& p) const noexcept override {
        return {.target = copying(e, p), .latency = device_cost::word(e, p) * (e.acknowledged ? 2 : 1)};
    }

    void take(way_site const& s, edge_span edges) const override { fetch(s.build, s.stream, edges); }
};

constinit device_pull_way const device_pull_object;

} // namespace

namespace ways {
way const& device_pull = device_pull_object;
}

} // namespace sode::internal
