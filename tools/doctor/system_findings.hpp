// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "doctor/finding.hpp"

#include <filesystem>
#include <vector>

namespace sode::internal::tools {

/// What the kernel says of itself: frequency governors, huge pages, NUMA balancing, limits of the control group, locked memory.
/// What this kernel does not tell is left out. `root` is where /proc and /sys are looked for.
[[nodiscard]] std::vector<finding> system_findings(std::filesystem::path const& root = "/");

} // namespace sode::internal::tools
