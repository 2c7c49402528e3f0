// SPDX-License-Identifier: Apache-2.0
#include "channel/device/between_devices.hpp"
#include "channel/moves.hpp"

namespace sode::internal {
namespace {

/// The source's device stores box to box into the memory of the target's device, when that says that its halo may be written: where
/// devices reach each other, or are one. A store over a link waits for nothing, a load waits for its answer. The source's array is
/// free when its own copy is over, so nobody acknowledges.
class device_push_way final : public between_devices { // NOLINT(cppcoreguidelines-virtual-class-destructor)
public:
    constexpr device_push_way() noexcept : between_devices("device-push", found_in::own_array) {}

    /// Two words: that the halo may be written, and that it has been.
    [[nodiscard]] expense cost(edge_features const& e, profile const& p) const noexcept override {
        return {.source = copying(e, p), .latency = device_cost::word(e, p) * 2};
    }

    void give(way_site const& s, edge_span edges) const override { store(s.build, s.stream, edges); }
};

constinit device_push_way const device_push_object;

} // namespace

namespace ways {
way const& device_push = device_push_object;
}

} // namespace sode::internal
