// SPDX-License-Identifier: Apache-2.0
#include "debug/symbol_files.hpp"

#include "base/system_error.hpp"

#include <algorithm>
#include <array>
#include <elf.h>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <optional>
#include <sstream>
#include <string_view>

namespace sode::internal::tools {

namespace {

constexpr std::uintptr_t page = 4096;

/// The address at which the file wants its beginning; empty if it is no program or library.
std::optional<std::uintptr_t> wanted_address(std::string const& path) {
    std::ifstream file{path, std::ios::binary};
    Elf64_Ehdr head{};
    if (!file.read(reinterpret_cast<char*>(&head), sizeof head) ||
        std::string_view{reinterpret_cast<char const*>(head.e_ident), SELFMAG} != ELFMAG)
        return std::nullopt;
    for (int i = 0; i < head.e_phnum; ++i) {
        Elf64_Phdr part{};
        file.seekg(static_cast<std::streamoff>(head.e_phoff + static_cast<std::size_t>(i) * sizeof part));
        if (!file.read(reinterpret_cast<char*>(&part), sizeof part)) return std::nullopt;
        if (part.p_type == PT_LOAD) return part.p_vaddr / page * page;
    }
    return std::nullopt;
}

// gdb takes a name with spaces or quotes in it between double quotes.
std::string quoted(std::string const& path) {
    std::string text = "\"";
    for (char const c : path) {
        if (c == '"' || c == '\\') text += '\\';
        text += c;
    }
    return text + '"';
}

} // namespace

std::vector<symbol_file> symbol_files(task_info const& task) {
    std::ifstream maps{fmt::format("/proc/{}/maps", task.pid)};
    if (!maps)
        throw system_error(fmt::format("task {} cannot be looked at", task.pid), "open /proc/…/maps",
                           "check whether the task still runs");
    std::vector<symbol_file> found;
    for (std::string line; std::getline(maps, line);) {
        std::istringstream words{line};
        std::uintptr_t begin = 0;
        std::uintptr_t end = 0;
        std::uintptr_t offset = 0;
        char dash = 0;
        std::string rights;
        std::string device;
        std::string inode;
        std::string path;
        words >> std::hex >> begin >> dash >> end >> rights >> offset >> device >> inode;
        std::getline(words >> std::ws, path);
        // The first page of a file tells where all of it is.
        if (begin < task.base || begin >= task.end || offset != 0 || !path.starts_with('/')) continue;
        if (auto const wanted = wanted_address(path)) found.push_back({path, begin - *wanted});
    }
    std::error_code unknown;
    auto const program = std::filesystem::canonical(task.program, unknown).string();
    std::stable_partition(found.begin(), found.end(), [&](symbol_file const& f) { return f.path == program; });
    return found;
}

std::string gdb_script(task_info const& task) {
    // gdb believes that the process runs the program of /proc/…/exe, which is that of the root for all tasks, so it is told what is
    // really there once it has attached.
    std::string script = fmt::format("set confirm off\nset pagination off\nset auto-solib-add off\nattach {}\n", task.pid);
    bool first = true;
    for (auto const& file : symbol_files(task)) {
        script += fmt::format("{} {} -o {:#x}\n", first ? "symbol-file" : "add-symbol-file", quoted(file.path), file.bias);
        first = false;
    }
    return script + "set pagination on\nset confirm on\n";
}

} // namespace sode::internal::tools
