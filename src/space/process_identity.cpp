// SPDX-License-Identifier: Apache-2.0
#include "space/process_identity.hpp"

#include "base/unique_fd.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <optional>
#include <string_view>

namespace sode::internal {
namespace {

struct stat_line {
    char state = '?';
    std::uint64_t started = 0;
};

/// What stands behind the command's name, which may itself hold blanks and brackets: state is field 3, start time field 22.
std::optional<stat_line> parse(std::string_view text) noexcept {
    auto at = text.rfind(')');
    if (at == std::string_view::npos || at + 2 >= text.size()) return std::nullopt;
    stat_line line{text[at + 2], 0};
    at += 2;
    for (int field = 3; field < 22; ++field) {
        at = text.find(' ', at);
        if (at == std::string_view::npos) return std::nullopt;
        ++at;
    }
    auto const result = std::from_chars(text.data() + at, text.data() + text.size(), line.started);
    return result.ec == std::errc{} ? std::optional{line} : std::nullopt;
}

/// Nothing if the process cannot be looked at. Uses no memory of the heap: it is called in the middle of waits.
std::optional<stat_line> read_stat(std::int64_t pid) noexcept {
    std::array<char, 40> path{};
    std::snprintf(path.data(), path.size(), "/proc/%lld/stat", static_cast<long long>(pid));
    unique_fd const file{::open(path.data(), O_RDONLY | O_CLOEXEC)};
    if (!file) return std::nullopt;
    std::array<char, 1024> text{};
    auto const length = ::read(file.get(), text.data(), text.size());
    if (length <= 0) return std::nullopt;
    return parse({text.data(), static_cast<std::size_t>(length)});
}

} // namespace

process_identity process_identity::mine() {
    process_identity self;
    self.pid = ::getpid();
    if (auto const line = read_stat(self.pid)) self.started = line->started;
    struct stat status {};
    if (::stat("/proc/self/ns/pid", &status) == 0) self.numbering = status.st_ino;
    return self;
}

process_state look_up(process_identity const& who) noexcept {
    auto const line = read_stat(who.pid);
    // No /proc, or no descriptor left to open it with: the number alone tells little, but that it is free tells enough.
    if (!line || who.started == 0)
        return ::kill(static_cast<pid_t>(who.pid), 0) != 0 && errno == ESRCH ? process_state::gone : process_state::unknown;
    bool const ended = line->state == 'Z' || line->state == 'X';
    return line->started != who.started || ended ? process_state::gone : process_state::running;
}

} // namespace sode::internal
