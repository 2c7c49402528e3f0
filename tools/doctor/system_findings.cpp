// SPDX-License-Identifier: Apache-2.0
#include "doctor/system_findings.hpp"

#include "base/byte_text.hpp"
#include "base/cpu_quota.hpp"
#include "base/processors.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <cstdlib>
#include <fstream>
#include <optional>

namespace sode::internal::tools {
namespace {

namespace fs = std::filesystem;

// The first line of a file of the kernel; empty if there is none.
std::string told(fs::path const& file) {
    std::ifstream in{file};
    std::string text;
    std::getline(in, text);
    return text;
}

// Of "always [madvise] never" the word in brackets.
std::string chosen(std::string const& words) {
    auto const open = words.find('['), close = words.find(']');
    return open == std::string::npos || close == std::string::npos ? words : words.substr(open + 1, close - open - 1);
}

std::optional<finding> governor(fs::path const& root) {
    int slow = 0, all = 0;
    std::string name;
    for (int const p : processor_set::of_this_thread().numbers()) {
        auto const one = told(root / fmt::format("sys/devices/system/cpu/cpu{}/cpufreq/scaling_governor", p));
        if (one.empty()) continue;
        ++all;
        if (one == "performance") continue;
        ++slow;
        name = one;
    }
    if (all == 0) return std::nullopt;
    if (slow == 0) return finding{"frequency governor", "performance", ""};
    return finding{"frequency governor", fmt::format("{} on {} of {} processors", name, slow, all),
                   "sudo cpupower frequency-set -g performance"};
}

// The version of the kernel as 1000 * major + minor; 0 if it cannot be read.
int kernel_version(fs::path const& root) {
    auto const text = told(root / "proc/sys/kernel/osrelease");
    char* end = nullptr;
    auto const major = std::strtol(text.c_str(), &end, 10);
    return end != nullptr && *end == '.' ? static_cast<int>(1000 * major + std::strtol(end + 1, nullptr, 10)) : 0;
}

std::vector<finding> huge_pages(fs::path const& root) {
    std::vector<finding> list;
    auto const folder = root / "sys/kernel/mm/transparent_hugepage";
    if (auto const mode = chosen(told(folder / "enabled")); !mode.empty())
        list.push_back(
            {"huge pages", mode, mode == "never" ? "echo madvise | sudo tee /sys/kernel/mm/transparent_hugepage/enabled" : ""});
    auto const shared = chosen(told(folder / "shmem_enabled"));
    if (shared.empty()) return list;
    constexpr int collapses = 6001; // MADV_COLLAPSE, whatever shmem_enabled says
    bool const by_request = kernel_version(root) >= collapses;
    bool const good = by_request || (shared != "never" && shared != "deny");
    list.push_back(
        {"huge pages of shared memory", by_request ? "made on request" : shared,
         good ? "" : "echo advise | sudo tee /sys/kernel/mm/transparent_hugepage/shmem_enabled (or use Linux 6.1 or newer)"});
    return list;
}

std::optional<finding> numa_balancing(fs::path const& root) {
    auto const mode = told(root / "proc/sys/kernel/numa_balancing");
    if (mode.empty() || !fs::exists(root / "sys/devices/system/node/node1")) return std::nullopt;
    return finding{"NUMA balancing", mode == "0" ? "off" : "on: the kernel moves pages of ranks that stay where they are",
                   mode == "0" ? "" : "echo 0 | sudo tee /proc/sys/kernel/numa_balancing"};
}

finding processor_time(fs::path const& root) {
    auto const count = processor_set::of_this_thread().count();
    auto const quota = cpu_quota(root);
    if (!quota || *quota >= count) return {"processors", fmt::format("{}, and their whole time", count), ""};
    return {"processors", fmt::format("{}, with processor time for only {:.3g} (quota of the control group)", count, *quota),
            fmt::format("start no more than {} ranks, or raise the container's limit (docker run --cpus {})", usable_processors(),
                        count)};
}

finding locked_memory() {
    constexpr rlim_t enough = rlim_t{64} << 20;
    rlimit limit{};
    getrlimit(RLIMIT_MEMLOCK, &limit);
    if (limit.rlim_cur == RLIM_INFINITY) return {"memory that may be locked", "all", ""};
    return {"memory that may be locked", byte_text(limit.rlim_cur),
            limit.rlim_cur >= enough ? "" : "raise `ulimit -l` (pinned memory of devices and networks needs it)"};
}

} // namespace

std::vector<finding> system_findings(fs::path const& root) {
    std::vector<finding> list;
    if (auto const f = governor(root)) list.push_back(*f);
    for (auto& f : huge_pages(root)) list.push_back(std::move(f));
    if (auto const f = numa_balancing(root)) list.push_back(*f);
    list.push_back(processor_time(root));
    list.push_back(locked_memory());
    return list;
}

} // namespace sode::internal::tools
