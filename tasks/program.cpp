// SPDX-License-Identifier: Apache-2.0
#include "tasks/program.hpp"

#include "base/limits.hpp"

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <optional>
#include <string_view>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <system_error>
#include <unistd.h>

namespace sode::internal {

namespace {

[[noreturn]] void refuse(std::string const& path, std::string_view why, std::string_view suggestion) {
    throw error{error_kind::usage, fmt::format("cannot start {} as a task", path), why, suggestion};
}

/// What is missing may be a descriptor, and not the file.
[[noreturn]] void refuse_by_errno(std::string const& path, std::string_view what, std::string_view suggestion) {
    int const why = errno;
    auto const limit = why == EMFILE ? limit_behind(why) : std::string{};
    refuse(path, fmt::format("{}{}", what, std::system_category().message(why)), limit.empty() ? suggestion : limit);
}

unique_fd open_program(std::string const& path) {
    auto const failed = [&] { refuse_by_errno(path, "", "pass an executable program"); };
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) failed();
    if (!S_ISREG(status.st_mode)) refuse(path, "the path is not a regular file", "pass a program");
    if (::faccessat(AT_FDCWD, path.c_str(), X_OK, AT_EACCESS) != 0) failed();
    bool const group_execute = (status.st_mode & S_IXGRP) != 0;
    if ((status.st_mode & S_ISUID) != 0 || ((status.st_mode & S_ISGID) != 0 && group_execute) ||
        ::getxattr(path.c_str(), "security.capability", nullptr, 0) > 0)
        refuse(path, "the program is set-user-id, set-group-id or has capabilities, and tasks must run as one user",
               "run the program as a separate process");
    unique_fd file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
    if (!file) failed();
    return file;
}

/// The interpreter of a script, and its one argument, if it has one.
struct script_line {
    std::string interpreter;
    std::string argument;
};

std::optional<script_line> read_script_line(unique_fd const& file) {
    std::array<char, 256> begin{}; // as much as the kernel looks at
    auto const bytes = ::pread(file.get(), begin.data(), begin.size(), 0);
    std::string_view text{begin.data(), bytes > 0 ? static_cast<std::size_t>(bytes) : 0};
    if (!text.starts_with("#!")) return std::nullopt;
    text = text.substr(2, text.find('\n') - 2);
    auto const trim = [](std::string_view words) {
        auto const first = words.find_first_not_of(" \t\r");
        return first == std::string_view::npos ? std::string_view{}
                                               : words.substr(first, words.find_last_not_of(" \t\r") - first + 1);
    };
    text = trim(text);
    auto const blank = text.find_first_of(" \t");
    return script_line{std::string{text.substr(0, blank)},
                       blank == std::string_view::npos ? std::string{} : std::string{trim(text.substr(blank))}};
}

std::string last_part(std::string const& path) {
    return path.substr(path.rfind('/') + 1);
}

elf_file open_linker(elf_file const& wants, std::string const& path) {
    unique_fd file{::open(wants.interpreter().c_str(), O_RDONLY | O_CLOEXEC)};
    if (!file)
        refuse_by_errno(path, fmt::format("the dynamic linker {}: ", wants.interpreter()),
                        "build the program on this system, or install that linker");
    elf_file linker{std::move(file), wants.interpreter()};
    if (!linker.interpreter().empty()) refuse(path, "the dynamic linker needs a dynamic linker itself", "build the program again");
    return linker;
}

} // namespace

program find_program(std::string const& path, std::vector<std::string> const& argv) {
    constexpr int most_scripts = 5; // interpreters that are scripts in turn: the kernel's number
    std::string const name = last_part(path);
    std::string file_path = path;
    std::vector<std::string> words = argv.empty() ? std::vector<std::string>{path} : argv;
    unique_fd file = open_program(file_path);
    for (int depth = 0; auto const line = read_script_line(file); ++depth) {
        if (line->interpreter.empty() || depth == most_scripts)
            refuse(path,
                   depth == most_scripts ? "the interpreter of the script is a script, over too many levels"
                                         : "the first line names no interpreter",
                   "name a program in the line that begins with #!");
        std::vector<std::string> longer{line->interpreter};
        if (!line->argument.empty()) longer.push_back(line->argument);
        longer.push_back(file_path);
        longer.insert(longer.end(), words.begin() + 1, words.end());
        words = std::move(longer);
        file_path = line->interpreter;
        file = open_program(file_path);
    }

    elf_file wanted{std::move(file), file_path};
    bool const executable_stack = wanted.wants_executable_stack();
    if (wanted.interpreter().empty()) return {std::move(wanted), std::move(words), name, executable_stack};
    auto linker = open_linker(wanted, file_path);
    // A path without a slash would be looked for among the libraries.
    std::vector<std::string> linked{linker.path(), "--argv0", words.front(),
                                    file_path.find('/') == std::string::npos ? "./" + file_path : file_path};
    linked.insert(linked.end(), words.begin() + 1, words.end());
    return {std::move(linker), std::move(linked), name, executable_stack};
}

} // namespace sode::internal
