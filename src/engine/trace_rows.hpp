// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "engine/trace.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>

namespace sode::internal::trace_rows {

/// Lanes from here on are rows of their own, of something else than the rank: lane `first` + n is called as subject n of the log.
inline constexpr std::uint16_t first = 64;

/// A row of that name. The last one that there can be is shared.
[[nodiscard]] inline std::uint16_t add(trace_log& log, std::string name) {
    constexpr std::uint32_t most = std::numeric_limits<std::uint16_t>::max() - first;
    return static_cast<std::uint16_t>(first + std::min(log.add({.name = std::move(name), .bytes = 0, .edges = {}}), most));
}

[[nodiscard]] inline std::string const& name(trace_log const& log, std::uint16_t lane) {
    return log.subject(static_cast<std::uint32_t>(lane - first)).name;
}

} // namespace sode::internal::trace_rows
