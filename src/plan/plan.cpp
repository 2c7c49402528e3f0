// SPDX-License-Identifier: Apache-2.0
#include "plan/plan.hpp"

namespace sode {

std::string_view to_string(operation op) {
    switch (op) {
    case operation::end: return "end";
    case operation::copy: return "copy";
    case operation::pack: return "pack";
    case operation::unpack: return "unpack";
    case operation::inline_put: return "inline_put";
    case operation::inline_get: return "inline_get";
    case operation::put: return "put";
    case operation::negate: return "negate";
    case operation::reduce: return "reduce";
    case operation::call: return "call";
    case operation::signal: return "signal";
    case operation::wait: return "wait";
    case operation::send: return "send";
    case operation::receive: return "receive";
    case operation::landing: return "landing";
    case operation::credit: return "credit";
    case operation::loop: return "loop";
    case operation::end_loop: return "end_loop";
    }
    return "unknown operation";
}

std::uint32_t stream_of(plan const& p, std::size_t descriptor) noexcept {
    std::uint32_t found = 0;
    for (std::uint32_t s = 0; s < p.streams.size(); ++s)
        if (auto const first = p.streams[s].first; first <= descriptor && first >= p.streams[found].first) found = s;
    return found;
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

memory_kind kind_of_line(plan const& host, std::int64_t index) noexcept {
    if (index < host.own_device.lines) return memory_kind::device;
    return index < host.own_device.lines + host.own_pinned.lines ? memory_kind::pinned : memory_kind::host;
}

std::optional<memory_kind> kind_of_stage(plan const& host, std::int64_t offset, std::int64_t bytes) noexcept {
    return kind_of_range(host.own_stage, host.own_pinned.stage, host.own_device.stage, offset, bytes);
}

std::optional<memory_kind> kind_of_scratch(plan const& host, std::int64_t offset, std::int64_t bytes) noexcept {
    return kind_of_range(host.own_scratch, host.own_pinned.scratch, host.own_device.scratch, offset, bytes);
}

std::vector<std::uint32_t> streams_of(plan const& p) {
    std::vector<std::uint32_t> all(p.descriptors.size());
    for (std::uint32_t s = 0; s < p.streams.size(); ++s)
        for (std::size_t i = p.streams[s].first; i < all.size(); ++i) {
            all[i] = s;
            if (p.descriptors[i].op == operation::end) break;
        }
    return all;
}

} // namespace sode
