// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <optional>

namespace sode::internal {

/// How many processors' worth of time this process's control group may use (cgroup 1 and 2; the least of it and its parents); empty
/// without a limit. `root` is where /proc and /sys are looked for.
[[nodiscard]] std::optional<double> cpu_quota(std::filesystem::path const& root = "/");

} // namespace sode::internal
