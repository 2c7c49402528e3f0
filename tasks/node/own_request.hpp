// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tasks/node/rank_request.hpp"

#include <string>
#include <vector>

namespace sode::tasks {

/// What a stub wants of the task that runs in its stead.
struct stub_wishes {
    house_wishes house;
    std::uint64_t stack_bytes = 0;
    std::vector<int> descriptors; ///< to be handed over besides the usual ones
    std::vector<std::string> program; ///< and its arguments
};

/// The request for a task that is what this process would be if it executed the program. To be called before anything else has been
/// opened or blocked. Errors: usage, if there is no such program or descriptor; environment.
[[nodiscard]] rank_request own_request(stub_wishes const& wishes);

/// Where `execvp(name, …)` would find it. Errors: usage.
[[nodiscard]] std::string find_program(std::string const& name);

} // namespace sode::tasks
