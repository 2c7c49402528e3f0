// SPDX-License-Identifier: Apache-2.0
#include "base/cpu_quota.hpp"

#include "base/control_groups.hpp"

#include <algorithm>
#include <fstream>
#include <string>

namespace sode::internal {

namespace {

namespace fs = std::filesystem;

// cgroup 2: "max 100000" or "150000 100000".
std::optional<double> limit_v2(fs::path const& group) {
    std::ifstream file{group / "cpu.max"};
    double quota = 0;
    double period = 0;
    if (file >> quota >> period && period > 0) return quota / period;
    return std::nullopt;
}

// cgroup 1: -1 without a limit.
std::optional<double> limit_v1(fs::path const& group) {
    double quota = -1;
    double period = 0;
    std::ifstream{group / "cpu.cfs_quota_us"} >> quota;
    std::ifstream{group / "cpu.cfs_period_us"} >> period;
    if (quota > 0 && period > 0) return quota / period;
    return std::nullopt;
}

} // namespace

std::optional<double> cpu_quota(fs::path const& root) {
    std::optional<double> least;
    for_each_control_group(root, [&](std::string const& controllers, fs::path const& group) {
        bool const has_cpu = ("," + controllers + ",").find(",cpu,") != std::string::npos;
        auto const limit = controllers.empty() ? limit_v2(group) : has_cpu ? limit_v1(group) : std::nullopt;
        if (limit) least = std::min(least.value_or(*limit), *limit);
    });
    return least;
}

} // namespace sode::internal
