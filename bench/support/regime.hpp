// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

namespace sode::internal::bench {

/// How far apart the two cores were while a block was measured. In a virtual machine this changes every few tens of seconds, and
/// with it what is fast, so the two are never mixed.
/// docs/profile.md says what near and far mean; a test compares these two with it.
inline constexpr double near_below_ns = 180, far_above_ns = 250;

enum class regime {
    near,    ///< both probes are
    far,     ///< both are
    between, ///< neither, or it changed within the block: dropped
    unprobed ///< not two ranks on two cores
};

[[nodiscard]] constexpr regime classify(double before_ns, double after_ns) noexcept {
    if (before_ns < near_below_ns && after_ns < near_below_ns) return regime::near;
    if (before_ns > far_above_ns && after_ns > far_above_ns) return regime::far;
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
