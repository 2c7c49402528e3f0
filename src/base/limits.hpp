// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/error.hpp>

#include <csignal>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace sode::internal {

/// What may stand behind a system call that has failed with `number` (an errno): the limits of this process that are set, and what
/// they are, or a sandbox. "raise `ulimit -n` (now 20)". Empty: nothing that is known.
[[nodiscard]] std::string limit_behind(int number);

/// error{environment}: *problem (call: what `number` says)*, and what may stand behind it; else `suggestion`.
[[nodiscard]] error refused(std::string_view problem, std::string_view call, int number, std::string_view suggestion = {});

/// The most processes and threads that this process's control group may have (cgroup 1 and 2; the least of it and its parents);
/// empty without a limit. `root` is where /proc and /sys are looked for.
[[nodiscard]] std::optional<std::uint64_t> most_processes(std::filesystem::path const& root = "/");

/// As long as it lives, this thread is told of a file that becomes too large (`ulimit -f`) by EFBIG alone: the signal would end the
/// process before it can say anything.
class no_file_size_signal {
public:
    no_file_size_signal() noexcept;
    ~no_file_size_signal();
    no_file_size_signal(no_file_size_signal const&) = delete;
    no_file_size_signal& operator=(no_file_size_signal const&) = delete;

private:
    sigset_t before_{};
};

} // namespace sode::internal
