// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <fstream>
#include <string>

namespace sode::internal {

/// Calls look(controllers, folder) for each control group that this process is in and for all above it, from the mount down.
/// `controllers` are those of the hierarchy as /proc/self/cgroup has them ("cpu,cpuacct"); cgroup 2 has none there. `root` is where
/// /proc and /sys are looked for.
template <class Look> void for_each_control_group(std::filesystem::path const& root, Look look) {
    std::ifstream groups{root / "proc/self/cgroup"};
    // Lines are "number:controllers:path".
    for (std::string line; std::getline(groups, line);) {
        auto const first = line.find(':');
        auto const second = line.find(':', first + 1);
        if (first == std::string::npos || second == std::string::npos) continue;
        std::string const controllers = line.substr(first + 1, second - first - 1);
        std::filesystem::path const path{line.substr(second + 1)};
        // In a container the path is often one of the host, which is not mounted; the group at the mount itself is the container's
        // then.
        auto folder = root / "sys/fs/cgroup" / controllers;
        look(controllers, folder);
        for (auto const& part : path.relative_path()) look(controllers, folder /= part);
    }
}

} // namespace sode::internal
