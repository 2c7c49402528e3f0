// SPDX-License-Identifier: Apache-2.0
#include "space/memory_room.hpp"

#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>

namespace sode::internal {
namespace {

constexpr std::string_view huge_pages = "/sys/kernel/mm/transparent_hugepage/";

std::string read_text(std::filesystem::path const& path) {
    std::ifstream file{path};
    std::ostringstream text;
    if (file) text << file.rdbuf();
    return std::move(text).str();
}

/// The number that follows `key`; a control group's "max" is no number.
std::optional<std::uint64_t> number_behind(std::string_view text, std::string_view key) {
    auto at = text.find(key);
    if (at == std::string_view::npos) return std::nullopt;
    at = text.find_first_not_of(" \t", at + key.size());
    if (at == std::string_view::npos) return std::nullopt;
    std::uint64_t value = 0;
    auto const result = std::from_chars(text.data() + at, text.data() + text.size(), value);
    return result.ec == std::errc{} ? std::optional{value} : std::nullopt;
}

std::uint64_t below(std::uint64_t a, std::uint64_t b) noexcept {
    return a > b ? a - b : 0;
}

struct group_files {
    std::string_view limit, usage, reclaimable;
};
constexpr group_files version_2{"memory.max", "memory.current", "inactive_file"};
constexpr group_files version_1{"memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"};

/// Applies the limit of every group from `path` up to the hierarchy's root. Inside a container the path may be that of the host:
/// the levels that do not exist here have no say.
void apply_groups(memory_room& room, std::filesystem::path const& root, std::string_view path, group_files const& files) {
    for (auto level = std::filesystem::path{path}.relative_path();; level = level.parent_path()) {
        auto const folder = root / level;
        if (auto const limit = number_behind(read_text(folder / files.limit), "")) {
            auto const usage = number_behind(read_text(folder / files.usage), "").value_or(0);
            auto const caches = number_behind(read_text(folder / "memory.stat"), files.reclaimable).value_or(0);
            room.total = std::min(room.total, *limit);
            room.available = std::min(room.available, below(*limit, below(usage, caches)));
        }
        if (level.empty()) return;
    }
}

} // namespace

memory_room memory_room::now() {
    auto const meminfo = read_text("/proc/meminfo");
    auto const pages = static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES));
    memory_room room;
    room.total = pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
    auto const available_kib = number_behind(meminfo, "MemAvailable:");
    room.available = available_kib ? *available_kib * 1024 : room.total;

    std::istringstream groups{read_text("/proc/self/cgroup")};
    for (std::string line; std::getline(groups, line);) {
        std::string_view const text{line};
        auto const first = text.find(':');
        auto const second = text.find(':', first + 1);
        if (second == std::string_view::npos) continue;
        auto const controllers = text.substr(first + 1, second - first - 1);
        auto const path = text.substr(second + 1);
        if (controllers.empty())
            apply_groups(room, "/sys/fs/cgroup", path, version_2);
        else if (controllers == "memory")
            apply_groups(room, "/sys/fs/cgroup/memory", path, version_1);
    }
    return room;
}

std::uint64_t mappable_bytes(std::uint64_t wanted) noexcept {
    rlimit file{};
    if (::getrlimit(RLIMIT_FSIZE, &file) == 0 && file.rlim_cur != RLIM_INFINITY)
        wanted = std::min<std::uint64_t>(wanted, file.rlim_cur);
    for (; wanted != 0; wanted /= 2) {
        void* const base = ::mmap(nullptr, wanted, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (base == MAP_FAILED) continue;
        ::munmap(base, wanted);
        break;
    }
    return wanted;
}

std::uint64_t huge_page_bytes() {
    return number_behind(read_text(std::string{huge_pages} + "hpage_pmd_size"), "").value_or(0);
}

std::uint64_t memory_granule(memory_kind kind) {
    auto const setting = read_text(std::string{huge_pages} + (kind == memory_kind::shared ? "shmem_enabled" : "enabled"));
    bool const huge = setting.find("[a") != std::string::npos     // always, advise
                      || setting.find("[w") != std::string::npos  // within_size
                      || setting.find("[m") != std::string::npos  // madvise
                      || setting.find("[f") != std::string::npos; // force
    auto const bytes = huge ? huge_page_bytes() : 0;
    return bytes != 0 ? bytes : std::uint64_t{64} << 10;
}

} // namespace sode::internal
