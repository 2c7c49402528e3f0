// SPDX-License-Identifier: Apache-2.0
#include "base/limits.hpp"

#include "base/control_groups.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <ctime>
#include <fmt/format.h>
#include <fstream>
#include <sys/resource.h>
#include <system_error>
#include <vector>

namespace sode::internal {

namespace {

namespace fs = std::filesystem;

/// "`ulimit -v` (now 1000000)", in the shell's units; empty without that limit.
std::string shell_limit(int resource, char letter, rlim_t unit, std::string_view more = "") {
    rlimit now{};
    if (::getrlimit(static_cast<__rlimit_resource_t>(resource), &now) != 0 || now.rlim_cur == RLIM_INFINITY) return {};
    return fmt::format("`ulimit -{}` (now {}{})", letter, now.rlim_cur / unit, more);
}

std::vector<std::string> limits_of_memory() {
    constexpr rlim_t kibibyte = 1024;
    constexpr std::string_view all_tasks = ", for all tasks of an address space together";
    return {shell_limit(RLIMIT_AS, 'v', kibibyte, all_tasks), shell_limit(RLIMIT_DATA, 'd', kibibyte, all_tasks)};
}

std::string raise_one_of(std::vector<std::string> limits) {
    std::erase(limits, std::string{});
    std::string text;
    for (auto const& one : limits) text += (text.empty() ? "raise " : ", or ") + one;
    return text;
}

std::string processes_of_group() {
    auto const most = most_processes();
    return most ? fmt::format("the control group's pids.max (now {})", *most) : std::string{};
}

} // namespace

std::optional<std::uint64_t> most_processes(fs::path const& root) {
    std::optional<std::uint64_t> least;
    for_each_control_group(root, [&](std::string const& controllers, fs::path const& group) {
        std::uint64_t most = 0; // "max" is no number
        if ((controllers.empty() || controllers == "pids") && std::ifstream{group / "pids.max"} >> most)
            least = std::min(least.value_or(most), most);
    });
    return least;
}

std::string limit_behind(int number) {
    constexpr rlim_t block = 1024;
    switch (number) {
    case EAGAIN: { // also what a new thread gets that finds no room for its stack
        auto limits = limits_of_memory();
        limits.insert(limits.begin(), {shell_limit(RLIMIT_NPROC, 'u', 1), processes_of_group()});
        return raise_one_of(std::move(limits));
    }
    case EMFILE: return raise_one_of({shell_limit(RLIMIT_NOFILE, 'n', 1)});
    case ENOMEM: return raise_one_of(limits_of_memory());
    case EFBIG: return raise_one_of({shell_limit(RLIMIT_FSIZE, 'f', block)});
    case EPERM:
    case EACCES:
    case ENOSYS: return "find out which system calls this sandbox or container refuses";
    default: return {};
    }
}

error refused(std::string_view problem, std::string_view call, int number, std::string_view suggestion) {
    auto const limit = limit_behind(number);
    return error{error_kind::environment, problem, fmt::format("{}: {}", call, std::system_category().message(number)),
                 limit.empty() ? suggestion : limit};
}

no_file_size_signal::no_file_size_signal() noexcept {
    sigset_t one;
    sigemptyset(&one);
    sigaddset(&one, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &one, &before_);
}

no_file_size_signal::~no_file_size_signal() {
    int const kept = errno;
    if (sigismember(&before_, SIGXFSZ) == 0) {
        sigset_t one;
        sigemptyset(&one);
        sigaddset(&one, SIGXFSZ);
        timespec const now{};
        while (sigtimedwait(&one, nullptr, &now) < 0 && errno == EINTR) {
        }
        pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    }
    errno = kept;
}

} // namespace sode::internal
