// SPDX-License-Identifier: Apache-2.0
#include "support/machine.hpp"

#include <fmt/format.h>

#include <fstream>
#include <sched.h>
#include <string_view>
#include <sys/utsname.h>
#include <unistd.h>

namespace sode::internal::bench {
namespace {

/// The first line `key : value` of /proc/cpuinfo.
std::string cpu_line(std::string_view key) {
    std::ifstream file{"/proc/cpuinfo"};
    for (std::string line; std::getline(file, line);)
        if (line.starts_with(key))
            if (auto const colon = line.find(": "); colon != std::string::npos) return line.substr(colon + 2);
    return {};
}

std::string cache(int name) {
    long const bytes = sysconf(name);
    return bytes > 0 ? fmt::format("{} KiB", bytes / 1024) : std::string{};
}

} // namespace

std::string processor() {
    auto const name = cpu_line("model name"), family = cpu_line("cpu family"), stepping = cpu_line("stepping");
    auto const model = cpu_line("model\t"); // not "model name"
    if (family.empty()) return name.empty() ? "an unknown processor" : name;
    return fmt::format("{} (family {}, model {}, stepping {})", name, family, model, stepping);
}

std::vector<std::pair<std::string, std::string>> machine_facts() {
    std::vector<std::pair<std::string, std::string>> facts;
    auto const tell = [&](std::string key, std::string value) {
        if (!value.empty()) facts.emplace_back(std::move(key), std::move(value));
    };
    tell("cpu", processor());
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0) tell("processors of this rank", std::to_string(CPU_COUNT(&set)));
    tell("processors online", std::to_string(sysconf(_SC_NPROCESSORS_ONLN)));
    tell("L1d", cache(_SC_LEVEL1_DCACHE_SIZE));
    tell("L2", cache(_SC_LEVEL2_CACHE_SIZE));
    tell("L3", cache(_SC_LEVEL3_CACHE_SIZE));
    tell("page", fmt::format("{} bytes", sysconf(_SC_PAGESIZE)));
    tell("virtual machine", cpu_line("flags").find(" hypervisor") != std::string::npos ? "yes" : "no sign of one");
    if (utsname system{}; uname(&system) == 0)
        tell("system", fmt::format("{} {} {}", system.sysname, system.release, system.machine));
#if defined(__clang__)
    tell("compiler", "clang " __clang_version__);
#elif defined(__GNUC__)
    tell("compiler", "g++ " __VERSION__);
#endif
    return facts;
}

} // namespace sode::internal::bench
