// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cost/edge_features.hpp"
#include "cost/pipeline.hpp"
#include "device/copy_method.hpp"

#include <array>

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

/// Between a device and pinned memory, for a segment.
[[nodiscard]] inline pipe_stage bus(edge_features const& e, profile const& p) noexcept {
    return {p.devices.turn, byte_of(e, p.devices.byte) + p.devices.host_byte};
}

/// From pinned memory to that of another machine.
[[nodiscard]] inline pipe_stage message(profile const& p) noexcept {
    return {2 * p.network.overhead, 2 * p.network.host_byte + p.network.byte};
}

/// How an edge goes in segments of `e.segment` bytes, or as one.
[[nodiscard]] inline expense in_segments(edge_features const& e, profile const& p) noexcept {
    auto const n = e.segment > 0 ? (e.bytes + e.segment - 1) / e.segment : 1;
    auto const each = bus(e, p);
    double const end = static_cast<double>(n) * each.begin + static_cast<double>(e.bytes) * each.byte;
    if (e.apart != distance::other_machine) {
        auto const all = pipelined_time(std::array{each, each}, e.bytes, n, p.devices.word);
        return {.source = end, .target = end, .latency = p.devices.word, .beside = 2 * end + p.devices.word - all};
    }
    auto const sent = message(p);
    double const link = static_cast<double>(n) * sent.begin + static_cast<double>(e.bytes) * sent.byte;
    double const latency = 2 * p.devices.word + p.network.latency;
    auto const all = pipelined_time(std::array{each, sent, each}, e.bytes, n, p.devices.word) + p.network.latency;
    return {.source = end, .target = end, .link = link, .latency = latency, .beside = 2 * end + link + latency - all};
}

/// Bytes of a segment of `bytes` bytes whose rows are as those of `e`; 0: they go as one.
[[nodiscard]] inline std::int64_t segment_of(edge_features const& e, std::int64_t bytes, profile const& p) noexcept {
    auto const each = bus(e, p);
    if (e.apart != distance::other_machine) return best_segment(std::array{each, each}, bytes, p.devices.word);
    return e.mpi_takes ? 0 : best_segment(std::array{each, message(p), each}, bytes, p.devices.word);
}

} // namespace sode::internal::device_cost
