// SPDX-License-Identifier: Apache-2.0
#include "tasks/root/own_request.hpp"

#include "base/job_control.hpp"
#include "base/system_error.hpp"
#include "tasks/root/job_key.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <climits>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <sched.h>
#include <string_view>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <system_error>
#include <unistd.h>

namespace sode::internal::tasks {

namespace {

constexpr char const* pmi_variable = "PMI_FD";

bool is_open(int fd) {
    return fcntl(fd, F_GETFD) >= 0;
}

// All that it would have after exec, with one exception: Hydra (and who else speaks PMI over a pipe) leaves a rank the pipes of
// other ranks, and who holds those keeps others from learning that a rank has ended. There it is the standard ones and those by
// which the launcher speaks to this rank.
std::vector<std::int32_t> descriptors_to_hand(std::vector<int> const& more) {
    std::vector<std::int32_t> numbers;
    auto const add = [&](int fd) {
        if (is_open(fd) && std::find(numbers.begin(), numbers.end(), fd) == numbers.end()) numbers.push_back(fd);
    };
    for (int const fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) add(fd);
    if (std::getenv(pmi_variable) == nullptr)
        for (int const fd : inheritable_descriptors()) add(fd);
    for (char const* const variable : {pmi_variable, boot_fd_variable})
        if (char const* const text = std::getenv(variable)) {
            int fd = -1;
            std::from_chars(text, text + std::strlen(text), fd);
            add(fd);
        }
    for (int const fd : more) {
        if (!is_open(fd))
            throw error{error_kind::usage, fmt::format("descriptor {} cannot be passed to a task", fd),
                        "the descriptor is not open", "check --fds"};
        add(fd);
    }
    return numbers;
}

std::string own_directory() {
    std::array<char, PATH_MAX> name{};
    if (getcwd(name.data(), name.size()) != nullptr && name[0] == '/') return name.data();
    // It has been removed, or lies where no name leads; but it can be entered as long as this process is in it.
    return fmt::format("/proc/{}/cwd", getpid());
}

memory_policy own_memory_policy() {
    memory_policy policy;
    std::vector<std::uint64_t> nodes(16);
    int mode = 0;
    if (syscall(SYS_get_mempolicy, &mode, nodes.data(), nodes.size() * 64, nullptr, 0) == 0 && mode != 0) {
        policy.mode = mode;
        policy.nodes = std::move(nodes);
    }
    return policy;
}

std::vector<std::uint64_t> own_processors() {
    for (std::size_t words = 16; words <= 1024; words *= 2) {
        std::vector<std::uint64_t> mask(words);
        long const got = syscall(SYS_sched_getaffinity, 0, words * sizeof(std::uint64_t), mask.data());
        if (got > 0) {
            mask.resize(static_cast<std::size_t>(got) / sizeof(std::uint64_t));
            return mask;
        }
        if (errno != EINVAL) break;
    }
    return {};
}

std::uint64_t ignored_signals() {
    std::uint64_t set = 0;
    for (int s = 1; s <= 64; ++s) {
        struct sigaction action {};
        if (sigaction(s, nullptr, &action) == 0 && action.sa_handler == SIG_IGN) set |= std::uint64_t{1} << (s - 1);
    }
    return set;
}

std::uint64_t blocked_signals() {
    sigset_t mask;
    sigprocmask(SIG_SETMASK, nullptr, &mask);
    std::uint64_t set = 0;
    for (int s = 1; s <= 64; ++s)
        if (sigismember(&mask, s) == 1) set |= std::uint64_t{1} << (s - 1);
    return set;
}

mode_t own_umask() {
    mode_t const mask = ::umask(0);
    ::umask(mask);
    return mask;
}

bool executable(std::string const& path) {
    struct stat status {};
    return stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) && access(path.c_str(), X_OK) == 0;
}

} // namespace

program_error::program_error(std::string_view name, int number)
    : error(error_kind::usage, fmt::format("{} cannot be started", name), std::system_category().message(number),
            how_to_start(name, number)),
      number_(number) {}

int program_error::status() const noexcept {
    return number_ == ENOENT ? 127 : 126;
}

std::vector<int> inheritable_descriptors() {
    std::vector<int> numbers;
    std::error_code unknown;
    for (auto const& entry : std::filesystem::directory_iterator{"/proc/self/fd", unknown}) {
        int const fd = std::atoi(entry.path().filename().c_str());
        int const flags = fcntl(fd, F_GETFD);
        if (fd > STDERR_FILENO && flags >= 0 && (flags & FD_CLOEXEC) == 0) numbers.push_back(fd);
    }
    std::sort(numbers.begin(), numbers.end());
    return numbers;
}

std::string find_program(std::string const& name) {
    if (name.find('/') != std::string::npos) {
        if (executable(name)) return name;
        struct stat status {};
        throw program_error{name, stat(name.c_str(), &status) == 0 ? EACCES : errno};
    }
    char const* const list = std::getenv("PATH");
    std::string_view left{list != nullptr ? list : "/bin:/usr/bin"};
    while (true) {
        auto const colon = left.find(':');
        auto const folder = left.substr(0, colon);
        auto path = folder.empty() ? "./" + name : fmt::format("{}/{}", folder, name);
        if (executable(path)) return path;
        if (colon == std::string_view::npos) break;
        left.remove_prefix(colon + 1);
    }
    throw program_error{name, ENOENT};
}

rank_request own_request(stub_wishes const& wishes) {
    rank_request request;
    request.descriptors = descriptors_to_hand(wishes.descriptors);
    request.house = wishes.house;
    request.stack_bytes = wishes.stack_bytes;
    auto const key = own_job_key();
    request.rank = key.rank;
    request.on_machine = key.on_machine;
    request.launcher = key.launcher;
    request.path = find_program(wishes.program.front());
    for (char** variable = environ; *variable != nullptr; ++variable) request.environment.emplace_back(*variable);
    request.directory = own_directory();
    if (!request.path.starts_with('/')) request.path = fmt::format("{}/{}", request.directory, request.path);
    request.arguments = wishes.program;
    request.umask = own_umask();
    request.leads_session = getsid(0) == getpid() ? 1 : 0;
    for (std::size_t i = 0; i < request.limits.size(); ++i) getrlimit(static_cast<__rlimit_resource_t>(i), &request.limits[i]);
    errno = 0;
    request.nice = getpriority(PRIO_PROCESS, 0);
    request.blocked = blocked_signals();
    request.ignored = ignored_signals();
    request.processors = own_processors();
    request.memory = own_memory_policy();
    return request;
}

} // namespace sode::internal::tasks
