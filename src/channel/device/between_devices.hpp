// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "channel/device_costs.hpp"
#include "channel/way.hpp"
#include "channel/ways.hpp"

namespace sode::internal {

/// A way by which one device copies box to box between its memory and that of another, where devices reach each other, or are one.
class between_devices : public way { // NOLINT(cppcoreguidelines-virtual-class-destructor)
public:
    [[nodiscard]] bool can(edge_features const& e) const noexcept final {
        return e.on_device && e.shared && e.apart != distance::other_machine;
    }
    [[nodiscard]] way const* instead(edge_features const& e) const noexcept final {
        return e.apart == distance::other_machine ? nullptr : e.on_device ? &ways::device_stage : &ways::pull;
    }

protected:
    using way::way;
    ~between_devices() = default;

    /// Of the device that copies.
    [[nodiscard]] static double copying(edge_features const& e, profile const& p) noexcept {
        auto const each = e.far_devices ? p.devices.far_byte : p.devices.byte;
        return device_cost::kernel + static_cast<double>(e.bytes) * device_cost::byte_of(e, each);
    }
};

} // namespace sode::internal
