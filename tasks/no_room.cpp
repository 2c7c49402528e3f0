// SPDX-License-Identifier: Apache-2.0
#include "tasks/no_room.hpp"

#include "base/limits.hpp"

#include <cerrno>
#include <cstdio>
#include <fmt/format.h>
#include <memory>
#include <string>
#include <system_error>

namespace sode::internal {

namespace {

std::string most_mappings() {
    std::unique_ptr<std::FILE, decltype(&std::fclose)> const file{std::fopen("/proc/sys/vm/max_map_count", "re"), &std::fclose};
    unsigned long most = 0;
    return file && std::fscanf(file.get(), "%lu", &most) == 1 ? fmt::format(", now {}", most) : std::string{};
}

} // namespace

error no_room(std::string_view problem, std::string_view call, int number) {
    if (number == EPERM || number == EACCES)
        return error{error_kind::environment, problem, fmt::format("{}: {}", call, std::system_category().message(number)),
                     "move the program to a file system from which programs may run"};
    return refused(problem, call, number,
                   fmt::format("raise vm.max_map_count (it limits the mappings of all tasks together{}), or use larger partitions",
                               most_mappings()));
}

} // namespace sode::internal
