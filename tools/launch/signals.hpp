// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/unique_fd.hpp"

#include <array>
#include <csignal>
#include <optional>
#include <sys/signalfd.h>

namespace sode::internal::tools {

/// The signals that are passed on to the ranks.
inline constexpr std::array passed_on{SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGTSTP, SIGCONT};

/// Those and SIGCHLD: what the front and the keeper read from a descriptor instead of being interrupted.
[[nodiscard]] inline sigset_t watched_signals() {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    for (int const s : passed_on) sigaddset(&set, s);
    return set;
}

/// The watched signals as a descriptor; they must be blocked.
[[nodiscard]] inline unique_fd signal_descriptor() {
    sigset_t const set = watched_signals();
    return unique_fd{signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK)};
}

/// The next signal that has arrived, if any.
[[nodiscard]] inline std::optional<int> next_signal(unique_fd const& from) {
    signalfd_siginfo info{};
    if (read(from.get(), &info, sizeof info) != static_cast<ssize_t>(sizeof info)) return std::nullopt;
    return static_cast<int>(info.ssi_signo);
}

} // namespace sode::internal::tools
