// SPDX-License-Identifier: Apache-2.0
#include "base/cpu_quota.hpp"

#include <algorithm>
#include <fstream>
#include <string>

namespace sode {

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

// In a container the path is often one of the host, which is not mounted; the group at the mount itself is the container's then.
template <typename Limit> std::optional<double> least_up_to(fs::path const& mount, std::string const& path, Limit const& limit) {
    std::optional<double> least = limit(mount);
    fs::path group = mount;
    for (fs::path const& part : fs::path{path}.relative_path()) {
        group /= part;
        if (auto const own = limit(group)) least = std::min(least.value_or(*own), *own);
    }
    return least;
}

} // namespace

std::optional<double> cpu_quota(fs::path const& root) {
    std::ifstream groups{root / "proc/self/cgroup"};
    std::optional<double> least;
    // Lines are "number:controllers:path"; cgroup 2 has no controllers there.
    for (std::string line; std::getline(groups, line);) {
        auto const first = line.find(':');
        auto const second = line.find(':', first + 1);
        if (first == std::string::npos || second == std::string::npos) continue;
        std::string const controllers = line.substr(first + 1, second - first - 1);
        std::string const path = line.substr(second + 1);
        std::optional<double> limit;
        if (controllers.empty())
            limit = least_up_to(root / "sys/fs/cgroup", path, limit_v2);
        else if (("," + controllers + ",").find(",cpu,") != std::string::npos)
            limit = least_up_to(root / "sys/fs/cgroup" / controllers, path, limit_v1);
        if (limit) least = std::min(least.value_or(*limit), *limit);
    }
    return least;
}

} // namespace sode
