// SPDX-License-Identifier: Apache-2.0
#include "launch/mpi_watch.hpp"

#include "base/config.hpp"
#include "base/job_control.hpp"
#include "base/mpi_plugin.hpp"
#include "base/unique_fd.hpp"
#include "tasks/root/own_request.hpp"

#include <sode/error.hpp>

#include <fmt/format.h>

#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <string_view>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace sode::internal::tools {

namespace {

bool may_be_executed(std::string const& file) {
    struct stat status {};
    return stat(file.c_str(), &status) == 0 && S_ISREG(status.st_mode) && access(file.c_str(), X_OK) == 0;
}

// The names of the libraries that it needs stand in the file; one that stands there for another reason does no harm. A program that
// brings a sanitizer wants nothing loaded before that.
bool needs_mpi(std::string const& file) {
    unique_fd const open_file{open(file.c_str(), O_RDONLY | O_CLOEXEC)};
    struct stat status {};
    if (!open_file || fstat(open_file.get(), &status) != 0 || status.st_size == 0) return false;
    auto const bytes = static_cast<std::size_t>(status.st_size);
    void* const at = mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, open_file.get(), 0);
    if (at == MAP_FAILED) return false;
    auto const has = [&](std::string_view name) { return memmem(at, bytes, name.data(), name.size()) != nullptr; };
    bool const needs = (has("libmpi.so.") || has("libmpich") || has("libmpi_")) && !has("libasan.so.");
    munmap(at, bytes);
    return needs;
}

// The program may stand behind another one: `env A=b ./program`, `taskset -c 0 ./program`.
bool starts_mpi(std::vector<std::string> const& words) {
    try {
        if (needs_mpi(tasks::find_program(words.front()))) return true;
    } catch (tasks::program_error const&) { // told when it is started
        return false;
    }
    for (std::size_t i = 1; i < words.size(); ++i)
        if (words[i].find('/') != std::string::npos && may_be_executed(words[i]) && needs_mpi(words[i])) return true;
    return false;
}

std::string library() {
    try {
        return find_beside_plugins("libsode-alone.so", config::from_environment());
    } catch (error const&) { // what is wrong with the environment is said by the ranks
        return {};
    }
}

} // namespace

void watch_for_mpi(launch_options const& options) {
    if (options.ranks < 2 || !starts_mpi(options.program)) return;
    auto const file = library();
    if (file.empty()) return;
    char const* const others = std::getenv("LD_PRELOAD");
    bool const alone = others == nullptr || *others == '\0';
    setenv("LD_PRELOAD", alone ? file.c_str() : fmt::format("{}:{}", others, file).c_str(), 1);
    setenv(boot_size_variable, std::to_string(options.ranks).c_str(), 1);
}

} // namespace sode::internal::tools
