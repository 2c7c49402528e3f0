// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

namespace sode::internal::bench {

/// How far apart the two cores were while a block was measured. In a virtual machine this changes every few tens of seconds, and
/// with it what is fast, so the two are never mixed.
enum class regime {
    near,    ///< both probes under 180 ns
    far,     ///< both over 250 ns
    between, ///< neither, or it changed within the block: dropped
    unprobed ///< not two ranks on two cores
};

[[nodiscard]] constexpr regime classify(double before_ns, double after_ns) noexcept {
    if (before_ns < 180 && after_ns < 180) return regime::near;
    if (before_ns > 250 && after_ns > 250) return regime::far;
    return regime::between;
}

[[nodiscard]] constexpr std::string_view to_string(regime r) noexcept {
    switch (r) {
    case regime::near: return "near";
    case regime::far: return "far";
    case regime::between: return "between";
    case regime::unprobed: return "unprobed";
    }
    return "";
}

} // namespace sode::internal::bench
