// SPDX-License-Identifier: Apache-2.0
#include "base/file_beside.hpp"

#include "base/random_digits.hpp"

#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <sys/stat.h>

namespace sode::internal {

namespace {

constexpr std::size_t random_bytes = 8;
constexpr mode_t as_others_are_made = 0666; // less the umask

bool is_one_of_ours(std::string_view name, std::string_view target, std::string_view ending) {
    if (name.size() != target.size() + 1 + 2 * random_bytes + 1 + ending.size()) return false;
    auto const digits = name.substr(target.size() + 1, 2 * random_bytes);
    return name.starts_with(target) && name.ends_with(ending) && name[target.size()] == '.' &&
           name[name.size() - ending.size() - 1] == '.' && digits.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

} // namespace

file_beside make_file_beside(std::string const& target, std::string_view ending) {
    auto name = fmt::format("{}.{}.{}", target, random_digits(random_bytes), ending);
    unique_fd fd{::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, as_others_are_made)};
    return {std::move(name), std::move(fd)};
}

void remove_files_beside(std::string const& target, std::string_view ending) noexcept {
    try {
        std::filesystem::path const path{target};
        auto const folder = path.has_parent_path() ? path.parent_path() : std::filesystem::path{"."};
        for (auto const& entry : std::filesystem::directory_iterator{folder}) {
            struct stat status {};
            if (is_one_of_ours(entry.path().filename().native(), path.filename().native(), ending) &&
                ::lstat(entry.path().c_str(), &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == ::geteuid())
                ::unlink(entry.path().c_str());
        }
    } catch (...) { // making the new file will say what is wrong with the folder
    }
}

} // namespace sode::internal
