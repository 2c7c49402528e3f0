// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "plan/executor.hpp"

#include <cstdint>
#include <string_view>

namespace sode::internal {

/// What a piece of memory is made of, as far as it matters who can load and store it.
enum class memory_kind : std::uint8_t {
    host,   ///< of the host, in pages that may move
    pinned, ///< of the host, in pages that stay where they are: a device can load and store it, too
    device  ///< a device's own
};
[[nodiscard]] std::string_view to_string(memory_kind kind);

/// Whether executors of that kind load and store such memory: data, and counters that they wait for or set. What runs on a host
/// leaves a device's memory alone, and what runs on a device the pages that may move.
[[nodiscard]] constexpr bool reaches(executor_kind who, memory_kind what) noexcept {
    return who == executor_kind::block ? what != memory_kind::host : what != memory_kind::device;
}

} // namespace sode::internal
