// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cost/edge_features.hpp"
#include "device/copy_method.hpp"

namespace sode::internal::device_cost {

/// What a device's queues take, in nanoseconds: orders of magnitude of a current device and its bus, measured nowhere. They serve
/// to prefer what stays on the device to what leaves it.
inline constexpr double kernel = copy_cost::start; ///< to start a copy
inline constexpr double scattered =
    copy_cost::scattered; ///< times as much for a byte of short rows: lines are moved for a few bytes each

/// Of a byte whose rows are as those of `e`, where a byte of long rows takes `each`.
[[nodiscard]] inline double byte_of(edge_features const& e, double each) noexcept {
    return e.rows > 1 && e.row_bytes < copy_cost::line ? each * scattered : each;
}

/// Until a queue at one end has seen a word of the other end.
[[nodiscard]] inline double word(edge_features const& e, profile const& p) noexcept {
    return e.far_devices ? p.devices.far_word : p.devices.word;
}

} // namespace sode::internal::device_cost
