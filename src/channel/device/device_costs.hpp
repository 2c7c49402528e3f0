// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cost/edge_features.hpp"
#include "device/copy_method.hpp"

namespace sode::internal::device_cost {

/// What a device's queues take, in nanoseconds: orders of magnitude of a current device and its bus, measured nowhere. They serve
/// to prefer what stays on the device to what leaves it.
inline constexpr double kernel = copy_cost::start;         ///< to start a copy
inline constexpr double word = 1000;                       ///< until a queue has seen a word of the host
inline constexpr double own_byte = copy_cost::engine_byte; ///< within the device, or between two that are linked
inline constexpr double host_byte = 0.04;                  ///< over the bus, to pinned memory or from it
inline constexpr double scattered =
    copy_cost::scattered; ///< times as much for a byte of short rows: lines are moved for a few bytes each

/// Of a byte whose rows are as those of `e`, in the device's memory.
[[nodiscard]] inline double byte_of(edge_features const& e) noexcept {
    return e.rows > 1 && e.row_bytes < copy_cost::line ? own_byte * scattered : own_byte;
}

} // namespace sode::internal::device_cost
