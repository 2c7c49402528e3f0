// SPDX-License-Identifier: Apache-2.0
#include "tasks/task_environment.hpp"

#include "base/task_board.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <string_view>

namespace sode::internal {

namespace {

/// MPICH wants the memory of a window at one address in all ranks. Tasks share their addresses, so that this never succeeds: each
/// of its 100 tries takes time, and all but one leave a file in /dev/shm.
constexpr std::string_view mpich_tries = "MPIR_CVAR_SHM_SYMHEAP_RETRY=1";
constexpr std::string_view names_of_that[] = {
    "MPIR_CVAR_SHM_SYMHEAP_RETRY=", "MPIR_PARAM_SHM_SYMHEAP_RETRY=", "MPICH_SHM_SYMHEAP_RETRY="};

} // namespace

std::vector<std::string> task_environment(std::vector<std::string> env, std::string const& place) {
    auto const own_name = fmt::format("{}=", task_variable);
    std::erase_if(env,
                  [&](std::string const& one) { return one.starts_with(own_name); }); // of a task that its starter descends from
    env.push_back(own_name + place);
    auto const is_set = [&](std::string_view name) {
        return std::any_of(env.begin(), env.end(), [&](std::string const& one) { return one.starts_with(name); });
    };
    if (std::none_of(std::begin(names_of_that), std::end(names_of_that), is_set)) env.emplace_back(mpich_tries);
    return env;
}

} // namespace sode::internal
