// SPDX-License-Identifier: Apache-2.0
#include "plan/schedule.hpp"

#include <array>

namespace sode::internal {

std::uint32_t stream_of(schedule const& p, std::size_t descriptor) noexcept {
    std::uint32_t found = 0;
    for (std::uint32_t s = 0; s < p.streams.size(); ++s)
        if (auto const first = p.streams[s].first; first <= descriptor && first >= p.streams[found].first) found = s;
    return found;
}

std::int64_t bytes_moved(schedule const& p) noexcept {
    std::int64_t bytes = 0;
    std::array<std::int64_t, most_loops + 1> times{1}; // that what is here runs, loop by loop
    std::size_t depth = 0;
    for (auto const& d : p.descriptors) {
        if (d.op == operation::loop && depth < most_loops) times[depth + 1] = times[depth] * d.argument, ++depth;
        if (d.op == operation::end_loop && depth > 0) --depth;
        if (moves_data(d.op) && d.program < p.programs.size()) bytes += times[depth] * p.programs[d.program].bytes;
    }
    return bytes;
}

namespace {

std::optional<memory_kind> kind_of_range(std::int64_t all, std::int64_t pinned, std::int64_t device, std::int64_t offset,
                                         std::int64_t bytes) noexcept {
    auto const device_from = all - device, pinned_from = device_from - pinned, end = offset + bytes;
    if (end <= pinned_from) return memory_kind::host;
    if (offset >= device_from) return memory_kind::device;
    if (offset >= pinned_from && end <= device_from) return memory_kind::pinned;
    return std::nullopt;
}

} // namespace

memory_kind kind_of_line(schedule const& host, std::int64_t index) noexcept {
    if (index < host.own_device.lines) return memory_kind::device;
    return index < host.own_device.lines + host.own_pinned.lines ? memory_kind::pinned : memory_kind::host;
}

std::optional<memory_kind> kind_of_stage(schedule const& host, std::int64_t offset, std::int64_t bytes) noexcept {
    return kind_of_range(host.own_stage, host.own_pinned.stage, host.own_device.stage, offset, bytes);
}

std::optional<memory_kind> kind_of_scratch(schedule const& host, std::int64_t offset, std::int64_t bytes) noexcept {
    return kind_of_range(host.own_scratch, host.own_pinned.scratch, host.own_device.scratch, offset, bytes);
}

std::vector<std::uint32_t> streams_of(schedule const& p) {
    std::vector<std::uint32_t> all(p.descriptors.size());
    for (std::uint32_t s = 0; s < p.streams.size(); ++s)
        for (std::size_t i = p.streams[s].first; i < all.size(); ++i) {
            all[i] = s;
            if (p.descriptors[i].op == operation::end) break;
        }
    return all;
}

} // namespace sode::internal
